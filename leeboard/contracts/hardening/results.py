"""Errors that are values: Go's `err` and Rust's `Result`, dropped or replaced by a default."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.contracts.hardening.handlers import Outcome, outcome_of, statements
from leeboard.contracts.hardening.sign import BROAD, DEFAULT, GUARDS, SWALLOWED, Hardening, HardeningSource, body_of
from leeboard.model.text import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import Definition


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


def find_results(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    """In Go and Rust; nothing in other languages."""
    if source.language == "go":
        yield from _go(source, retried)
    elif source.language == "rust":
        yield from _rust(source, retried)


def _go(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    for node in source.decisions:
        if source.line_of(node) not in retried:
            yield from _unanswered(node, source)
    for match in _RECOVERED.finditer(source.code):
        if "panic(" not in source.code[match.end() : match.end() + 400]:
            yield Hardening(BROAD, (source.line_at(match.start()),), "recover()")
    for match in _GO_IGNORED.finditer(source.code):
        yield Hardening(SWALLOWED, (source.line_at(match.end() - 1),), "an error assigned to _")


def _unanswered(node: SgNode, source: HardeningSource) -> Iterator[Hardening]:
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


def _is_predicate(node: SgNode, source: HardeningSource) -> bool:
    return bool(_BOOL_RESULT.search(_signature(node, source)))


def _names_its_error(node: SgNode, source: HardeningSource) -> bool:
    """A bare `return` gives back the results that have names."""
    return bool(_NAMED_ERROR.search(_signature(node, source)))


def _signature(node: SgNode, source: HardeningSource) -> str:
    definition = source.tree.definition_at(source.line_of(node))
    return source.code_of(definition.node).partition("{\n")[0] if definition is not None else ""


def _signalled(outcome: Outcome, lines: tuple[int, ...], what: str) -> Iterator[Hardening]:
    if outcome == "default":
        yield Hardening(DEFAULT, lines, f"{what}, a default instead")
    elif outcome == "swallowed":
        yield Hardening(SWALLOWED, lines, f"{what}, nothing done about it")


def _rust(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
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


def _only_noted(node: SgNode, source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    """`if let Err(e) = f() { log }`, and the program goes on."""
    condition, body = node.field("condition"), node.field("consequence")
    if condition is None or body is None or node.field("alternative") is not None:
        return
    asked = source.code_of(condition)
    if asked.startswith("let Err(") and source.line_of(node) not in retried:
        inside = source.code_of(body).strip()[1:-1]
        if outcome_of(inside, "rust") == "swallowed" and not re.search(r"\breturn\b|\bErr\b", inside):
            yield Hardening(SWALLOWED, tuple(source.lines_of(node)), "if let Err, nothing done about it")


# Clusters of guards: one function that asks three times or more what it was given before it does its work.


ENOUGH = 3

_NULL = r"(?:None|null|nil|undefined|nullptr|NULL)"
_MISSING = lazy(
    rf"\bis\s+{_NULL}\b|(?<!!)===?\s*{_NULL}\b|\b{_NULL}\s*===?(?!=)|\.nil\?|\bis_null\s?\(|!\s*isset\b|\bis\s+null\b"
    r"|^\(?\s*!\s*\$?[A-Za-z_][\w.]*\s*\)?$"
)
"""Nothing was given."""
_TYPED = r"(?:isinstance|issubclass|callable|hasattr|is_(?:string|array|int|numeric)|(?:Array|Number)\.is\w+|isNaN)"
_WRONG = lazy(
    rf"(?:!|\bnot\s)\s*\(?\s*{_TYPED}\b|typeof\s+[\w.]+\s*!==?|!\s*\([\w.]+\s+(?:instanceof|is)\b|!is\b|\bis\s+not\s+(?!{_NULL}\b)"
    r"|!\s*[\w.@]+\.(?:is_a|kind_of|respond_to)\?"
)
"""It is not of the kind that is needed."""
_TYPE_TEST = lazy(rf"{_TYPED}\b|\b(?:typeof|instanceof)\b|\.(?:is_a|kind_of|respond_to)\?")
_BOTH = lazy(r"&&|\band\b")
_LEAVES = lazy(r"(?:raise|throw|return|fail|panic)\b")
_RAISES = lazy(r"(?:raise|throw|fail|panic)\b")
_IN_TEXT = lazy(
    r"\b(?:requireNonNull|requireNotNull|checkNotNull|ThrowIfNull(?:OrEmpty|OrWhiteSpace)?|assert isinstance)"
    r"\s{0,3}\(\s{0,3}(?P<name>[A-Za-z_]\w{0,60})"
)
_NAME = lazy(r"(?<![.\w>:])\$?[A-Za-z_]\w*")
_ERRORS = lazy(r"\berr\w{0,20}\s{0,3}!=")


def find_guards(source: HardeningSource) -> Iterator[Hardening]:
    """One sign for each function that has enough of them."""
    found: dict[int, list[int]] = defaultdict(list)
    for node in source.decisions:
        definition = _guarded(node, source)
        if definition is not None:
            found[definition.start].append(source.line_of(node))
    for match in _IN_TEXT.finditer(source.code):
        line = source.line_at(match.start())
        definition = source.tree.definition_at(line)
        if definition is not None and match["name"] in definition.params:
            found[definition.start].append(line)
    for lines in found.values():
        if len(set(lines)) >= ENOUGH:
            yield Hardening(GUARDS, tuple(sorted(set(lines))), f"{len(set(lines))} guards in one function")


def _guarded(node: SgNode, source: HardeningSource) -> Definition | None:
    """The function whose parameter is asked for, where the branch does nothing but leave it."""
    condition = node.field("condition")
    asked = source.code_of(condition) if condition is not None else ""
    left = _left_with(node, source) if asked and not _BOTH.search(asked) and not _ERRORS.search(asked) else ""
    if not left or not _is_guard(asked.strip(), left, is_negated="unless" in node.kind()):
        return None
    definition = source.tree.definition_at(source.line_of(node))
    if definition is None or definition.kind == "class":
        return None
    params = {name.lstrip("$*&") for name in definition.params} - {"self", "cls", "this"}
    return definition if params.intersection(name.lstrip("$") for name in _NAME.findall(asked)) else None


def _is_guard(asked: str, left: str, *, is_negated: bool) -> bool:
    """To return early for a kind is to choose; to leave because something is missing or of no kind is to guard."""
    if _RAISES.match(left):
        return bool(_MISSING.search(asked) or _WRONG.search(asked) or _TYPE_TEST.search(asked))
    return bool(_TYPE_TEST.search(asked) if is_negated else _MISSING.search(asked) or _WRONG.search(asked))


def _left_with(node: SgNode, source: HardeningSource) -> str:
    """The one statement of the branch, where it leaves the function."""
    if "modifier" in node.kind():
        code = source.code_of(node)
        return code if _LEAVES.match(code) else ""
    body = node.field("consequence") or body_of(node)
    if body is None or node.field("alternative") is not None:
        return ""
    done = statements(re.sub(r"^(?:\{|then)|\}$", "", source.code_of(body).strip()))
    return done[0] if len(done) == 1 and _LEAVES.match(done[0]) else ""
