"""How builds and commit hooks run us: the steps in their files that name us, with all their options, and with what
decides above them whether they run and whether they may fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec

from leeboard.data import load
from leeboard.model.text import digest, lazy

_RECIPE = lazy(
    r"(?:^|/)(?:\.github|\.gitea|\.forgejo|\.circleci|\.gitlab|\.azure|\.buildkite|\.husky)/"
    r"|(?:^|/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.pre-commit-config|azure-pipelines|bitbucket-pipelines"
    r"|cloudbuild|appveyor|lefthook)\.ya?ml$|(?:^|/)Jenkinsfile$"
)
_ANY_NAME = lazy(r"(?:^|/)workflows/[^/]{1,250}\.ya?ml$")
_OURS = "leeboard"
_KEY = lazy(r"[\"']?([\w-]+)[\"']?\s*:(?:\s|$)")


class _Recipes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    conditions: frozenset[str]


@cache
def _conditions() -> frozenset[str]:
    return load("contracts/recipes", _Recipes).conditions


def is_recipe(path: str) -> bool:
    return _RECIPE.search(path) is not None


def stays_recipe(path: str, now: str) -> bool:
    """Whether a recipe runs under its new name as it did under the old one: in a folder of which all such files run."""
    return now.rpartition("/")[0] == path.rpartition("/")[0] and bool(_ANY_NAME.search(path) and _ANY_NAME.search(now))


def runs_in(path: str, text: str) -> Counter[str]:
    """Each step of a recipe that names us, as its words: where it is only indented otherwise, or commented, it is the
    same. None in a file that is no recipe.
    """
    if _OURS not in text or not is_recipe(path):
        return Counter()
    return Counter(step for step in _steps(text.split("\n")) if _OURS in step)


def _steps(lines: list[str]) -> Iterator[str]:
    """A line that names us, or the entry of a list it belongs to: the options of an action stand on lines below it."""
    done = 0
    outline = _Outline(lines)
    for at, line in enumerate(lines):
        if at < done or _OURS not in _words(line):
            continue
        first = _start(lines, at)
        indent = _indent(lines[first])
        last = at + 1
        is_entry = lines[first].lstrip().startswith("- ")
        while is_entry and last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
            last += 1
        done = last
        yield " ".join((*filter(None, map(_words, lines[first:last])), *outline.conditions_above(first)))


class _Outline:
    """Which line of a recipe stands below which, by how far they are set in."""

    def __init__(self, lines: list[str]) -> None:
        self._words = list(map(_words, lines))
        self._parents: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._conditions: dict[int, list[int]] = {}
        self._above: dict[int, tuple[str, ...]] = {-1: ()}
        self._below: dict[int, tuple[str, ...]] = {}
        open_lines: list[tuple[int, int]] = []
        for at in filter(self._words.__getitem__, range(len(lines))):
            depth = _indent(lines[at]) + self._words[at].startswith("- ")
            while open_lines and open_lines[-1][1] >= depth:
                self._ends[open_lines.pop()[0]] = at
            self._parents[at] = open_lines[-1][0] if open_lines else -1
            open_lines.append((at, depth))
            if (key := _KEY.match(self._words[at])) and key[1] in _conditions():
                self._conditions.setdefault(self._parents[at], []).append(at)

    def conditions_above(self, at: int) -> tuple[str, ...]:
        """What says of a step, its job and its file when it runs and whether it may fail, each as a digest."""
        way = []
        while at not in self._above:
            way.append(at)
            at = self._parents.get(at, -1)
        for line in reversed(way):
            self._above[line] = (*self._above[at], *self._beside(line))
            at = line
        return self._above[at]

    def _beside(self, at: int) -> tuple[str, ...]:
        """The conditions among the lines that stand below the same one: worked out once for all of these."""
        parent = self._parents.get(at, -1)
        if parent not in self._below:
            spans = (self._words[first : self._ends.get(first)] for first in self._conditions.get(parent, ()))
            told = " ".join(word for span in spans for word in filter(None, span))
            self._below[parent] = (digest(told),) if told else ()
        return self._below[parent]


def _start(lines: list[str], at: int) -> int:
    """Where the entry of a list begins that a line belongs to; the line itself where it is none."""
    indent = _indent(lines[at])
    for above in range(at, -1, -1):
        if lines[above].strip() and (_indent(lines[above]) < indent or above == at):
            if lines[above].lstrip().startswith("- "):
                return above
            indent = _indent(lines[above])
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _words(line: str) -> str:
    """Without a comment."""
    words = line.split()
    comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return " ".join(words[:comment])
