"""What of a plan is no longer what was approved: part by part, old and new, as far as git still has the old one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.errors import LeeboardError
from leeboard.io.plan import layout
from leeboard.io.plan.repository import Repository
from leeboard.model.plan import Plan, StageView
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit
from leeboard.wire.plan_files import parse_unit
from leeboard.workflow.authored import changed, unit_digest, written

_MOST_VERSIONS = 50
_BOX = "[ ] "


class Part(msgspec.Struct, frozen=True, kw_only=True):
    part: str
    was: tuple[str, ...]
    """Lines that are gone."""
    now: tuple[str, ...]
    """Lines that came."""


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A unit, or the definition of the stage."""

    name: str
    parts: tuple[Part, ...] = ()
    unknown: str = ""
    """Why there are no parts."""


def changed_parts(home: str, plan: Plan, stage: StageView) -> tuple[Changed, ...]:
    """Nothing while the plan is still being made."""
    if stage.state.phase == "elaborate":
        return ()
    return tuple(_changed(home, plan, stage, name) for name in changed(plan, stage))


def _changed(home: str, plan: Plan, stage: StageView, name: str) -> Changed:
    was, now = stage.state.approved, stage.unit(name)
    if name not in was.units:
        return Changed(name=name, unknown="" if now is None else "it is new")
    if now is None:
        return Changed(name=name, unknown="it is gone")
    old = _approved_unit(home, plan.intent.slug, now, was.units[name])
    promised = Part(part="outputs", was=_only(was.outputs.get(name, ()), now.outputs), now=())
    parts = (*_parts(old, now), *((promised,) if promised.was else ()))
    unknown = "" if old is not None else "git does not have it as it was approved: read the unit"
    return Changed(name=name, parts=parts, unknown=unknown)


def _approved_unit(home: str, slug: str, unit: Unit, digest: str) -> Unit | None:
    """The newest version whose digest is the one that was approved."""
    place = layout.place_of(home)
    if place is None:
        return None
    repository = Repository(place)
    path = f"{layout.commit_path(slug)}/stages/{unit.stage}/units/{unit.id}.md"
    try:
        commits = repository.said("log", f"-{_MOST_VERSIONS}", "--format=%H", layout.hub(slug), "--", path).split()
        for commit in commits:
            text = repository.run("cat-file", "blob", f"{commit}:{path}").decode("utf-8", "surrogateescape")
            found = parse_unit(text, unit.id, unit.stage)
            if unit_digest(found) == digest:
                return found
    except LeeboardError:  # no such branch, or a version without the file
        return None
    return None


def _parts(old: Unit | None, new: Unit) -> Iterator[Part]:
    before = written(old) if old is not None else {}
    after = written(new)
    for part, value in before.items():
        was, now = _lines(value), _lines(after[part])
        found = Part(part=part, was=_only(was, now), now=_only(now, was))
        if found.was or found.now:
            yield found


def _lines(value: Any) -> tuple[str, ...]:
    """Of a text without its criteria, which are a part of their own."""
    if isinstance(value, str):
        return tuple(line for line in value.splitlines() if line.strip() and _BOX not in line)
    return tuple(_gate(each) if isinstance(each, GateCommand) else str(each) for each in value)


def _gate(gate: GateCommand) -> str:
    return f"{gate.name}: {gate.command}" + (f" (in {gate.dir})" if gate.dir else "")


def _only(these: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for line in these if line not in others)
