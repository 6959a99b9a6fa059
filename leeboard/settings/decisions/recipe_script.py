"""Commit hooks, makefiles and the scripts of a package: the lines in them that run us, and what keeps them from it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from leeboard.data import load
from leeboard.model.text import digest, lazy

_OURS = "leeboard"
_WORD = lazy(r"(?<![\w./-])[A-Za-z_.]\w{0,40}(?![\w/.-])")
_GOES_ON = ("\\", "&&", "||", "|", "{", "(", "&")
_FALLS = lazy(r"<<|\(\)|^[^\s'\"]{1,200}\)|^[{}()]|[{}()]$")
"""A text that follows, a function, a case, a group."""
_TARGET = lazy(r"(?P<names>[^\s:#=][^:#=]{0,400}?)\s*::?(?!=)\s*(?P<asks>[^#=]*)")
_ENDS_ON_ERROR = lazy(r"(?m)^\s*set\s+-\w*e|^#!.{0,80}\s-\w*e")
_MOST_NAMED = 40

NamesUs = Callable[[str], bool]


class Recipes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys and words in files of builds and hooks that decide whether a step runs."""

    conditions: frozenset[str]
    harmless: frozenset[str]
    steps: frozenset[str]
    needs: frozenset[str]
    runs_by: frozenset[str]
    checkout: frozenset[str]
    control: frozenset[str]


@cache
def table() -> Recipes:
    return load("contracts/recipes", Recipes)


def plain(line: str) -> str:
    """Without a comment."""
    words = line.split()
    comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return " ".join(words[:comment])


def controls(lines: Iterable[str]) -> list[str]:
    """Those of a script that may keep others from running, or change what they come to."""
    return [line for line in lines if line and _is_control(line)]


def _is_control(line: str) -> bool:
    words = table().control
    return line.endswith(_GOES_ON) or bool(_FALLS.search(line)) or any(one in words for one in _WORD.findall(line))


def of_script(text: str, path: str) -> Iterator[str]:
    """Each line of ours; a hook that does not end on an error ends as its last command does."""
    lines = list(map(plain, text.split("\n")))
    stops = "/.husky/" in f"/{path}" or _ENDS_ON_ERROR.search(text) is not None
    last = next((line for line in reversed(lines) if line), "")
    around = digest(repr(controls(lines)), 12)
    above = 0
    for line in lines:
        if _OURS in line:
            yield f"{line} {digest(repr((around, above, stops or line == last)), 12)}"
        above += _is_control(line)


def of_makefile(text: str, names_us: NamesUs) -> Iterator[str]:
    """Each recipe line of ours with its targets, what they are asked by, and what decides in their rule."""
    rules = list(_rules(text.split("\n")))
    ours = {name for names, _, lines in rules if any(map(names_us, lines)) for name in names}
    made = Counter(name for names, _, lines in rules if lines for name in names)
    general = [line for names, _, lines in rules for line in lines if not names and _is_control(line)]
    ignored = any(".IGNORE" in names for names, _, _ in rules)
    around = digest(repr((general, ignored)), 12)
    for names, asks, lines in rules:
        for name in names:
            yield from (f"{name} asks for {one}" for one in asks if one in ours)
        if names and any(map(names_us, lines)):
            others = controls(lines)
            twice = [name for name in names if made[name] > 1]
            frame = digest(repr((names, others, twice, around)), 12)
            yield from (f"{' '.join(names)}: {line} {frame}" for line in lines if names_us(line))


def _rules(lines: list[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], list[str]]]:
    """Targets, what they ask for, and their lines. What stands in no rule is told without a target."""
    names: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    kept: list[str] = []
    for line in lines:
        if line.startswith("\t"):
            kept.append(plain(line))
        elif words := plain(line):
            found = _TARGET.fullmatch(words)
            yield names, asks, kept
            names, asks = (tuple(found["names"].split()), tuple(found["asks"].split())) if found else ((), ())
            kept = [] if found else [words]
    yield names, asks, kept


def of_package(text: str, names_us: NamesUs) -> Iterator[str]:
    """Each script that runs us by its name, and each that runs such a one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    scripts = dict(_texts(found, ""))
    ours = {place for place, line in scripts.items() if names_us(line)}
    told = set[str]()
    while ours - told and len(told) < _MOST_NAMED:
        told |= ours
        names = {place.rpartition(".")[2] for place in ours}
        ours |= {place for place, line in scripts.items() if _runs_one(line, names)}
    yield from (f"{place}: {' '.join(scripts[place].split())}" for place in ours)


def _texts(value: object, place: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict) and depth < 4:
        for key, inner in value.items():
            yield from _texts(inner, f"{place}.{key}", depth + 1)
    elif isinstance(value, list) and depth < 4:
        for inner in value:
            yield from ((f"{place}.{text}", text) for _, text in _texts(inner, place, depth + 1))


def _runs_one(line: str, names: set[str]) -> bool:
    words = line.split()
    runs = {"run", "yarn", "pnpm", "bun", "run-s", "run-p", "npm-run-all", "test", "start"}
    return not runs.isdisjoint(words) and not names.isdisjoint(words)
