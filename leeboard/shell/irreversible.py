"""Programs of a line whose effect can not be taken back: databases, clusters, clouds, registries, disks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects
from leeboard.shell.expansion import UNKNOWN

_FEEDS = frozenset({"cat", "echo", "printf"})
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*|uv|poetry|pipenv")
_SCRIPTS = frozenset({"manage.py", "artisan", "rails", "rake", "console"})
_MOST_SCANNED = 400


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"with_any": "with"}):
    words: tuple[str, ...]
    about: tuple[str, ...]
    with_any: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    made_anew: str = ""
    """What the same program is told later in the line where all of it is only set up afresh."""


class _Database(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    statement: tuple[str, ...]
    operand: bool = False
    """Statements may also stand behind the name of the database."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    harmless: frozenset[str]
    valued: frozenset[str]
    for_tests: str
    scratch_databases: str
    carriers: frozenset[str]
    databases: dict[str, _Database]
    programs: dict[str, tuple[_Command, ...]]


class Irreversible(msgspec.Struct, frozen=True, kw_only=True):
    subject: str
    names: tuple[str, ...]
    """What a person would call it by."""


@lru_cache(maxsize=1)
def _table() -> _Table:
    return load("shell/irreversible", _Table)


def programs_known() -> frozenset[str]:
    """The programs that have such commands."""
    return frozenset((*_table().programs, *_table().databases))


def irreversible(line: ShellEffects, command: str) -> Iterator[Irreversible]:
    if re.search(_table().for_tests, command[: _MOST_SCANNED * 10]):
        return
    fed = " ".join(text for each in line.started if each.words[0] in _FEEDS for text in (*each.words[1:], each.handed))
    for at, each in enumerate(line.started):
        later = {word for other in line.started[at + 1 :] if other.words[0] == each.words[0] for word in other.words}
        for words in _commands(each.words):
            yield from _by_table(words, later)
            yield from _by_statement(words, each.handed or (fed if "|" in command else ""))


