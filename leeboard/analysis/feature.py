"""The features in what a call writes: things a user, an operator or a caller from outside can see and use.

A route, a flag, a command, a setting from the environment, a button, a column, a job, a dependency. A private helper,
error handling, a type or a test is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

from leeboard.analysis.timeline import WINDOW, asked_in
from leeboard.data import load
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.text import filled, lazy
from leeboard.model.touch import Diff
from leeboard.model.world import World
from leeboard.secrets.redaction import redact
from leeboard.speech.red_flags import plain
from leeboard.speech.requirement import is_asked, is_literal
from leeboard.text.language import is_generated, is_test_path
from leeboard.text.names import clues, vocabulary
from leeboard.text.words import content_words, split_name, stem

# How a feature that a user can see looks in code: routes, flags, commands, settings, controls, tables, jobs.
#
# Every expression is run over one added line at a time and names the feature in its group `name`. Lines are bounded,
# and so is every repeat.


FeatureKind = Literal["route", "flag", "command", "setting", "control", "column", "table", "job", "dependency"]

Feature = tuple[FeatureKind, tuple[str, ...], re.Pattern[str]]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: FeatureKind
    hints: tuple[str, ...]
    pattern: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    dependencies: dict[str, str]
    features: tuple[_Row, ...]


_TABLE = load("source/features", _Table)
FEATURES: tuple[Feature, ...] = tuple(
    (row.kind, row.hints, lazy(filled(row.pattern, _TABLE.parts))) for row in _TABLE.features
)
"""Kind, pieces of text of which one occurs in lower case, expression."""

JOB_DECORATOR = lazy(r"^\s*@(?:[\w.]{1,40}\.)?(?:task|shared_task|periodic_task|job)\b")
JOB_HINTS = ("task", "job")
DEFINED = lazy(r"^\s*(?:async\s+)?(?:def|function|fn|func)\s+(?P<name>\w{2,80})")

DEPENDENCIES = {name: lazy(source) for name, source in _TABLE.dependencies.items()}
"""By the lower-case name of the manifest."""


_LONGEST_LINE = 400
_MOST_LINES = 4_000
_HINTS = clues(dict.fromkeys((*(hint for _kind, hints, _pattern in FEATURES for hint in hints), *JOB_HINTS)))
Found = tuple[FeatureKind, str] | None
"""Kind and name."""
_COMMENT = ("#", "//", "*", "/*", "<!--", "--", ";")
_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".svg", ".snap", ".lock")


_PLATFORM = lazy(
    r"(?:GITHUB|GITLAB|CI|CARGO|RUNNER|VERCEL|NETLIFY|PYTEST|XDG|NPM|npm|CIRCLE|BUILDKITE|JENKINS|AWS_LAMBDA|K_|KUBERNETES)_"
    r"|(?:CI|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|HOME|PATH|PWD|USER|SHELL|EDITOR|TMPDIR|TEMP|PORT|HOST|DEBUG|TZ|LANG|TERM"
    r"|NO_COLOR|HOSTNAME|PYTHONPATH|GOPATH|OUT_DIR|LOG_LEVEL)\Z"
)
"""Set by the system, the build or the host: read by code, not offered to users."""


class FeatureUnit(msgspec.Struct, frozen=True, kw_only=True):
    """One feature: its kind, its name as written, where it stands."""

    kind: FeatureKind
    name: str
    path: str = ""
    line: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """What it is about: `/api/users/:id` to user; what every such name has is left out."""
        return words_of(self.name)

    @property
    def key(self) -> str:
        """Equal for one feature under two spellings."""
        return f"{self.kind}:{' '.join(sorted(self.words)) or self.name.lower()}"


@lru_cache(maxsize=1_024)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a feature's name, stemmed; also those that are common in prose (`--verbose`, `/new`)."""
    parts = (stem(word) for word in split_name(name))
    return tuple(dict.fromkeys(part for part in parts if part.isalnum() and part not in _HOLLOW and not part.isdigit()))


_HOLLOW = frozenset(stem(word) for word in "api http https id ids the a an of to in on by with v1 v2 v3 no".split())


