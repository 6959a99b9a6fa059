"""Lines that write what tests expect from what the code gives: snapshots, golden files."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.shell.effects import shell_effects


class _Snapshots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what a line that writes expectations anew is known."""

    programs: str
    options: frozenset[str]
    short_for: frozenset[str]
    variables: str
    lines: tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> _Snapshots:
    return load("verify/snapshots", _Snapshots)


def writes_expectations(command: str, cwd: str) -> bool:
    """Told by the options and variables that runners know for it."""
    table = _table()
    started = shell_effects(command, cwd).started
    names = [(posixpath.basename(one.words[0]), one.words[1:]) for one in started if one.words]
    runs = [(name, rest) for name, rest in names if re.match(table.programs, name)]
    if not runs:
        return False
    if re.search(table.variables, command):
        return True
    spelled = [" ".join((name, *rest)) for name, rest in runs]
    if any(line in one for line in table.lines for one in spelled):
        return True
    return any(_asks(name, rest, table) for name, rest in runs)


def _asks(name: str, rest: tuple[str, ...], table: _Snapshots) -> bool:
    return any(
        (word in table.options and (word != "-u" or name in table.short_for)) or word.startswith("--update-snapshots=")
        for word in rest
    )
