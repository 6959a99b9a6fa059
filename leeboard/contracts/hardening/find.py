"""The signs of hardening in one file, and those of them that a change brought."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from leeboard.contracts.hardening.forms import (
    CLUES,
    ENOUGH,
    FLAG_CLUES,
    OLD_CLUES,
    SWITCH_CLUES,
    find_flags,
    find_guards,
    find_options,
    find_results,
)
from leeboard.contracts.hardening.handlers import find_handlers
from leeboard.contracts.hardening.sign import (
    BROAD,
    GUARDRAIL,
    GUARDS,
    RETRY,
    WORDS,
    Hardening,
    HardeningSource,
)
from leeboard.model.text import lazy
from leeboard.model.touch import FileChange, TreeChange
from leeboard.source.syntax import parse
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_LONGEST_LINE = 10_000
_LONGEST_TEXT = 500_000
"""Nobody writes a longer file by hand."""


def find_hardening(text: str, language: str) -> tuple[Hardening, ...]:
    """All of a text in a language that can be parsed, by line; what the parser can not follow holds nothing."""
    tree = parse(_bearable(text), language) if is_parsed(language) and len(text) <= _LONGEST_TEXT else None
    if tree is None:
        return ()
    source = HardeningSource(tree)
    loops = retry_loops(source)
    retried = frozenset(line for loop in loops for line in source.lines_of(loop))
    found: Iterator[Iterable[Hardening]] = iter(
        (
            find_handlers(source, retried),
            find_results(source, retried),
            find_retries(source, loops),
            find_options(source),
            find_flags(source),
            find_guards(source),
        )
    )
    unreadable = frozenset(line for first, last in tree.errors for line in range(first, min(last, first + 200) + 1))
    every = dict.fromkeys(one for group in found for one in group if one.line not in unreadable)
    return tuple(sorted(every, key=lambda one: one.line))


def added_hardening(
    path: str, language: str, texts: tuple[str, str], fresh: Mapping[int, str]
) -> tuple[Hardening, ...]:
    """What `fresh` lines brought, the first of each signal; `texts` are the file as it was and as it is now.

    A signal of which there is no more than before is no new one, however its lines were changed.
    """
    if not is_parsed(language):
        return _first_of_each(find_by_words(path, fresh), fresh)
    before, after = texts
    if not is_worth_a_look("\n".join(line for line in fresh.values() if len(line) <= _LONGEST_LINE), language):
        return ()
    now = find_hardening(after, language)
    written = _first_of_each(now, fresh)
    if not written or not before:
        return written
    had = Counter(one.signal for one in find_hardening(before, language))
    have = Counter(one.signal for one in now)
    return tuple(one for one in written if have[one.signal] > had[one.signal])


def _first_of_each(found: Iterable[Hardening], fresh: Mapping[int, str]) -> tuple[Hardening, ...]:
    kept: dict[str, Hardening] = {}
    for one in found:
        lines = tuple(line for line in one.lines if line in fresh)
        if len(lines) >= (ENOUGH if one.signal == GUARDS else 1):
            kept.setdefault(one.signal, Hardening(one.signal, lines, one.what))
    return tuple(kept.values())


def _bearable(text: str) -> str:
    """Where a node lies costs the length of its line: one that nobody wrote would cost its square."""
    if len(text) <= _LONGEST_LINE or max(map(len, text.split("\n"))) <= _LONGEST_LINE:
        return text
    return "\n".join(line if len(line) <= _LONGEST_LINE else "" for line in text.split("\n"))


# The lines a change really wrote: what was only moved, within a file or to another, is left out.


class Moves:
    """Lines that were taken away somewhere, each to be found again once."""

    def __init__(self, change: TreeChange) -> None:
        gone = (line.strip() for file in change.files for hunk in file.hunks for line in hunk.removed)
        self._gone = Counter(line for line in gone if line)

    def fresh(self, file: FileChange) -> dict[int, str]:
        """Lines of a file that nobody took away elsewhere, by number. To be asked once for each file."""
        kept: dict[int, str] = {}
        gone = self._gone
        for hunk in file.hunks:
            for line, text in enumerate(hunk.added, hunk.start):
                bare = text.strip()
                if gone.get(bare):
                    gone[bare] -= 1
                elif bare:
                    kept[line] = text
        return kept


# Which signs of hardening a contract asks for: what its objective or acceptance names is the work, not a drift.


_ASKED = tuple((lazy(asked.words, re.IGNORECASE), asked.signals) for asked in WORDS.asked)
_REFUSED = lazy(
    r"\b(?:no|not|without|never|avoid|don['’]?t|doesn['’]?t|remove|removes|removing|drop|delete|rather\s+than|instead\s+of|un)"
    r"[\s\w,/'’-]{0,40}$",
    re.IGNORECASE,
)
_LONGEST = 20_000
_BEFORE = 48


def asked_signals(objective: str, acceptance: tuple[str, ...]) -> frozenset[str]:
    """Signals the words of a contract ask for; a word that is refused ("without retries") asks for nothing."""
    text = "\n".join((objective, *acceptance))[:_LONGEST]
    found: set[str] = {GUARDRAIL} if "guardrail" in text.lower() else set()
    for pattern, signals in _ASKED:
        if any(not _REFUSED.search(_clause(text, match.start())) for match in pattern.finditer(text)):
            found.update(signals)
    return frozenset(found)


def _clause(text: str, at: int) -> str:
    """What stands before a word in its own sentence."""
    return re.split(r"[.;:\n(]|\bbut\b", text[max(0, at - _BEFORE) : at])[-1]


# Loops that try again until something works, and libraries that do it.


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
_COUNTER = lazy(
    r"\s*for\b\s*\(?\s*(?:let\s+|var\s+|int\s+|auto\s+|size_t\s+)?(\$?\w+)\s*(?:=\s*\d|:=\s*\d|in\s+(?:range\s?\(|\d+\s?\.\.))"
)
_HANDLER = lazy(r"\b(?:except|catch|rescue)\b")
_HEAD = 300


def retry_loops(source: HardeningSource) -> list[SgNode]:
    return [loop for loop in source.loops if _tries_again(loop, source)]


def find_retries(source: HardeningSource, loops: list[SgNode]) -> Iterator[Hardening]:
    """The loops found before, the imports of a library for it, and Ruby's own word for it."""
    for loop in loops:
        start, end = source.span(loop)
        marks = [match.start() for match in _marks(source.code[start:end])]
        lines = [source.line_of(loop), *(source.line_at(start + mark) for mark in marks)]
        yield Hardening(RETRY, tuple(dict.fromkeys(lines)), "a loop that tries again")
    for used in source.tree.imports:
        if WORDS.retry_libraries.intersection(split_name(used.module)):
            yield Hardening(RETRY, (used.line,), "a library for trying again")
    if source.language == "ruby":
        for match in re.finditer(r"^[ \t]{0,80}retry\b(?!\s*[=.(:])", source.code, re.MULTILINE):
            yield Hardening(RETRY, (source.line_at(match.end() - 1),), "retry")


