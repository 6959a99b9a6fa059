"""Comments in code by which a person lets a finding stand: `leeboard: allow LB-B201 the query is built in tests alone`.

The comment names the rule, by code or name, and says why. It stands on the line of the finding, or on lines of its own
right above it. One without a rule or without a reason lets nothing stand, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.rule import rule_named

MARK = "leeboard: allow"
MARK_WORD = "leeboard:"
"""A text without it has no such comment."""
_MARKED = lazy(r"leeboard:[ \t]{0,4}allow\b")
_RULE = lazy(r"[ \t]*(?P<rule>[A-Za-z][\w-]{2,60})[ \t]*(?P<more>,?)")
_SEPARATOR = lazy(r"[ \t]*(?:--|[:\u2013\u2014-])?[ \t]*")
_WORDS = lazy(r"\w[^\n]*\w\W{0,4}")
_LONGEST = 2_000
_LEAST_REASON = 3


Said = tuple[tuple[str, ...], str]
"""What a comment says, wherever it stands: its rules and its reason."""


class Suppression(msgspec.Struct, frozen=True, kw_only=True):
    """A comment that lets findings on some lines stand, with its reason."""

    line: int
    """Where it stands."""
    covers: tuple[int, ...] = ()
    """The lines whose findings may stand."""
    rules: tuple[str, ...] = ()
    """Their ids, whether it names them by code or by id."""
    reason: str = ""
    problem: str = ""
    """Why it does not count; empty where it does."""

    @property
    def said(self) -> Said:
        return self.rules, self.reason


def suppressions_in(text: str, path: str) -> tuple[Suppression, ...]:
    """All of them, by line, those that do not count too."""
    if not _MARKED.search(text):
        return ()
    lines = text.removeprefix("\ufeff").split("\n")
    openers = _openers_of(path)
    return tuple(_read(lines, at, found, openers) for at, found in _marked(lines, openers))


class _Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    openers: tuple[str, ...]
    endings: tuple[str, ...]


class _Comments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    closers: tuple[str, ...]
    families: dict[str, _Family]


@cache
def _table() -> _Comments:
    return load("source/comments", _Comments)


@cache
def _by_ending() -> dict[str, tuple[str, ...]]:
    return {ending: family.openers for family in _table().families.values() for ending in family.endings}


def has_comments(path: str) -> bool:
    """Whether files of its ending are known to have any; in others the words may be a list of what was found."""
    return bool(_by_ending().get(path.rpartition(".")[2].lower()))


def _openers_of(path: str) -> tuple[str, ...]:
    name = path.rpartition("/")[2].lower()
    known = _by_ending().get(name.rpartition(".")[2])
    if known is not None:
        return known
    return tuple(dict.fromkeys(opener for family in _table().families.values() for opener in family.openers))


def _marked(lines: list[str], openers: tuple[str, ...]) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines on which a comment begins with the mark."""
    for at, line in enumerate(lines):
        found = _MARKED.search(line) if len(line) <= _LONGEST else None
        if found is not None and line[: found.start()].rstrip(" \t").endswith(openers):
            yield at, found


def _read(lines: list[str], at: int, found: re.Match[str], openers: tuple[str, ...]) -> Suppression:
    rules, reason = _said(lines[at][found.end() :])
    covers = (at + 1, *_next_code(lines, at, openers))
    if not rules:
        return Suppression(line=at + 1, reason=reason, problem="it names no known rule")
    if len(reason) < _LEAST_REASON:
        return Suppression(line=at + 1, rules=rules, problem="it gives no reason")
    return Suppression(line=at + 1, covers=covers, rules=rules, reason=reason)


def _said(rest: str) -> tuple[tuple[str, ...], str]:
    """The rules that are named, and the words after them without what closes the comment."""
    rules: list[str] = []
    more = True
    while more and (named := _RULE.match(rest)) and (rule := rule_named(named["rule"])):
        rules.append(rule.id)
        rest, more = rest[named.end() :], bool(named["more"])
    words = rest.rstrip()
    for closer in _table().closers:
        words = words.removesuffix(closer).rstrip()
    separator = _SEPARATOR.match(words)
    told = _WORDS.match(words[separator.end() if separator else 0 :])
    return tuple(rules), told[0].strip() if told else ""


def _next_code(lines: list[str], at: int, openers: tuple[str, ...]) -> tuple[int, ...]:
    """What a comment on a line of its own stands above: the next line, which may be a comment with a secret in it or
    only begin like one, and the first line of code behind further comments.
    """
    if not _is_comment(lines[at], openers) or not "".join(lines[at + 1 : at + 2]).strip():
        return ()
    code = next((below for below in range(at + 1, len(lines)) if not _is_comment(lines[below], openers)), at + 1)
    return tuple(dict.fromkeys((at + 2, *((code + 1,) if lines[code].strip() else ()))))


def _is_comment(line: str, openers: tuple[str, ...]) -> bool:
    return bool(openers) and line.lstrip().startswith(openers)
