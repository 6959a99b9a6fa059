"""How much leads from what the human asked to a path the agent changes.

Nothing here says "wrong folder". The question is whether *anything* led to the path: the human's words, a search that
found it, a failing run that named it, a file that imports it, work already done beside it, the same identifiers. Each
way of having met it is worth some points; a path with enough of them belongs to the work. A path with next to none is a
stray: the agent changed it although nothing in the session pointed there.

The points are hand-set and watched by `python -m leeboard.testing.splice`, which measures silence on ordinary
sessions and speech on sessions with another task's edits spliced in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from leeboard.code.area import SUPPORT, areas_of_path, is_manifest, is_test
from leeboard.code.names import folders, path_words, stem
from leeboard.model.contract import Contract
from leeboard.model.glob import matches
from leeboard.model.ledger import Met, Rows

BELONGS = 3.0
"""Points from which a path belongs to the work."""
DOUBTFUL = 2.0
"""Points from which we are too unsure to speak."""

Distance = Literal["inside", "folder", "module", "far"]


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What ties a path to the work: points, and the ties in words."""

    path: str
    points: float
    ties: tuple[str, ...] = ()
    distance: Distance = "far"
    unrelated_area: str = ""
    """The path's area, when it has nothing in common with the goal's."""

    @property
    def belongs(self) -> bool:
        return self.points >= DOUBTFUL


Relations = Mapping[str, Relation]


def terms_of(path: str, words: Iterable[str]) -> tuple[str, ...]:
    """The ledger terms that decide about a path."""
    name = path.rsplit("/", 1)[-1]
    named = (path, f"name:{name}", f"name:{stem(path)}", *folders(path))
    return (*named, *(f"#{word}" for word in {*path_words(path), stem(path)}), *(f"#{word.lower()}" for word in words))


def relate(path: str, words: tuple[str, ...], contract: Contract, scope: tuple[str, ...], rows: Rows) -> Relation:
    """Weigh every tie between a path and the work. `scope` is what the human named, `rows` answers `terms_of`."""
    if not _in_tree(path):
        return Relation(path=path, points=BELONGS, ties=("outside the work tree",), distance="inside")
    if scope and in_scope(path, scope):
        return Relation(path=path, points=10.0, ties=("named by the user",), distance="inside")
    ties = [*_path_ties(path, rows), *_folder_ties(path, rows), *_word_ties(path, words, rows), *_kind_ties(path, rows)]
    points = sum(worth for worth, _text in ties)
    return Relation(
        path=path,
        points=points,
        ties=tuple(text for _worth, text in ties),
        distance="inside" if points >= BELONGS else _distance(path, rows),
        unrelated_area=_unrelated_area(path, contract),
    )


def in_scope(path: str, scope: Iterable[str]) -> bool:
    """Whether a scope entry speaks of the path: anchored at the root, or as a suffix of folders."""
    return any(matches(path, (entry, f"**/{entry}")) for entry in scope)


def _in_tree(path: str) -> bool:
    return not path.startswith(("/", "~", "..")) and path != "."


def _path_ties(path: str, rows: Rows) -> list[tuple[float, str]]:
    met = rows.get(path, 0)
    name = rows.get(f"name:{path.rsplit('/', 1)[-1]}", 0)
    ties: list[tuple[float, str]] = []
    if met & (Met.EDITED | Met.CREATED):
        ties.append((10.0, "worked on before"))
    if met & Met.EXPLORED:
        ties.append((3.0, "read before the first edit"))
    elif met & Met.READ:
        ties.append((1.0, "read"))
    for flag, worth, weaker, text in (
        (Met.NAMED, 4.0, 3.0, "named by the user"),
        (Met.FOUND, 2.0, 1.0, "found by a search or a run"),
        (Met.SAID, 1.5, 1.5, "named in the agent's plan"),
        (Met.LISTED, 1.0, 0.5, "listed"),
    ):
        if met & flag:
            ties.append((worth, text))
        elif name & flag:
            ties.append((weaker, f"{text} (by file name)"))
    return ties


def _folder_ties(path: str, rows: Rows) -> list[tuple[float, str]]:
    above = folders(path)
    if not above:
        return [(1.0, "at the root")]
    ties: list[tuple[float, str]] = []
    for depth, folder in enumerate(above[:2]):
        met = rows.get(folder, 0)
        share = 1.0 if depth == 0 else 0.4
        if met & (Met.EDITED | Met.CREATED):
            ties.append((1.0 * share, f"work in {folder}"))
        elif met & Met.EXPLORED:
            ties.append((0.6 * share, f"explored {folder}"))
    return ties


def _word_ties(path: str, words: tuple[str, ...], rows: Rows) -> list[tuple[float, str]]:
    ties: list[tuple[float, str]] = []
    own = [word for word in path_words(path) if rows.get(f"#{word}", 0) & Met.WORD]
    if own:
        ties.append((min(3.0, 1.5 * len(own)), f"the user spoke of {', '.join(own[:3])}"))
    bare = stem(path)
    if rows.get(f"#{bare}", 0) & Met.IMPORTED:
        ties.append((1.5, f"{bare} is imported by a file of the session"))
    shared = [word for word in words if rows.get(f"#{word.lower()}", 0) & (Met.WORD | Met.WROTE)]
    if shared:
        ties.append((min(3.0, 0.75 * len(shared)), f"shares {', '.join(shared[:3])} with the work"))
    return ties


def _kind_ties(path: str, rows: Rows) -> list[tuple[float, str]]:
    if is_manifest(path):
        return [(BELONGS, "a manifest any change may bring along")]
    bare = stem(path)
    if is_test(path) and rows.get(f"name:{bare}", 0) & (Met.EDITED | Met.CREATED | Met.NAMED):
        return [(BELONGS, f"test of {bare}")]
    name = path.rsplit("/", 1)[-1].lower()
    if "/" not in path and name.startswith(
        ("readme", "changelog", ".", "makefile", "dockerfile", "claude", "agents", "todo")
    ):
        return [(BELONGS, "a file of the whole project")]
    if name in {"__init__.py", "index.ts", "index.js", "mod.rs", "index.tsx"}:
        return [(1.5, "an index of its folder")]
    return []


def _distance(path: str, rows: Rows) -> Distance:
    above = folders(path)
    worked = Met.EDITED | Met.CREATED
    if above and rows.get(above[0], 0) & worked:
        return "folder"
    return "module" if any(rows.get(folder, 0) & worked for folder in above[1:]) else "far"


def _unrelated_area(path: str, contract: Contract) -> str:
    """The path's area when both sides are known and share nothing; support work is never unrelated."""
    wanted = set(contract.areas) - SUPPORT
    own = [area for area in areas_of_path(path) if area not in SUPPORT]
    if not wanted or not own or wanted & set(own):
        return ""
    return own[0]
