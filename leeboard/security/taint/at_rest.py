"""What a flow is worth in code that lies there, where no agent is about to write it.

Of well-kept code that has been read and has run, a value that goes to and fro in a file before it does harm was
mostly made harmless on the way, and a path, an address or a redirect was mostly meant. What is refused there needs a
proof that leaves nothing to assume; the rest is worth a look, and what hardly ever was a fault is a line in the log.
Which is which was read off labels, and stands in the table `data/security/at_rest.toml`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.security.taint.doubts.flow_doubt import doubt
from leeboard.security.taint.doubts.only_logged import SENT
from leeboard.security.taint.state import Flow
from leeboard.security.taint.table import Kind, Trust

_NEAR = 3
"""Lines around a sink in which the markup stands that it is a part of."""


class ProofAtRest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a refusal needs; the comments of the table say what each entry is."""

    kinds: frozenset[Kind]
    named: str
    unnamed: str
    aside: str
    managed: str
    markup: str
    most_lines: int
    most_steps: int


class LimitAtRest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A group of flows, and what one of them is at most. What is left out of it holds for all."""

    kinds: frozenset[Kind] = frozenset()
    trusts: frozenset[Trust] = frozenset()
    doubts: frozenset[str] = frozenset()
    source: str = ""
    sink: str = ""
    paths: str = ""
    declared: str = ""
    """What the line shows on which the value comes in (searched)."""
    says: str = ""
    """What the lines on the way show (searched)."""
    shows: str = ""
    """What the file shows (searched)."""
    lines: int = 0
    """How far its first line is from its last, at least."""
    at_most: Literal["QUEUE", "LOG"] = "LOG"
    why: str


class TableAtRest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table."""

    proof: ProofAtRest
    limits: tuple[LimitAtRest, ...] = ()


TABLE = load("security/at_rest", TableAtRest)


class Rest(msgspec.Struct, frozen=True):
    """What it is at most, and why; without a reason nothing is taken from it."""

    why: str = ""
    at_most: Literal["QUEUE", "LOG"] = "QUEUE"


def rest_of(path: str, text: str, flow: Flow, *, is_refused: bool) -> Rest:
    """`is_refused`: what it would be in a change."""
    lines = _lines_of(text)
    limit = next((one for one in TABLE.limits if _is_meant(one, path, text, flow)), None)
    if limit is not None:
        return Rest(limit.why, limit.at_most)
    return Rest(_why_unproven(path, lines, flow) if is_refused else "")


@lru_cache(maxsize=2)
def _lines_of(text: str) -> list[str]:
    """Split once for all that was found in a file."""
    return text.split("\n")


@lru_cache(maxsize=64)
def _says(pattern: str, text: str) -> bool:
    """Looked for once in a file, however much was found in it."""
    return re.search(pattern, text) is not None


def _is_meant(limit: LimitAtRest, path: str, text: str, flow: Flow) -> bool:
    lines = _lines_of(text)
    return (
        (not limit.kinds or flow.kind in limit.kinds)
        and (not limit.trusts or flow.trust in limit.trusts)
        and (not limit.doubts or flow.doubt in {doubt(name).why for name in limit.doubts})
        and (not limit.source or re.search(limit.source, flow.source) is not None)
        and (not limit.sink or re.search(limit.sink, flow.sink) is not None)
        and (not limit.paths or re.search(limit.paths, path) is not None)
        and (not limit.declared or re.search(limit.declared, _line(lines, flow.source_line)) is not None)
        and _length(flow) >= limit.lines
        and (not limit.says or re.search(limit.says, _around(lines, flow, 0)) is not None)
        and (not limit.shows or _says(limit.shows, text))
    )


def _why_unproven(path: str, lines: list[str], flow: Flow) -> str:
    """What a refusal lacks; empty where nothing is left to assume."""
    proof = TABLE.proof
    is_far = _length(flow) > proof.most_lines or len(flow.steps) > proof.most_steps
    beside = re.sub(proof.named, "", flow.source)
    is_named = beside != flow.source and re.search(proof.unnamed, beside) is None
    is_managed = flow.kind != "html" and re.search(proof.managed, path) is not None
    is_page = flow.kind != "html" or re.search(proof.markup, _around(lines, flow, _NEAR)) is not None
    reasons = (
        (flow.trust not in SENT, "no request is seen to bring it"),
        (flow.kind not in proof.kinds, "where the program runs decides what it harms"),
        (not is_named, "it is no field that a request names"),
        (re.search(proof.aside, path) is not None, "nobody gets there who does not run the program"),
        (is_managed, "who gets there may do as much without it"),
        (is_far, "it goes a long way, on which much may happen to it"),
        (not is_page, "no markup stands beside it, so that it may be no page"),
    )
    return next((why for lacks, why in reasons if lacks), "")


def _length(flow: Flow) -> int:
    """From its first line to its last."""
    way = (flow.source_line, *flow.steps, flow.sink_line)
    return max(way) - min(way)


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _around(lines: list[str], flow: Flow, near: int) -> str:
    """The lines on its way, and some before and behind the last."""
    at = flow.sink_line
    shown = {*flow.steps, *range(max(1, at - near), at + near + 1)}
    return "\n".join(_line(lines, number) for number in sorted(shown))
