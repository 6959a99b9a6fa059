"""In which direction the layers of a work tree import each other, told from the names of their folders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from leeboard.code._file_use import SUPPORT, Uses
from leeboard.model.symbol import Habit

_RANKS = {
    **dict.fromkeys(
        "ui components component views view pages screens widgets templates frontend presentation".split(), 0
    ),
    **dict.fromkeys(
        "controllers controller handlers handler routes routers endpoints resolvers graphql web rest".split(), 1
    ),
    **dict.fromkeys("services service usecases usecase application logic workflows interactors".split(), 2),
    **dict.fromkeys("domain entities entity models model".split(), 3),
    **dict.fromkeys(
        "repositories repository repo repos dao db database persistence storage infrastructure dal queries".split(), 4
    ),
}
"""Folders whose name says which layer they are; the lower the number, the nearer to the user."""


class _Edges:
    """How many files of one layer import another, and how many files each layer has that import any."""

    def __init__(self, uses: Uses) -> None:
        self.count: dict[tuple[str, str], set[str]] = {}
        for path, modules in uses.targets.items():
            source = layer_of(path)
            for target in frozenset().union(*modules.values()) if modules else ():
                aim = layer_of(target)
                if source and aim and source != aim:
                    self.count.setdefault((source, aim), set()).add(path)

    def files(self, source: str, aim: str) -> int:
        return len(self.count.get((source, aim), ()))

    def leads(self, source: str, aim: str) -> bool:
        """Whether many files of one import the other; a single file the other way may be the one being written."""
        return self.files(source, aim) >= SUPPORT and self.files(aim, source) <= 1


@lru_cache(maxsize=8192)
def layer_of(path: str) -> str:
    """The folder that says the layer of a file: `src/ui` for src/ui/forms/login.tsx; empty where none does."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if part.lower() in _RANKS:
            return "/".join(parts[: at + 1])
    return ""


def rank_of(layer: str) -> int:
    return _RANKS.get(layer.rpartition("/")[2].lower(), -1)


def learn_layers(uses: Uses) -> Iterator[Habit]:
    edges = _Edges(uses)
    for source, aim in sorted(edges.count):
        support = edges.files(source, aim)
        if edges.leads(source, aim) and rank_of(source) < rank_of(aim):
            yield Habit(
                role="layer order",
                usual=f"{source} -> {aim}",
                others=(f"{aim} -> {source}",),
                support=support,
                users=support,
            )
            yield from _passages(source, aim, support, edges)


def _passages(source: str, middle: str, support: int, edges: _Edges) -> Iterator[Habit]:
    """Where the first layer reaches a deep one by way of the second only."""
    for start, deep in sorted(edges.count):
        reaches = start == middle and edges.leads(middle, deep)
        if reaches and rank_of(deep) == 4 and rank_of(source) < 2 and edges.files(source, deep) <= 1:
            yield Habit(
                role="layer passage",
                usual=f"{source} -> {middle} -> {deep}",
                others=(f"{source} -> {deep}",),
                support=support,
                users=support,
            )
