"""Errors that are values: Go's `err` and Rust's `Result`, dropped or replaced by a default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.hardening.body import Outcome, outcome_of
from leeboard.code.hardening.signal import BROAD, DEFAULT, SWALLOWED, Hardening
from leeboard.code.hardening.source import Source, body_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FAILED = lazy(r"\b(err\w{0,20})\s{0,3}!=\s{0,3}nil\s*$")
_RECOVERED = lazy(r"(?<![\w.])recover\(\)")
_GO_IGNORED = lazy(
    r"^[ \t]{0,80}(?:_\s{0,3}=\s{0,3}(?![\w.]{0,60}\.(?:Close|Write\w{0,10}|Fprint\w{0,4}|Flush|Sync)\()"
    r"(?=[\w.]{1,80}\()"
    r"|\w{1,60},\s{0,3}_\s{0,3}:?=\s{0,3}(?:json|strconv|os\.(?!LookupEnv)|io|ioutil|http|url|time|xml|yaml|hex|base64)\b[\w.]{1,40}\()",
    re.MULTILINE,
)
_BOOL_RESULT = lazy(r"\)\s{0,3}bool\s{0,3}\{?\s*$")
_NAMED_ERROR = lazy(r"\w\s{1,3}error\s{0,3}\)\s*$")
_RUST_IGNORED = lazy(r"\blet\s{1,3}_\s{0,3}=\s{0,3}[\w&.:<>]{1,120}\(|\.ok\(\)\s{0,3};")
_RUST_DEFAULT = lazy(
    r"\.unwrap_or_else\(\s{0,3}\|\s{0,3}_?\w{1,20}\s{0,3}\||(?:\.await|\.ok\(\)|\.parse(?:::<[\w:<>]{1,40}>)?\(\)"
    r"|(?:from_str|from_utf8|read_to_string|from_slice|from_reader|env::var|fs::\w{1,30}|try_from|try_into|recv|send|json)"
    r"(?:::<[\w:<>]{1,40}>)?\([^()\n]{0,120}\))\s{0,80}\.(?:unwrap_or|unwrap_or_default|unwrap_or_else)\("
)
_UNWOUND = lazy(r"\bcatch_unwind\b")
_ERR_ARM = lazy(r"\s*Err\(\s*(_|_?\w+)\s*\)\s*=>\s*")


def find_results(source: Source, retried: frozenset[int]) -> Iterator[Hardening]:
    """In Go and Rust; nothing in other languages."""
    if source.language == "go":
        yield from _go(source, retried)
    elif source.language == "rust":
        yield from _rust(source, retried)


def _go(source: Source, retried: frozenset[int]) -> Iterator[Hardening]:
    for node in source.decisions:
        if source.line_of(node) not in retried:
            yield from _unanswered(node, source)
    for match in _RECOVERED.finditer(source.code):
        if "panic(" not in source.code[match.end() : match.end() + 400]:
            yield Hardening(BROAD, (source.line_at(match.start()),), "recover()")
    for match in _GO_IGNORED.finditer(source.code):
        yield Hardening(SWALLOWED, (source.line_at(match.end() - 1),), "an error assigned to _")


def _unanswered(node: SgNode, source: Source) -> Iterator[Hardening]:
    """`if err != nil { return nil }`: the branch neither returns the error nor tells anybody but a log."""
    condition, body = node.field("condition"), body_of(node)
    failed = _FAILED.search(source.code_of(condition)) if condition is not None else None
    if failed is None or body is None:
        return
    inside = source.code_of(body).strip()[1:-1]
    returned = " ".join(line for line in inside.split("\n") if line.strip().startswith("return"))
    if re.search(r"[eE]rr", returned):
        return
    outcome = outcome_of(inside, "go")
    if returned.strip().rstrip(";") == "return" and _names_its_error(node, source):
        return
    if outcome == "default" and returned.strip().rstrip(";") == "return false" and _is_predicate(node, source):
        return
    yield from _signalled(outcome, tuple(source.lines_of(node)), f"if {failed[1]} != nil")


def _is_predicate(node: SgNode, source: Source) -> bool:
    return bool(_BOOL_RESULT.search(_signature(node, source)))


def _names_its_error(node: SgNode, source: Source) -> bool:
    """A bare `return` gives back the results that have names."""
    return bool(_NAMED_ERROR.search(_signature(node, source)))


def _signature(node: SgNode, source: Source) -> str:
    definition = source.tree.definition_at(source.line_of(node))
    return source.code_of(definition.node).partition("{\n")[0] if definition is not None else ""


def _signalled(outcome: Outcome, lines: tuple[int, ...], what: str) -> Iterator[Hardening]:
    if outcome == "default":
        yield Hardening(DEFAULT, lines, f"{what}, a default instead")
    elif outcome == "swallowed":
        yield Hardening(SWALLOWED, lines, f"{what}, nothing done about it")


def _rust(source: Source, retried: frozenset[int]) -> Iterator[Hardening]:
    for pattern, signal, what in (
        (_RUST_IGNORED, SWALLOWED, "a result that is dropped"),
        (_RUST_DEFAULT, DEFAULT, "a default for an error"),
        (_UNWOUND, BROAD, "catch_unwind"),
    ):
        for match in pattern.finditer(source.code):
            if not source.code.startswith("use ", source.starts[source.line_at(match.start()) - 1]):
                yield Hardening(signal, (source.line_at(match.end() - 1),), what)
    for node in source.decisions:
        yield from _only_noted(node, source, retried)
    for arm in source.handlers:
        code = source.code_of(arm)
        head = _ERR_ARM.match(code)
        if head is None or source.line_of(arm) in retried:
            continue
        body = code[head.end() :].strip().rstrip(",").strip()
        if body.startswith("{") and body.endswith("}"):
            body = body[1:-1]
        if not re.search(rf"\bErr\b|\b{re.escape(head[1])}\b(?=\.into\(\))", body):
            yield from _signalled(outcome_of(body, "rust"), tuple(source.lines_of(arm)), f"Err({head[1]})")


def _only_noted(node: SgNode, source: Source, retried: frozenset[int]) -> Iterator[Hardening]:
    """`if let Err(e) = f() { log }`, and the program goes on."""
    condition, body = node.field("condition"), node.field("consequence")
    if condition is None or body is None or node.field("alternative") is not None:
        return
    asked = source.code_of(condition)
    if asked.startswith("let Err(") and source.line_of(node) not in retried:
        inside = source.code_of(body).strip()[1:-1]
        if outcome_of(inside, "rust") == "swallowed" and not re.search(r"\breturn\b|\bErr\b", inside):
            yield Hardening(SWALLOWED, tuple(source.lines_of(node)), "if let Err, nothing done about it")
