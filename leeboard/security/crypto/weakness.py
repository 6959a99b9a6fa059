"""What is found: first a bare hit of a signature, then a weakness, weighed by what the code around it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.security.crypto.source import Site

Weighing = Literal["always", "hash", "random", "auth", "note"]
"""always: weak whatever it is for. hash: by context, logged where neutral. random: by context, nothing where neutral.
auth: only where the context is authentication. note: logged at most."""
Context = Literal["auth", "checksum", "neutral"]

SHOWN = "in an example or a measurement"


class WeaknessHit(msgspec.Struct, frozen=True, kw_only=True):
    """A signature matched. `sure` is the confidence where the context leaves no doubt."""

    kind: str
    """The signature: weak hash, weak cipher, ECB mode, ..."""
    what: str
    """The algorithm, size or option, as people call it."""
    site: Site
    weighing: Weighing = "always"
    sure: float = 0.9
    fix: str
    """What to do instead, as a short imperative."""
    excuse: str = ""
    """Why it is legitimate as it is: it is logged with this word."""


class Weakness(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    what: str
    line: int
    end: int
    confidence: float
    context: Context
    queues: bool
    """It is said at the next pause: weak in any context, or weak for authentication."""
    log_only: str = ""
    """Why it is at most logged."""
    at_rest: str = ""
    """Why it is only logged where it was committed before."""
    symbol: str = ""
    """The function it lies in."""
    owner: str = ""
    """The class of that function."""
    scope: int = 0
    """The line that function begins in."""
    also: tuple[int, ...] = ()
    """The lines in which it does the same again."""
    same_as: int = 0
    """The line that is said in its place; 0: none."""
    fix: str = ""
    trace: tuple[str, ...] = ()


def each_once(found: Iterable[Weakness], is_same: Callable[[Weakness, Weakness], bool]) -> tuple[Weakness, ...]:
    """What is the same as one before it is at most logged: the first is said, with the lines of the others."""
    said: list[Weakness] = []
    for weakness in found:
        same = (place for place, one in enumerate(said) if one.queues and is_same(one, weakness))
        place = next(same, None) if weakness.queues else None
        if place is None:
            said.append(weakness)
            continue
        first = said[place]
        rests = first.at_rest and weakness.at_rest
        said[place] = replace(first, also=(*first.also, weakness.line), at_rest=rests)
        told = f"the same as in line {first.line}"
        said.append(replace(weakness, queues=False, log_only=told, same_as=first.line))
    return tuple(said)
