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
from leeboard.io.plan._tree_state import kept_state
from leeboard.io.plan.folder import Folder
from leeboard.model.digest import digest
from leeboard.model.plan import StageView
from leeboard.model.surface import IGNORED, KNOWLEDGE, STAGE_FOLDERS, tracked
from leeboard.wire.plan_files import parse_settings

_SIZE = 32


def stage_work(folder: Folder, slug: str, stage: StageView, *, git: bool) -> str:
    work = kept_state(folder.home) if git else _made(folder.home, stage)
    return digest(repr([work, _tracked(folder, slug, stage.spec.name)]), _SIZE)


def _tracked(folder: Folder, slug: str, stage: str) -> str:
    """With the memory of the scans that look for drift: they leave out the same names."""
    tops = (KNOWLEDGE, *(f"stages/{stage}/{name}" for name in STAGE_FOLDERS))
    below, ignore = folder.spelled(layout.intent_folder(slug)), _ignored(folder)
    names = tuple(glob.rstrip("/") for glob in ignore if "/" not in glob.rstrip("/"))
    found = scan(Tops(names=tops, below=below, ignore=(*IGNORED, *names)), cache_place(below))
    if len(names) == len(ignore):
        return found.fingerprint(*tops)
    # What is ignored by its path was looked at too: it has to be left out file by file.
    seen = ((place, sha) for place, sha in found.shas(*tops).items() if tracked(place, [stage], ignore) is not None)
    return repr(sorted(seen))


def _ignored(folder: Folder) -> tuple[str, ...]:
    globs = parse_settings(folder.text("settings.yml") or "").values.get("drift_ignore")
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()


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
