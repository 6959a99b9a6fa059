"""Loops that try again until something works, and libraries that do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.hardening.signal import RETRY, Hardening
from leeboard.code.hardening.source import Source
from leeboard.code.words import split_name
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FAILS = lazy(
    r"\b(?:except|catch|rescue|errno|runCatching|Err\(|is_err\(\)|is_ok\(\))|\berr\w{0,10}\s{0,3}[!=]=\s{0,3}nil"
    r"|\bOk\(|\.ok\b|\bstatus(?:_?code)?\b\s{0,3}[)<>!=]|\b(?:rc|ret|result)\s{0,3}[!=<>]=?\s{0,3}-?\d"
)
_WAITS = lazy(
    r"(?:\b|_)(?:u?sleep|nanosleep|sleep_for|sleep_ms|delay|setTimeout|backoff|wait_exponential|timers)\s{0,3}\(|\bSleep\("
    r"|\bsleep\s{1,2}[\d(a-z]|Task\.Delay|\b(?:backoff|delay)\b|\bwait\(\w"
)
_LEAVES = lazy(r"\b(?:return|break)\b")
_AGAIN = lazy(
    r"(?<![A-Za-z])(?:attempts?|Attempts?|ATTEMPTS?|tries|Tries|TRIES|retr(?:y|ies)|Retr(?:y|ies)|RETR(?:Y|IES))(?![a-z])"
    r"|(?<=[a-z])(?:Attempts?|Tries|Retr(?:y|ies))(?![a-z])"
)
_EACH = lazy(r"\s*(?:for|foreach|async for|for await)\b[^\n]{0,200}?(?:\bin\b|\bof\b|\brange\b|:(?!=)|\bas\b)")
_COUNTED = lazy(r"\brange\s?\(|\d\s?\.\.|\.\.[=<]?\s?\w|\buntil\b|\brange\s+[a-z]\w*(?:Retries|Attempts)|\bcount\(")
_TIMES = lazy(r"\.(?:times|upto|step|loop)\b|\bloop\s*$")
_LIBRARY = frozenset(
    "retry retries retrying retryable retryablehttp backoff tenacity stamina resilience4j failsafe cockatiel backon "
    "tryhard polly".split()
)
_COUNTER = lazy(
    r"\s*for\b\s*\(?\s*(?:let\s+|var\s+|int\s+|auto\s+|size_t\s+)?(\$?\w+)\s*(?:=\s*\d|:=\s*\d|in\s+(?:range\s?\(|\d+\s?\.\.))"
)
_HANDLER = lazy(r"\b(?:except|catch|rescue)\b")
_HEAD = 300


def retry_loops(source: Source) -> list[SgNode]:
    return [loop for loop in source.loops if _tries_again(loop, source)]


def find_retries(source: Source, loops: list[SgNode]) -> Iterator[Hardening]:
    """The loops found before, the imports of a library for it, and Ruby's own word for it."""
    for loop in loops:
        start, end = source.span(loop)
        marks = [match.start() for match in _marks(source.code[start:end])]
        lines = [source.line_of(loop), *(source.line_at(start + mark) for mark in marks)]
        yield Hardening(RETRY, tuple(dict.fromkeys(lines)), "a loop that tries again")
    for used in source.tree.imports:
        if _LIBRARY.intersection(split_name(used.module)):
            yield Hardening(RETRY, (used.line,), "a library for trying again")
    if source.language == "ruby":
        for match in re.finditer(r"^[ \t]{0,80}retry\b(?!\s*[=.(:])", source.code, re.MULTILINE):
            yield Hardening(RETRY, (source.line_at(match.end() - 1),), "retry")


def _marks(code: str) -> Iterator[re.Match[str]]:
    yield from _WAITS.finditer(code)
    yield from _FAILS.finditer(code)


def _tries_again(loop: SgNode, source: Source) -> bool:
    code = source.code_of(loop)
    if not _FAILS.search(code):
        return False
    head = _head(loop, code, source)
    named = bool(_AGAIN.search(head))
    if loop.kind() == "do_block" and not _TIMES.search(head):
        return False
    if _EACH.match(head) and not _COUNTED.search(head):
        return named and bool(_WAITS.search(code))
    return named or bool(_WAITS.search(code) and _LEAVES.search(code)) or _only_counts(head, code)


def _only_counts(head: str, code: str) -> bool:
    """A loop that is left when the work was done, and whose counter the work has no use for."""
    counter = _COUNTER.match(head)
    work = code[len(head.rstrip()) :].partition("\n")[2] or code[len(head.rstrip()) :]
    handler = _HANDLER.search(work)
    if counter is None or handler is None:
        return False
    tried, after = work[: handler.start()], work[handler.start() :]
    is_used = re.search(rf"(?<![\w$]){re.escape(counter[1])}(?![\w$])", tried)
    return bool(_LEAVES.search(tried) and not is_used and not _LEAVES.search(after.partition("\n\n")[0]))


def _head(loop: SgNode, code: str, source: Source) -> str:
    """What stands before the body, and behind it where a loop decides at its end."""
    if loop.kind() == "do_block":
        parent = loop.parent()
        return source.code_of(parent)[:_HEAD].partition(" do")[0] if parent is not None else ""
    body = loop.field("body")
    if body is None:
        return code.partition("\n")[0][:_HEAD]
    start, end = body.range().start.index - loop.range().start.index, body.range().end.index - loop.range().start.index
    return f"{code[:start][:_HEAD]} {code[end:][:_HEAD]}"
