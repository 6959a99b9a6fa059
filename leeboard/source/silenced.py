"""What a change silences: marks in code that keep a check quiet, settings that switch one off, lower thresholds.

Only what the change brings counts: a mark that was there before, or only moved, is nobody's doing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

SilencedKind = Literal["blanket", "coded", "setting", "threshold"]

RUNS_NO_MORE = "runs no more: "
"""What the text of a check that was taken out begins with."""
_LONGEST_LINE = 2_000
_LARGEST = 400_000
_REASON = lazy(
    r"(?:--|\s-\s|//|#|—|–)\s*(?:\w[\w\-]{3,}|\w+\s+\w+)|:\s+\w+\s+\w+|\b(?:because|since|explanation|reason)\b",
    re.IGNORECASE,
)
_NUMBERS = lazy(r"\d+(?:\.\d+)?")


class _Marks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    check: str
    languages: frozenset[str]
    blanket: str
    coded: str


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    files: str
    pattern: str


class _Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: str
    floor: str
    ceiling: str


class _Selected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: str
    keys: frozenset[str]


class _Hooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: str


class _Steps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: str
    step: str


class _Guards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    marks: tuple[_Marks, ...]
    settings: tuple[_Settings, ...]
    thresholds: _Thresholds
    selected: _Selected
    hooks: _Hooks
    steps: tuple[_Steps, ...]


class Silenced(msgspec.Struct, frozen=True, kw_only=True):
    kind: SilencedKind
    check: str
    """`lint`, `types`, or what a setting is about."""
    line: int
    text: str
    """The line as it is now."""
    reasoned: bool = False
    """It says why."""


@lru_cache(maxsize=1)
def guard_table() -> _Guards:
    return load("verify/guards", _Guards)


@lru_cache(maxsize=256)
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.MULTILINE)


def silenced(path: str, language: str, before: str, after: str) -> tuple[Silenced, ...]:
    """What `after` keeps quiet and `before` did not, in the order of the text."""
    if before == after or len(after) > _LARGEST:
        return ()
    found = [*_marked(language, before, after), *_switched(path, before, after), *_lowered(path, before, after)]
    found += [*_unselected(path, before, after), *_taken_out(path, before, after)]
    return tuple(sorted(found, key=lambda one: one.line))


def _fresh_lines(before: str, after: str) -> Iterator[tuple[int, str]]:
    had = Counter(line.strip() for line in before.split("\n"))
    for number, line in enumerate(after.split("\n"), 1):
        bare = line.strip()
        if had[bare]:
            had[bare] -= 1
        elif len(line) <= _LONGEST_LINE:
            yield number, line


def _marked(language: str, before: str, after: str) -> Iterator[Silenced]:
    for marks in guard_table().marks:
        if language not in marks.languages:
            continue
        blanket, coded = _pattern(marks.blanket), _pattern(marks.coded)
        spare = len(blanket.findall(after)) - len(blanket.findall(before))
        spare_coded = len(coded.findall(after)) - len(coded.findall(before))
        for number, line in _fresh_lines(before, after):
            wide, narrow = blanket.search(line), coded.search(line)
            if wide and spare > 0 and not _is_quoted(line, wide.start()):
                spare -= 1
                yield _mark("blanket", marks.check, number, line, wide)
            elif narrow and spare_coded > 0 and not _is_quoted(line, narrow.start()):
                spare_coded -= 1
                yield _mark("coded", marks.check, number, line, narrow)


def _mark(kind: SilencedKind, check: str, number: int, line: str, match: re.Match[str]) -> Silenced:
    reasoned = bool(_REASON.search(line[match.end() :]))
    return Silenced(kind=kind, check=check, line=number, text=line.strip()[:160], reasoned=reasoned)


def _is_quoted(line: str, at: int) -> bool:
    """Inside of a text, which only speaks of it."""
    return any(line[:at].count(quote) % 2 for quote in "\"'`")


def _switched(path: str, before: str, after: str) -> Iterator[Silenced]:
    """Settings of a file that was there before."""
    for settings in guard_table().settings if before else ():
        if not _pattern(settings.files).search(path):
            continue
        pattern = _pattern(settings.pattern)
        if len(pattern.findall(after)) <= len(pattern.findall(before)):
            continue
        for number, line in _fresh_lines(before, after):
            bare = line.split(" #", 1)[0].rstrip()
            if not line.lstrip().startswith(("#", "//")) and pattern.search(bare):
                yield Silenced(kind="setting", check=settings.what, line=number, text=line.strip()[:160])


def _lowered(path: str, before: str, after: str) -> Iterator[Silenced]:
    """A floor that sinks, a ceiling that rises: the same line with another number."""
    table = guard_table().thresholds
    if not before or not _pattern(table.files).search(path):
        return
    gone = [line for _number, line in _fresh_lines(after, before)]
    for number, line in _fresh_lines(before, after):
        old = next((one for one in gone if _NUMBERS.sub("_", one) == _NUMBERS.sub("_", line)), None)
        if old is None:
            continue
        for pattern, sign in ((table.floor, -1), (table.ceiling, 1)):
            was, now = _pattern(pattern).search(old), _pattern(pattern).search(line)
            if was and now and sign * (float(now[1]) - float(was[1])) > 0:
                text = f"{line.strip()[:120]} (was {was[1]})"
                yield Silenced(kind="threshold", check="a threshold", line=number, text=text)


def _unselected(path: str, before: str, after: str) -> Iterator[Silenced]:
    """Rules that a list of what is checked lacks by now, while it is there: one that goes whole may be elsewhere."""
    table = guard_table().selected
    if not before or not _pattern(table.files).search(path):
        return
    had, has = _lists(before, table.keys), _lists(after, table.keys)
    kept = tuple(rule for rules in has.values() for rule in rules)
    for key, rules in had.items():
        gone = [rule for rule in rules if not (rule in kept or rule.startswith(kept) or "ALL" in kept)]
        if key in has and gone and not _is_split(gone, kept):
            line = next((number for number, text in enumerate(after.split("\n"), 1) if key in text), 1)
            text = f"{key} (lacks {', '.join(gone[:6])})"
            yield Silenced(kind="setting", check="fewer rules of a check", line=line, text=text)


def _taken_out(path: str, before: str, after: str) -> Iterator[Silenced]:
    """Checks that a file runs no more; one that gives way to another is a change like any other."""
    for steps in guard_table().steps if before and after.strip() else ():
        if not _pattern(steps.files).search(path):
            continue
        had, has = Counter(_steps(before, steps.step)), Counter(_steps(after, steps.step))
        gone = list((had - has).elements())
        if gone and has.total() < had.total():
            text = f"{RUNS_NO_MORE}{', '.join(gone[:3])[:100]}"
            yield Silenced(kind="setting", check="fewer checks than it had", line=1, text=text)


def _steps(text: str, step: str) -> list[str]:
    return [" ".join(match[1].split()) for match in _pattern(step).finditer(text)]


def _is_split(gone: list[str], kept: tuple[str, ...]) -> bool:
    """Each has become some of its own parts, as `E` becomes `E4` and `E7`."""
    return all(any(rule.startswith(old) for rule in kept) for old in gone)


def _lists(text: str, keys: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The lists under these keys, anywhere in a file of TOML; none of one that is none."""
    import tomllib  # noqa: PLC0415 - for the few files that have such lists

    try:
        tables: list[Any] = [tomllib.loads(text)]
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for table in tables:  # grows as it goes
        for key, value in table.items():
            if isinstance(value, dict):
                tables.append(value)
            elif key in keys and isinstance(value, list):
                found[key] = (*found.get(key, ()), *(rule for rule in value if isinstance(rule, str) and rule))
    return found


def is_hook_file(path: str) -> bool:
    """A file that has checks run when something is committed or pushed."""
    return bool(_pattern(guard_table().hooks.files).search(path))
