"""Handlers that take every error, drop it, or put a value in its place: try and catch in all their spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.hardening.body import Outcome, is_note, outcome_of, statements
from leeboard.code.hardening.signal import BROAD, DEFAULT, SWALLOWED, Hardening
from leeboard.code.hardening.source import Source, body_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NAME = lazy(r"[A-Za-z_][\w]*")
_ANY_ERROR = frozenset({"Exception", "BaseException", "StandardError", "Throwable", "RuntimeException", "exception"})
_OUTSIDE_WORLD = lazy(
    r"(?:IO|SQL|OS|Request|Requests|HTTP|Http|Network|Connection|Socket|Timeout|Database|DB|API|Api|Client|Runtime|URL"
    r"|SQLAlchemy|Transport|Operational|Web|PDO|Service|EnvironmentError|Remote)\w{0,20}(?:Error|Exception)$|^PDOException$"
    r"|^ActiveRecordError$|^RequestException$|^SystemCallError$"
)
"""Errors that mean something is really wrong; to drop one is not to handle an expected case."""
_UNTYPED = frozenset({"javascript", "typescript", "tsx"})
_NARROWS = lazy(
    r"\binstanceof\b|\.(?:code|name|status|statusCode|errno|type|kind|cause)\b|\bis[A-Z]\w*(?:Error|Exception)\b|isAxiosError"
)
_FUNCTION = frozenset({"arrow_function", "function_expression", "function"})
_SUPPRESSED = lazy(r"\bsuppress\(\s{0,20}(?:Base)?Exception\b")
_KOTLIN_RESULT = lazy(
    r"(?:\brunCatching\b[^\n]{0,300}|^[ \t]{0,80})\}\s{0,80}\.(?:getOrNull\(\)|getOrDefault\(|getOrElse\b)",
    re.MULTILINE,
)
_PHP_SILENCED = lazy(r"(?<![\w@$*\\])@\\?[a-z_]\w{0,60}\s?\(")
_IN_TEXT = {
    "python": (_SUPPRESSED, SWALLOWED, "suppress(Exception)"),
    "kotlin": (_KOTLIN_RESULT, DEFAULT, "runCatching with a default"),
    "php": (_PHP_SILENCED, SWALLOWED, "@ before a call"),
}


def find_handlers(source: Source, retried: frozenset[int]) -> Iterator[Hardening]:
    """Of every handler in the file; those on lines of a loop that tries again are a part of it."""
    for node in source.handlers if source.language != "rust" else ():
        if source.line_of(node) not in retried:
            yield from _judged(node, source)
    for call in source.calls:
        yield from _rejected(call, source)
    if source.language in _IN_TEXT:
        pattern, signal, what = _IN_TEXT[source.language]
        for match in pattern.finditer(source.code):
            yield Hardening(signal, (source.line_at(match.end() - 1),), what)


def _judged(node: SgNode, source: Source) -> Iterator[Hardening]:
    if node.kind() == "rescue_modifier":
        yield Hardening(DEFAULT, (source.line_of(node),), "rescue modifier")
        return
    head, body = _parts(node, source)
    outcome = outcome_of(body, source.language)
    if outcome == "passed on":
        return
    caught = _caught(node, head, source.language)
    is_broad = not caught or not _ANY_ERROR.isdisjoint(caught)
    if source.language in _UNTYPED:
        is_broad = True
        if outcome == "handled" and _makes_use_of(head, body):
            return
    if _is_filtered(node):
        return
    lines = tuple(source.lines_of(node))
    if is_broad:
        yield Hardening(BROAD, lines[:1], _flat(head))
    if is_broad or (outcome != "handled" and any(_OUTSIDE_WORLD.search(name) for name in caught)):
        yield from _of_outcome(outcome, lines, _flat(head))


def _of_outcome(outcome: Outcome, lines: tuple[int, ...], what: str) -> Iterator[Hardening]:
    if outcome == "swallowed":
        yield Hardening(SWALLOWED, lines, f"{what}, nothing done about it")
    elif outcome == "default":
        yield Hardening(DEFAULT, lines, f"{what}, a default instead")


def _parts(node: SgNode, source: Source) -> tuple[str, str]:
    """The head of a handler and the code in it."""
    body = body_of(node)
    whole, start = source.code_of(node), node.range().start.index
    if body is None:
        opened = whole.find("{")
        return (whole[:opened], whole[opened:].strip("{} \n")) if opened >= 0 else (whole, "")
    first = body.range().start.index - start
    inner = source.code_of(body).strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    return whole[:first].rstrip(" \t\n{"), inner


def _caught(node: SgNode, head: str, language: str) -> tuple[str, ...]:
    """The last parts of the names of what is caught; empty where it is everything."""
    if language in _UNTYPED:
        return ()
    if language == "ruby":
        named = [child for child in node.children() if child.kind() == "exceptions"]
        return tuple(part.rpartition("::")[2].strip() for one in named for part in one.text().split(","))
    if language == "cpp" and "..." in head:
        return ()
    types = head.removeprefix("except").partition(" as ")[0] if language == "python" else _typed(head, language)
    names = [_NAME.findall(part) for part in re.split(r"[,|()]", types)]
    return tuple(parts[-1] for parts in names if parts)


def _typed(head: str, language: str) -> str:
    inner = head.partition("(")[2].rpartition(")")[0]
    if language == "kotlin":
        return inner.partition(":")[2]
    if language == "cpp":
        return inner.partition("&")[0].replace("const", " ")
    alternatives = inner.replace("final ", " ").split("|")
    return "|".join(one.split()[0] for one in alternatives if one.split())


def _is_filtered(node: SgNode) -> bool:
    """`catch (Exception e) when (...)` takes some errors only."""
    return any(child.kind() == "catch_filter_clause" for child in node.children())


def _makes_use_of(head: str, body: str) -> bool:
    """In a language without typed handlers: the error is looked at, or told to somebody who is no log."""
    if _NARROWS.search(body):
        return True
    names = _NAME.findall(head.partition("(")[2].partition(":")[0]) or _NAME.findall(head.partition("=>")[0])
    used = " ".join(one for one in statements(body) if not is_note(one))
    return any(re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w$])", used) for name in names[:3])


def _rejected(call: SgNode, source: Source) -> Iterator[Hardening]:
    """`promise.catch(() => null)`."""
    callee, given = call.field("function"), call.field("arguments")
    if callee is None or given is None or callee.kind() != "member_expression":
        return
    end = source.span(callee)[1]
    handler = next((child for child in given.children() if child.is_named()), None)
    lines = tuple(range(source.line_at(end - 1), source.lines_of(given)[-1] + 1))
    if handler is None or handler.kind() not in _FUNCTION:
        name = source.code_of(handler) if handler is not None else ""
        if name.startswith("console."):
            yield Hardening(SWALLOWED, lines, f".catch({name})")
        return
    body = handler.field("body")
    outcome = _of_function(body, source) if body is not None else "handled"
    yield from _of_outcome(outcome, lines, ".catch(...)")


def _of_function(body: SgNode, source: Source) -> Outcome:
    code = source.code_of(body)
    if body.kind() == "statement_block":
        return outcome_of(code.strip()[1:-1], source.language)
    return outcome_of(f"return {code.strip('()')}" if not code.startswith("console") else code, source.language)


def _flat(head: str) -> str:
    return " ".join(head.split()).strip("{}: ")[:60]
