"""How a run of tests or checks went: its summary, in the words of any runner, and the names of what failed."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.data import load

_READ = 24_000
_MOST_NAMES = 40
_NAME_ROOM = 120


class _Summary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    runner: str
    shows: tuple[str, ...]
    sign: str
    """In every text that has this summary."""
    pattern: str
    well: bool = True
    """False: to be there at all means that it failed."""


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patterns: tuple[str, ...]


class _Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    summaries: tuple[_Summary, ...]
    names: _Names


class RunSummary(msgspec.Struct, frozen=True):
    """What the output says of one kind of check."""

    well: bool
    passed: int = 0
    failed: int = 0


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[_Summary, re.Pattern[str]], ...]:
    return tuple((one, re.compile(one.pattern, re.MULTILINE)) for one in load("verify/results", _Results).summaries)


@lru_cache(maxsize=1)
def _name_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.MULTILINE) for one in load("verify/results", _Results).names.patterns)


def summary_of(output: str, kind: str) -> RunSummary | None:
    """None where no runner we know says how it went."""
    text, found = output[-_READ:], []
    for summary, pattern in _table():
        if kind in summary.shows and summary.sign in text:
            found += [_read(match, summary) for match in pattern.finditer(text)]
    if not found:
        return None
    # One commit is a commit, whatever `git status` says behind it; one failing package is a failing suite.
    well = any if kind in {"commit", "push"} else all
    return RunSummary(
        well(one.well for one in found), max(one.passed for one in found), max(one.failed for one in found)
    )


def _read(match: re.Match[str], summary: _Summary) -> RunSummary:
    counts = {name: int(value) for name, value in match.groupdict().items() if value}
    failed = counts.get("failed", 0) + counts.get("errors", 0)
    return RunSummary(summary.well and not failed, counts.get("passed", 0), failed)


def failed_names(output: str) -> tuple[str, ...]:
    """Tests and files that failed, as the runner names them."""
    text = output[-_READ:]
    found = (match[1].strip()[:_NAME_ROOM] for pattern in _name_patterns() for match in pattern.finditer(text))
    return tuple(dict.fromkeys(found))[:_MOST_NAMES]
