"""What the programs of a line check: tests, lint, types, a build; and whether it commits or pushes.

Told by the words they are started with, and for task runners and scripts by the words of the task's name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.model.touch import Started

EVERY = ("tests", "lint", "types", "build")
"""What a task called `check` or `ci` stands for."""
_IDLE = frozenset(
    {"--version", "-V", "--help", "-h", "--collect-only", "--co", "--list", "-list", "--listTests", "--dry-run"}
)
_INTERPRETERS = frozenset({"python", "python3", "php", "ruby", "node", "bash", "sh", "zsh", "perl"})
_RUN_WORDS = frozenset({"run", "run-script", "exec", "--", "x", "dlx", "nx", "r"})
_SCRIPT = (".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".php", ".pl")
_INSTALLS = frozenset({("ci",), ("install",), ("i",), ("add",), ("remove",), ("update",), ("cache",), ("publish",)})
_MOST_WORDS, _MOST_TASKS = 12, 4
_ASSIGNED = lazy(r"\A(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s\"';&|])*\s+)+")


class _Programs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shows: tuple[str, ...]
    words: tuple[str, ...]


class _Tasks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    runners: frozenset[str]
    words: dict[str, str]


class ShownBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command that would show something in a work tree that has this file."""

    file: str
    tests: str = ""
    lint: str = ""
    types: str = ""
    build: str = ""
    needs: dict[str, str] = {}
    """By what it would show: what the file has to say for the command to be there."""


class _Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    programs: tuple[_Programs, ...]
    tasks: _Tasks
    shown_by: tuple[ShownBy, ...]


@lru_cache(maxsize=1)
def _table() -> _Checks:
    return load("verify/checks", _Checks)


@lru_cache(maxsize=1)
def _by_first() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """By the program's name: the words that follow it, and what it shows then; the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for group in _table().programs:
        for phrase in group.words:
            first, *rest = phrase.split()
            found.setdefault(first, []).append((tuple(rest), group.shows))
    return {first: sorted(ways, key=lambda way: -len(way[0])) for first, ways in found.items()}


@lru_cache(maxsize=1)
def _task_words() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _table().tasks.words.items()}


def shown_by(started: Started) -> tuple[str, ...]:
    """What this program shows when it ends well; nothing for one that only tells its version or lists things."""
    words = started.words[:_MOST_WORDS]
    if not words or _IDLE.intersection(words):
        return ()
    name = posixpath.basename(words[0]).removesuffix(".exe").removesuffix(".cmd")
    rest = words[1:]
    if name in _INTERPRETERS and rest and not rest[0].startswith("-"):
        inner = posixpath.basename(rest[0])
        return _of(inner, rest[1:]) or (_of_script(rest[0]))
    return _of(name, rest) or (_of_script(words[0]) if "/" in words[0] else ())


def _of(name: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    plain = tuple(word for word in rest if not word.startswith("-"))
    for tail, shows in _by_first().get(name, ()):
        before = rest[: rest.index(tail[0])] if tail and tail[0] in rest else ()
        if _begins(tail, rest, plain) or _begins(tail, rest, plain[_values_in(before) :]):
            return shows
    if name not in _table().tasks.runners or plain[:1] in _INSTALLS:
        return ()
    found = {kind for word in plain[:_MOST_TASKS] if word not in _RUN_WORDS for kind in _of_task(word)}
    return tuple(kind for kind in EVERY if kind in found)


def _values_in(words: tuple[str, ...]) -> int:
    """How many of them are values of options that come first, one each; none where another word stands between."""
    pairs = list(zip(("", *words), words, strict=False))
    values = [before.startswith("-") for before, word in pairs if not word.startswith("-")]
    return len(values) if all(values) else 0


def _begins(tail: tuple[str, ...], rest: tuple[str, ...], plain: tuple[str, ...]) -> bool:
    """Whether these words follow the program. Values of options that come first (`git -C dir`) were left out."""
    return all(part in rest if part.startswith("-") else plain[at : at + 1] == (part,) for at, part in enumerate(tail))


def _of_task(task: str) -> tuple[str, ...]:
    if not task or "=" in task:
        return ()
    words = _task_words()
    found = tuple(kind for kind in EVERY if words[kind].search(task))
    return found or (EVERY if words["every"].search(task) else ())


def _of_script(path: str) -> tuple[str, ...]:
    """A script of the project: `./run_tests.sh`, `bin/lint`."""
    name = posixpath.basename(path)
    stem, dot, extension = name.rpartition(".")
    if dot and f".{extension}" not in _SCRIPT:
        return ()
    return _of_task(stem or name)


def brief_line(line: str, room: int) -> str:
    """A line to be read: without its leading assignments where there is no room for them, then with a gap inside.

    What it starts, and what it ends with, can be seen either way.
    """
    if len(line) <= room:
        return line
    bare = _ASSIGNED.sub("", line)
    line = f"… {bare}" if bare != line else line
    half = (room - 3) // 2
    return line if len(line) <= room else f"{line[:half].rstrip()} … {line[-half:].lstrip()}"


def command_that_shows(kind: str, text_of: Callable[[str], str | None]) -> str:
    """By what the files at the root of the work tree say; empty where they name nothing that shows it."""
    for one in _table().shown_by:
        command = getattr(one, kind, "")
        if command and (text := text_of(one.file)) is not None and re.search(one.needs.get(kind, ""), text):
            return str(command)
    return ""