def _commands(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The program itself, and what it runs elsewhere or as a script of its language."""
    name = posixpath.basename(words[0])
    yield (name, *words[1:])
    rest = words[1:]
    if name in _table().carriers:
        texts = [word.split() for word in rest if " " in word]
        rest = (*rest, *(part for words_in in texts for part in words_in))
        for at, word in enumerate(rest):
            if at and _known(posixpath.basename(word)) and posixpath.basename(word) != name:
                yield (posixpath.basename(word), *rest[at + 1 :])
                return
    elif _PYTHON.fullmatch(name) or name in {"php", "bundle", "sh"}:
        for at, word in enumerate(rest):
            if posixpath.basename(word) in _SCRIPTS:
                yield (posixpath.basename(word), *rest[at + 1 :])
                return


def _known(program: str) -> bool:
    return program in _table().programs or program in _table().databases


def _by_table(words: tuple[str, ...], later: set[str]) -> Iterator[Irreversible]:
    program, *rest = words
    if _table().harmless.intersection(rest) or rest[-1:] == ["-h"]:
        return
    commands = _table().programs.get(program, ()) or _table().programs.get(f"{program.partition('.')[0]}.*", ())
    valued = _table().valued
    operands = [
        word
        for before, word in zip(["", *rest], rest, strict=False)
        if not word.startswith("-") and before not in valued
    ]
    for command in commands:
        if command.made_anew in later:
            continue
        if _fits(command, operands, rest) and not ("database" in command.about and _is_scratch(operands)):
            decisive = [word for word in rest if word.startswith("-") and word in command.with_any][:1]
            said = (program, *operands[: max(len(command.words), 1) + 1], *decisive)
            shown = " ".join(said).replace(UNKNOWN, "...")
            names = (*command.about, *(word for word in operands[len(command.words) :] if UNKNOWN not in word))
            yield Irreversible(subject=shown[:80].strip(), names=names)
            return


def _fits(command: _Command, operands: list[str], rest: list[str]) -> bool:
    if any(word.partition("=")[0] in command.unless for word in rest):
        return False
    if command.with_any and not any(
        word.partition("=")[0] in command.with_any or word in command.with_any for word in rest
    ):
        return False
    if command.words[:1] == ("*",):
        return any(word in command.words[1:] for word in operands[1:5])
    if not command.words:
        return bool(operands)
    given = operands[: len(command.words)]
    if len(command.words) == 1 and ":" in command.words[0]:
        return command.words[0] in operands
    return len(given) == len(command.words) and all(map(_word_fits, given, command.words))


def _word_fits(given: str, wanted: str) -> bool:
    return wanted == "*" or fnmatchcase(given.lower(), wanted)


def _by_statement(words: tuple[str, ...], handed: str) -> Iterator[Irreversible]:
    program, *rest = words
    database = _table().databases.get(program)
    if database is None or _is_scratch(word for word in rest if " " not in word):
        return
    texts = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word in database.statement]
    texts += [word.partition("=")[2] for word in rest if word.partition("=")[0] in database.statement and "=" in word]
    if database.operand:
        texts += [word for word in rest if not word.startswith("-")][1:]
    for text in (*texts, *([handed] if handed and not texts else [])):
        for statement, name in sweeping(text):
            yield Irreversible(subject=f"{program}: {statement}", names=("database", "table", "data", name))


def _is_scratch(words: Iterable[str]) -> bool:
    """Whether one of them names a database that is thrown away anyway."""
    return any(re.search(_table().scratch_databases, word) for word in words)


# Statements for a database that take more away than one row: as far as their words tell.

_LONGEST = 65_536
_TEXTS = lazy(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\$\$.*?\$\$", re.DOTALL)
_NAME = r"[`\"\[]?(?P<name>[\w.\-]{1,120})"
_WHOLE = (
    (r"\s*drop\s+(?P<what>table|database|schema|view|index|role|user|column)\s+(?:if\s+exists\s+)?", "drop"),
    (r"\s*truncate\s+(?:table\s+)?(?:only\s+)?", "truncate"),
)
_COLUMN = lazy(
    rf"\s*alter\s+table\s+{_NAME}\S*\s+drop\s+(?:column\s+)?(?!constraint|index|default|not)\w", re.IGNORECASE
)
_PATTERNS = (
    *((lazy(head + _NAME, re.IGNORECASE), verb) for head, verb in _WHOLE),
    (_COLUMN, "alter table drop"),
)
_ROWS = (
    (lazy(rf"\s*delete\s+from\s+{_NAME}", re.IGNORECASE), "delete from"),
    (lazy(rf"\s*update\s+{_NAME}\S*\s+set\b", re.IGNORECASE), "update"),
)
_LIMITED = lazy(r"\bwhere\b|\blimit\b|\bjoin\b|\busing\b", re.IGNORECASE)
_TAKEN_BACK = lazy(r"\brollback\b", re.IGNORECASE)
_LESSER = frozenset({"view", "index"})
"""What is made anew from what stays."""
_CREATED = lazy(rf"\bcreate\s+(?:temp\s+|temporary\s+)?table\s+(?:if\s+not\s+exists\s+)?{_NAME}", re.IGNORECASE)
_SHELL_OF_MONGO = lazy(
    r"\bdb\.dropDatabase\(\)|\.(?:drop|dropIndexes)\(\)|\.(?:deleteMany|remove)\(\s*\{\s*\}\s*\)|\.updateMany\(\s*\{\s*\}"
)


def sweeping(text: str) -> Iterator[tuple[str, str]]:
    """Each such statement in few words, and the name of what it takes away."""
    text = text[:_LONGEST]
    if _TAKEN_BACK.search(text):
        return
    made = {found["name"].lower() for found in _CREATED.finditer(text)}
    for statement in _TEXTS.sub("''", text).split(";"):
        found = _found(statement)
        if found and found[1].lower() not in made:
            yield found
    for call in _SHELL_OF_MONGO.finditer(text):
        yield call[0][:60], ""


def _found(statement: str) -> tuple[str, str] | None:
    for pattern, verb in _PATTERNS:
        if (match := pattern.match(statement)) and match.groupdict().get("what", "").lower() not in _LESSER:
            kind = match.groupdict().get("what")
            return f"{verb} {kind.lower()} {match['name']}" if kind else f"{verb} {match['name']}", match["name"]
    for pattern, verb in _ROWS:
        if (match := pattern.match(statement)) and not _LIMITED.search(statement):
            return f"{verb} {match['name']} without where", match["name"]
    return None
