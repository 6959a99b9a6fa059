"""What of a plan is no longer what was approved: part by part, old and new, as far as git still has the old one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.errors import LeeboardError
from leeboard.model.plan import Plan, StageState, StageView
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.repository import Repository
from leeboard.plan.files.files import parse_unit
from leeboard.plan.machine.authored import changed, unit_digest, written

_MOST_VERSIONS = 50
_BOX = "[ ] "


class PartChange(msgspec.Struct, frozen=True, kw_only=True):
    part: str
    was: tuple[str, ...]
    """Lines that are gone."""
    now: tuple[str, ...]
    """Lines that came."""


class DefinitionChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a unit, or the definition of a stage, differs from what was approved."""

    name: str
    parts: tuple[PartChange, ...] = ()
    unknown: str = ""
    """Why there are no parts."""


def changed_parts(home: str, plan: Plan, stage: StageView) -> tuple[DefinitionChange, ...]:
    """Nothing while the plan is still being made."""
    if stage.state.phase == "elaborate":
        return ()
    return tuple(_changed(home, plan, stage, name) for name in changed(plan, stage))


def _changed(home: str, plan: Plan, stage: StageView, name: str) -> DefinitionChange:
    was, now = stage.state.approved, stage.unit(name)
    if name not in was.units:
        return DefinitionChange(name=name, unknown="" if now is None else "it is new")
    if now is None:
        return DefinitionChange(name=name, unknown="it is gone")
    old = _approved_unit(home, plan.intent.slug, now, was.units[name])
    promised = PartChange(part="outputs", was=_only(was.outputs.get(name, ()), now.outputs), now=())
    parts = (*_parts(old, now), *((promised,) if promised.was else ()))
    unknown = "" if old is not None else "git does not have it as it was approved: read the unit"
    return DefinitionChange(name=name, parts=parts, unknown=unknown)


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


def _parts(old: Unit | None, new: Unit) -> Iterator[PartChange]:
    before = written(old) if old is not None else {}
    after = written(new)
    for part, value in before.items():
        was, now = _lines(value), _lines(after[part])
        found = PartChange(part=part, was=_only(was, now), now=_only(now, was))
        if found.was or found.now:
            yield found


def _lines(value: Any) -> tuple[str, ...]:
    """The lines of a text without its criteria, which are a part of their own."""
    if isinstance(value, str):
        return tuple(line for line in value.splitlines() if line.strip() and _BOX not in line)
    return tuple(_gate(each) if isinstance(each, GateCommand) else str(each) for each in value)


def _gate(gate: GateCommand) -> str:
    return f"{gate.name}: {gate.command}" + (f" (in {gate.dir})" if gate.dir else "")


def _only(these: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for line in these if line not in others)


# What a stage changed since it began, as git shows it. The plan's own records are left out.


MOST_LINES = 500
_SHOWN = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames")
_RECORDS = ("units", "feedback", "reviews", "produced", "baseline-content", "drift-assessments")


class StageDiff(msgspec.Struct, frozen=True, kw_only=True):
    base: str = ""
    """The commit it is compared with; empty: nothing can be compared."""
    files: tuple[tuple[str, int, int], ...] = ()
    """Path, lines that came and lines that went; below zero: not text."""
    lines: tuple[str, ...] = ()
    left_out: int = 0
    """Lines of it that are not here."""
    records: int = 0
    """Files of the plan itself that changed too."""


def stage_diff(home: str, slug: str, state: StageState, most: int = MOST_LINES) -> StageDiff:
    """From where the stage first began to the files as they are."""
    place = layout.place_of(home)
    repository = Repository(place) if place else None
    base = _began(repository, slug, state) if repository else ""
    if repository is None or not base:
        return StageDiff()
    patch = _said(repository, slug, "diff", *_SHOWN, base).splitlines()
    counted = _said(repository, slug, "diff", "--numstat", "-z", "--no-renames", base)
    every = repository.run("diff", "--name-only", "-z", "--no-renames", base).count(b"\0")
    files = tuple(_count(line) for line in counted.split("\0") if line.count("\t") >= 2)
    return StageDiff(
        base=base,
        files=files,
        lines=tuple(patch[:most]),
        left_out=max(0, len(patch) - most),
        records=every - len(files),
    )


def _began(repository: Repository, slug: str, state: StageState) -> str:
    """The commit that began the stage; where the plan is not committed, the last one before its first visit."""
    hub = layout.hub(slug)
    if not repository.has_branch(hub):
        return ""
    path = f"{layout.HOME}/{layout.state_file(slug, state.stage)}"
    added = repository.said("log", "-1", "--diff-filter=A", "--format=%H", hub, "--", path)
    if added or not state.started_at:
        return added
    return repository.said("rev-list", "-1", "--first-parent", f"--before={state.started_at}", hub)


def _said(repository: Repository, slug: str, *arguments: str) -> str:
    top = layout.commit_path(slug)
    records = [f"{top}/*", f"{top}/stages/*/*"]
    records += [f"{top}/{where}{name}/**" for where in ("", "stages/*/") for name in _RECORDS]
    excluded = [f":(top,exclude,glob){each}" for each in records]
    printed = repository.run(*arguments, "--", ":(top)", *excluded, settings={"GIT_LITERAL_PATHSPECS": "0"})
    return printed.decode("utf-8", "replace")


def _count(line: str) -> tuple[str, int, int]:
    more, fewer, path = line.split("\t", 2)
    return path, int(more) if more.isdigit() else -1, int(fewer) if fewer.isdigit() else -1