@lru_cache(maxsize=8)
def units_of(diff: Diff) -> tuple[FeatureUnit, ...]:
    """The features in the added lines that the file did not have before, each once. Tests and prose have none."""
    path = diff.path
    prose = path.lower().endswith(_PROSE) and path.rsplit("/", 1)[-1].lower() not in DEPENDENCIES
    if not path or not diff.added or prose or is_test_path(path) or is_generated(path, ""):
        return ()
    found: dict[str, FeatureUnit] = {}
    for unit in _in_added(diff):
        found.setdefault(unit.key, unit)
    had = diff.removed if diff.before is None else diff.before
    if found and had:
        older = Diff(path=path, after=had, added=((1, had.count("\n") + 1),))
        for old in _in_added(older):
            found.pop(old.key, None)
    return tuple(found.values())


def _in_added(diff: Diff) -> Iterator[FeatureUnit]:
    lines = diff.after.split("\n")
    manifest = DEPENDENCIES.get(diff.path.rsplit("/", 1)[-1].lower())
    numbers = [number for first, last in diff.added for number in range(first, min(last, len(lines)) + 1)]
    if manifest is None:
        telling = _telling_lines(diff.after)
        numbers = [number for number in numbers if number in telling]
    else:
        telling = {}
    for number in numbers[:_MOST_LINES]:
        line = lines[number - 1]
        if not line or len(line) > _LONGEST_LINE or line.lstrip().startswith(_COMMENT):
            continue
        if manifest is not None:
            match = manifest.match(line)
            found: Found = ("dependency", match["name"]) if match else None
        else:
            found = _in_line(line, telling[number]) or _job(line, lines[number : number + 3])
        if found is not None and not _PLATFORM.match(found[1]):
            yield FeatureUnit(kind=found[0], name=redact(found[1]), path=diff.path, line=number)


def _telling_lines(text: str) -> dict[int, set[str]]:
    """The lines that hold a hint, and which. Looking for the hints is far cheaper than looking at the lines, and most
    of them have a word that the text does not.
    """
    found: dict[int, set[str]] = {}
    words, text = vocabulary(text).lower(), text.lower()
    for word, hint in _HINTS:
        if word not in words:
            continue
        at, line, counted = text.find(hint), 1, 0
        while at >= 0:
            line, counted = line + text.count("\n", counted, at), at
            found.setdefault(line, set()).add(hint)
            end = text.find("\n", at)
            at = text.find(hint, end) if end >= 0 else -1
    return found


def _in_line(line: str, told: set[str]) -> Found:
    """`told`: the hints that stand in it."""
    for kind, hints, pattern in FEATURES:
        match = pattern.search(line) if not told.isdisjoint(hints) else None
        if match is not None:
            return kind, next(text for text in match.groupdict().values() if text).strip("\"'`")
    return None


def _job(line: str, following: list[str]) -> Found:
    if "@" not in line or not JOB_DECORATOR.match(line):
        return None
    defined = next((match for after in following if (match := DEFINED.match(after))), None)
    return ("job", defined["name"]) if defined is not None else None


def planned_words(sentence: str) -> tuple[str, ...]:
    """What "I should also add X" speaks of: the words behind the phrase, where X is a feature; none for a detail."""
    match = _PLANNED.search(plain(sentence))
    if match is None or not _IS_FEATURE.search(match["what"]) or _IS_DETAIL.search(match["what"]):
        return ()
    words = content_words(match["what"])
    return tuple(word for word in words if word not in _NAMES_A_KIND) or words


