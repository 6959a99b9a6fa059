"""Which of the things that a stage or a unit promised are not there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from posixpath import isabs, join, normpath

from leeboard.io.plan import layout
from leeboard.model.plan import Template, Unit

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
    found = []
    for unit in by_id.values():
        if unit.status != "completed":
            promised = {_spelled(path) for each in _before(unit, by_id) for path in by_id[each].outputs}
            absent = (path for path in unit.inputs if _spelled(path) not in promised)
            found += [(unit.id, path) for path in absent if not _in_plan_or_tree(path, home, slug)]
    return tuple(found)


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
    if path.endswith("/") or os.path.isdir(place):  # noqa: PTH112 - pathlib costs the hook process its import
        return any(name not in _NOT_COUNTED for _, _, files in os.walk(place) for name in files)
    return os.path.isfile(place)  # noqa: PTH113 - as above


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
