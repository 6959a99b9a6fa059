"""A name for the work of a stage as it stands at its gate: what a person approves there, and nothing that came after.

What git keeps is named by git, and without it what the units brought forth by content; the tracked files of the stage
and the knowledge of the intent count either way, since the work of many a stage lies there.
"""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import isabs, normpath

from leeboard.io.digests.cache import cache_place
from leeboard.io.digests.scan import scan
from leeboard.io.digests.tops import Tops
from leeboard.io.plan import layout
from leeboard.io.plan._surface_state import surface_state
from leeboard.io.plan._tree_state import kept_state
from leeboard.io.plan.folder import Folder
from leeboard.model.digest import digest
from leeboard.model.plan import StageView
from leeboard.model.surface import IGNORED

_SIZE = 32


def stage_work(folder: Folder, slug: str, stage: StageView, *, git: bool) -> str:
    work = kept_state(folder.home) if git else _made(folder.home, stage)
    return digest(repr([work, surface_state(folder, slug, (stage.spec.name,))]), _SIZE)


def _made(home: str, stage: StageView) -> str:
    """Of what the units declare to bring forth, as far as it lies outside of the plan."""
    names = _apart(path for unit in stage.units for path in unit.outputs)
    tops = Tops(names=names, below=home, ignore=IGNORED)
    return scan(tops, cache_place(f"{home}\0outputs")).fingerprint(*names)


def _apart(paths: Iterable[str]) -> tuple[str, ...]:
    """Below the tree, none within another."""
    found: list[str] = []
    for path in sorted({normpath(path) for path in paths if path and "\0" not in path}):
        outside = isabs(path) or path.split("/", 1)[0] in {".", "..", layout.HOME}
        if not outside and not any(path.startswith(f"{each}/") for each in found):
            found.append(path)
    return tuple(found)
