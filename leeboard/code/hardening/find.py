"""The signs of hardening in one file, and those of them that a change brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from leeboard.code.hardening.flags import find_flags
from leeboard.code.hardening.gate import is_parsed, is_worth_a_look
from leeboard.code.hardening.guards import ENOUGH, find_guards
from leeboard.code.hardening.handlers import find_handlers
from leeboard.code.hardening.options import find_options
from leeboard.code.hardening.results import find_results
from leeboard.code.hardening.retries import find_retries, retry_loops
from leeboard.code.hardening.signal import GUARDS, Hardening
from leeboard.code.hardening.source import Source
from leeboard.code.hardening.words import find_by_words
from leeboard.code.syntax import parse

_LONGEST_LINE = 10_000
_LONGEST_TEXT = 500_000
"""Nobody writes a longer file by hand."""


def find_hardening(text: str, language: str) -> tuple[Hardening, ...]:
    """All of a text in a language that can be parsed, by line; what the parser can not follow holds nothing."""
    tree = parse(_bearable(text), language) if is_parsed(language) and len(text) <= _LONGEST_TEXT else None
    if tree is None:
        return ()
    source = Source(tree)
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