_PLANNED = lazy(
    r"\b(?:also|support for|options? (?:for|to)|configurable)\b\s{0,3}(?:add|include|implement|create|provide)?"
    r"(?P<what>[^.!?;]{2,160})"
)
_KINDS = (
    "flag option switch parameter command subcommand endpoint route page button toggle menu setting config "
    "configuration variable column table field job worker cron task scheduler webhook dashboard feature mode support "
    "export import integration plugin api cli notification filter theme shortcut"
).split()
_IS_FEATURE = lazy(rf"\b(?:{'|'.join(_KINDS)})s?\b|--\w|/\w")
_IS_DETAIL = lazy(
    r"\b(?:tests?|specs?|error|errors|handling|logs?|logging|types?|typing|comments?|docs?|docstrings?|documentation|"
    r"imports?|validation|checks?|helpers?|fallback|guards?|assert\w{0,6}|null|edge|cases?|readme|changelog|example)\b"
)
_NAMES_A_KIND = frozenset(stem(word) for word in _KINDS)


# What is extra among the features of a session: announced as such, or beside the ones the user named.
#
# Made once for an event, however many features its call writes: what does not differ between two of them is found out
# once.


FLAGS = ("RF-D2", "RF-D3")
_MEANS = frozenset({"setting", "column", "dependency"})
_NAMED = frozenset({"flag", "route"})
"""Kinds that users call by their very names."""


class Extras:
    """The features and the announcements of the main agent's session, as of one event."""

    def __init__(self, world: World, registry: Registry) -> None:
        self._world = world
        self._registry = registry
        self._named: dict[str, bool] = {}

    def said_of(self, unit: FeatureUnit) -> Entry | None:
        """The words in which the agent called this an extra, in this turn or the one before."""
        words = unit.words
        return next((flag for flag in self._lately if _speaks_of(flag, words, unit.kind)), None)

    def was_enumerated(self, kind: str) -> bool:
        """Whether the user named features of this kind by their very names, of which at least one was written."""
        if kind not in self._named:
            written = {entry.text for entry in self._written if entry.data == kind} if kind in _NAMED else set()
            self._named[kind] = any(is_literal(self._world, _literal(kind, name)) for name in written)
        return self._named[kind]

    def besides(self, unit: FeatureUnit) -> tuple[int, tuple[Entry, ...]]:
        """How many other extras the session has, and the first few of them."""
        key, others = unit.key, self._all
        return len(others) - (key in others), tuple(entry for entry in self._first if entry.key != key)[:5]

    @cached_property
    def _written(self) -> tuple[Entry, ...]:
        return self._registry.newest("feature", WINDOW)

    @cached_property
    def _flags(self) -> dict[int, list[Entry]]:
        """By turn, newest first."""
        by_turn: dict[int, list[Entry]] = {}
        for flag in self._registry.find("flag", FLAGS):
            if not flag.agent:
                by_turn.setdefault(flag.turn, []).append(flag)
        return by_turn

    @cached_property
    def _lately(self) -> tuple[Entry, ...]:
        turn = self._world.agent.turn
        first = max(turn - 1, asked_in(self._registry, ""))
        return tuple(flag for at in range(turn, first - 1, -1) for flag in self._flags.get(at, ()))

    @cached_property
    def _all(self) -> dict[str, Entry]:
        """The distinct features nobody asked for that were announced or beside the point, by key, oldest first."""
        found: dict[str, Entry] = {}
        for entry in reversed(self._written):
            if entry.key not in found and self._is_extra(entry):
                found[entry.key] = entry
        return found

    @cached_property
    def _first(self) -> tuple[Entry, ...]:
        return tuple(self._all.values())[:6]

    def _is_extra(self, entry: Entry) -> bool:
        words = words_of(entry.text)
        if entry.agent or entry.amount or entry.turn > self._world.agent.turn or is_asked(self._world, words):
            return False
        flags = (*self._flags.get(entry.turn, ()), *self._flags.get(entry.turn - 1, ()))
        return any(_speaks_of(flag, words, entry.data) for flag in flags) or self.was_enumerated(entry.data)


def _speaks_of(flag: Entry, words: tuple[str, ...], kind: str) -> bool:
    """A setting, a column or a package is a means, unless the words offer it as a choice."""
    return (kind not in _MEANS or flag.key == "RF-D3") and not set(words).isdisjoint(words_of(flag.text))


def _literal(kind: str, name: str) -> str:
    return f"--{name}" if kind == "flag" else name if kind == "route" and len(name) > 1 else ""