def _marks(code: str) -> Iterator[re.Match[str]]:
    yield from _WAITS.finditer(code)
    yield from _FAILS.finditer(code)


def _tries_again(loop: SgNode, source: HardeningSource) -> bool:
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


def _head(loop: SgNode, code: str, source: HardeningSource) -> str:
    """What stands before the body, and behind it where a loop decides at its end."""
    if loop.kind() == "do_block":
        parent = loop.parent()
        return source.code_of(parent)[:_HEAD].partition(" do")[0] if parent is not None else ""
    body = loop.field("body")
    if body is None:
        return code.partition("\n")[0][:_HEAD]
    start, end = body.range().start.index - loop.range().start.index, body.range().end.index - loop.range().start.index
    return f"{code[:start][:_HEAD]} {code[end:][:_HEAD]}"


# Signs where no parser helps: by the words that written lines use, comments and texts left out.


_PIPELINES = lazy(WORDS.pipelines)
_SAID = lazy(r"\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'|`[^`\n]{0,2000}`")
_COMMENT = lazy(
    r"(?:^|(?<=[\s;{}()]))(?:#(?!\{)|//|--(?=\s)|;;|%%)[^\n]*|/\*[^\n]{0,2000}?\*/|^\s*(?:\*|/\*)[^\n]*|<!--[^\n]*"
)
_SIGNS = tuple((signal, lazy(pattern, re.MULTILINE)) for signal, pattern in WORDS.signs.items())
_ANY = lazy("|".join(f"(?:{pattern})" for pattern in WORDS.signs.values()), re.MULTILINE)
_RAISES = lazy(r"\b(?:throw|rethrow|raise|fatalError|error\()")
_NEAR = 5
_LONGEST_LINE = 2_000


def find_by_words(path: str, written: Mapping[int, str]) -> Iterator[Hardening]:
    """On the given lines of a file that can not be parsed; nothing in documents and data."""
    name = posixpath.basename(path).lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    if extension in WORDS.documents or _PIPELINES.search(path):
        return
    only_keys = extension in WORDS.settings
    for line, text in written.items():
        if len(text) > _LONGEST_LINE or not _ANY.search(text):
            continue
        bare = _COMMENT.sub(" ", _SAID.sub('""', text))
        yield from _of_line(line, re.split(r"[:=]", bare, maxsplit=1)[0] if only_keys else bare, written)


def _of_line(line: int, bare: str, written: Mapping[int, str]) -> Iterator[Hardening]:
    for signal, pattern in _SIGNS:
        match = pattern.search(bare)
        if match is None:
            continue
        after = "\n".join(written.get(line + offset, "") for offset in range(_NEAR))
        if signal != BROAD or not _RAISES.search(after):
            yield Hardening(signal, (line,), match.group().strip()[:60])


# A cheap look at the written lines: whether a file can hold a sign of hardening at all, so that few are parsed.


_GATE_WORDS = (*CLUES, *FLAG_CLUES, *OLD_CLUES, *SWITCH_CLUES, *WORDS.gate.words)
_GATES = {
    language: ((*_GATE_WORDS, *clues.words), lazy(f"{WORDS.gate.clues}|{clues.clues}"))
    for language, clues in WORDS.languages.items()
}
_GUARD = lazy(WORDS.gate.guard, re.MULTILINE)


def is_worth_a_look(written: str, language: str) -> bool:
    """Whether these lines of code may hold a sign; no where the language is none that can be parsed."""
    if language not in _GATES:
        return False
    words, gate = _GATES[language]
    lowered = written.lower()
    if any(map(lowered.__contains__, words)) and gate.search(lowered):
        return True
    return len(list(islice(_GUARD.finditer(lowered), ENOUGH))) == ENOUGH


def may_harden(written: str, language: str) -> bool:
    """Whether a file with these new lines has to be read at all; yes where nobody knows its language yet."""
    return not is_parsed(language) or is_worth_a_look(written, language)


def is_parsed(language: str) -> bool:
    """Whether signs are told by syntax in this language."""
    return language in _GATES
