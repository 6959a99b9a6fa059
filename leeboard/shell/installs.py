"""Packages that a line fetches by name from a public registry, to install or to run them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse

_STARTS = frozenset({"corepack"})
_NUMBERED = lazy(r"(?<=pip)[\d.]{1,6}$")
_NO_NAME = lazy(r"[./~].*|.*\.(?:whl|tgz|zip|tar\.gz|gem)|\w+(?:\+\w+)?:.*|.*\\.*|.*::.*")
_VERSION = lazy(r"\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;@ ].*)?$")
_PLAIN = lazy(r"@?[\w.-]{1,100}(?:/[\w.@-]{1,100}){0,6}")


class Install(msgspec.Struct, frozen=True):
    ecosystem: str
    name: str
    may_lie_here: bool = False
    """The program takes one of this name from the project where there is one."""


class _Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    registry: str
    installs: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()
    packages: str = ""
    valued: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    elsewhere: tuple[str, ...]
    private: frozenset[str]
    programs: dict[str, _Program]


@lru_cache(maxsize=1)
def _table() -> _Table:
    return load("shell/installs", _Table)


def installs(line: ShellEffects) -> Iterator[Install]:
    for each in line.started:
        words = each.words[1:] if posixpath.basename(each.words[0]) in _STARTS else each.words
        program = _table().programs.get(_NUMBERED.sub("", posixpath.basename(words[0]))) if words else None
        if program is not None:
            yield from _fetched(program, list(words[1:]))


def _fetched(program: _Program, args: list[str]) -> Iterator[Install]:
    valued = f"{program.valued} {program.packages}"
    anywhere = parse(args, valued)
    for command in program.installs:
        words = command.split()
        if _begins(anywhere.operands, words):
            yield from _named(program, anywhere, anywhere.operands[len(words) :])
            return
    for command in (*program.runs, *program.brings, *program.creates):
        words = command.split()
        if _begins(anywhere.operands, words):
            before = _up_to_what_runs(args, len(words), valued)
            started = [] if command in program.brings else before.operands
            if command in program.creates:
                started = [f"create-{name}" for name in started if not name.startswith("@")]
            yield from _named(program, before, started, runs=True)
            return


def _begins(operands: list[str], words: list[str]) -> bool:
    begin = operands[: len(words)]
    return len(begin) == len(words) and all(word in {"*", one} for word, one in zip(words, begin, strict=True))


def _up_to_what_runs(args: list[str], words: int, valued: str) -> Parsed:
    """Behind its name stand the options of the program that is run."""
    read = Parsed([], [])
    for _ in range(words + 1):
        part = parse(args, valued, in_order=True)
        args = part.operands[1:]
        read = Parsed([*read.options, *part.options], part.operands[:1])
    return read


def _named(program: _Program, parsed: Parsed, operands: list[str], *, runs: bool = False) -> Iterator[Install]:
    elsewhere = _table().elsewhere
    places = parsed.values(*elsewhere)
    if parsed.has(*elsewhere) and not (places and all(_is_called_after(program.registry, place) for place in places)):
        return
    named = [name for value in parsed.values(*program.packages.split()) for name in value.split(",")]
    for at, word in enumerate((*named, *(operands if not (runs and named) else ()))):
        name = _bare(program.registry, word)
        if name and UNKNOWN not in name and not _NO_NAME.fullmatch(name) and _PLAIN.fullmatch(name):
            yield Install(program.registry, name, may_lie_here=runs and at >= len(named))


def _is_called_after(registry: str, address: str) -> bool:
    """Whether a host is called after the public registry: it is that, or hands on what lies there."""
    host = address.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
    return registry in host.rpartition(".")[0] and host.rpartition(".")[2] not in _table().private


def _bare(ecosystem: str, word: str) -> str:
    """Without its version; what an alias stands for."""
    if ecosystem == "pypi":
        return _VERSION.sub("", word)
    if ecosystem == "npm":
        word = (word.partition("@npm:")[2] or word).removeprefix("npm:")
        scope = word.startswith("@")
        if "/" in word and not scope:
            return ""
        return ("@" if scope else "") + word.removeprefix("@").partition("@")[0]
    return word.partition("@")[0].partition(":")[0]
