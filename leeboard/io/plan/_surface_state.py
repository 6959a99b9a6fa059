"""A name for the tracked files of an intent in one work tree: two looks with one name saw the same files.

The work of many a stage lies there: an approval counts for it, and so does the result of a quality gate.
"""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.io.digests.cache import cache_place
from leeboard.io.digests.scan import scan
from leeboard.io.digests.tops import Tops
from leeboard.io.plan import layout
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.trusted import settings_text
from leeboard.model.surface import IGNORED, tops, tracked
from leeboard.wire.plan_files import parse_settings


def surface_state(folder: Folder, slug: str, stages: Sequence[str]) -> str:
    """With the memory of the scans that look for drift: they leave out the same names."""
    wanted = tops(stages)
    below, ignore = folder.spelled(layout.intent_folder(slug)), _ignored(folder)
    names = tuple(glob.rstrip("/") for glob in ignore if "/" not in glob.rstrip("/"))
    found = scan(Tops(names=wanted, below=below, ignore=(*IGNORED, *names)), cache_place(below))
    if len(names) == len(ignore):
        return found.fingerprint(*wanted)
    # What is ignored by its path was looked at too: it has to be left out file by file.
    seen = ((place, sha) for place, sha in found.shas(*wanted).items() if tracked(place, stages, ignore) is not None)
    return repr(sorted(seen))


def _ignored(folder: Folder) -> tuple[str, ...]:
    globs = parse_settings(settings_text(folder)).values.get("drift_ignore")
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()
