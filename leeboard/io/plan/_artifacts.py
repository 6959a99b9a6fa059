"""Which of the things that a stage or a unit promised are not there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from posixpath import isabs, join, normpath

from leeboard.io.plan import layout
from leeboard.model.studio import Template
from leeboard.model.unit import Unit

_NOT_COUNTED = frozenset({".gitkeep", ".DS_Store"})


def missing_templates(templates: Iterable[Template], home: str, slug: str) -> tuple[Template, ...]:
    """Required ones without their artifact. What stands in brackets can not be verified."""
    return tuple(each for each in templates if each.required and not _made(each, home, slug))


def _made(template: Template, home: str, slug: str) -> bool:
    location = template.place(slug).strip()
    return not location or location.startswith("(") or is_there(location, home)


def missing_inputs(units: Iterable[Unit], home: str, slug: str) -> tuple[tuple[str, str], ...]:
    """Unit and input that neither lies in the work tree nor is made by a unit it depends on, near or far."""
    by_id = {unit.id: unit for unit in units}
    there: dict[str, bool] = {}  # many units start from the same files
    found = []
    for unit in by_id.values():
        for path in unit.inputs if unit.status != "completed" else ():
            if path not in there:
                there[path] = _in_plan_or_tree(path, home, slug)
            if not there[path] and not _is_promised(path, unit, by_id):
                found.append((unit.id, path))
    return tuple(found)


def _is_promised(path: str, unit: Unit, by_id: dict[str, Unit]) -> bool:
    outputs = (output for each in _before(unit, by_id) for output in by_id[each].outputs)
    return _spelled(path) in map(_spelled, outputs)


def missing_unit_outputs(
    units: Iterable[Unit], trees: dict[str, str], home: str, slug: str
) -> tuple[tuple[str, str], ...]:
    """Active unit and output that is not in the tree it is worked on in."""
    return tuple(
        (unit.id, path)
        for unit in units
        if unit.status == "active"
        for path in unit.outputs
        if not _in_plan_or_tree(path, trees.get(unit.id, home), slug)
    )


def _in_plan_or_tree(path: str, top: str, slug: str) -> bool:
    """Authors name a path from the top of the work tree, or from the intent's folder."""
    return is_there(path, top) or is_there(f"{layout.commit_path(slug)}/{path}", top)


def is_there(path: str, top: str) -> bool:
    """A file that holds something, or a folder with one in it; never outside of the tree."""
    spelled = normpath(path)
    if isabs(path) or spelled == ".." or spelled.startswith("../") or "\0" in path:
        return False
    place = join(top, spelled)
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116 - pathlib costs the hook process its import
    except (OSError, ValueError):
        return False
    if path.endswith("/") or stat.S_ISDIR(mode):
        return any(name not in _NOT_COUNTED for _, _, files in os.walk(place) for name in files)
    return stat.S_ISREG(mode)


def _before(unit: Unit, by_id: dict[str, Unit]) -> set[str]:
    """The units it depends on, and those they depend on."""
    seen: set[str] = set()
    waiting = list(unit.depends_on)
    while waiting:
        name = waiting.pop()
        if name in by_id and name not in seen:
            seen.add(name)
            waiting += by_id[name].depends_on
    return seen


def _spelled(path: str) -> str:
    return normpath(path)
