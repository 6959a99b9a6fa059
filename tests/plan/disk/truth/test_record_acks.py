from __future__ import annotations

from leeboard.plan.disk.truth import record
from leeboard.plan.disk.truth.surface import read_surface
from leeboard.plan.files.truth import BaselineAck, ThrashEvent, format_thrash
from tests.truth_project import NOW, SLUG, TruthProject


def ack(project: TruthProject) -> BaselineAck:
    files = read_surface(project.folder, SLUG, ("",)).files("")
    return BaselineAck(diff_hash=record.diff_hash(SLUG, "", files.values()), created_at=NOW, rationale="looked at")


def accepted(project: TruthProject) -> tuple[dict[str, str], list[str]]:
    return record.accepted(project.folder, SLUG, {"": read_surface(project.folder, SLUG, ("",)).files("")})


def test_good_for_exactly_what_was_shown(project: TruthProject) -> None:
    assert accepted(project) == ({}, [])
    given = ack(project)
    record.write_ack(project.folder, SLUG, "", given)
    assert record.read_ack(project.folder, SLUG, "") == given
    assert accepted(project) == ({"": given.diff_hash}, [])
    project.write("knowledge/slipped.md", "in\n")
    good, notes = accepted(project)
    assert good == {}
    assert "accept it again" in notes[0]


def test_nobody_else_can_write_one(project: TruthProject) -> None:
    """The agent knows the digest, and not the key. One of another scope is none of this one."""
    given = ack(project)
    project.write(".baseline-ack", f'{{"diff_hash": "{given.diff_hash}", "created_at": ""}}')
    good, notes = accepted(project)
    assert good == {}
    assert "not written by an operator" in notes[0]
    record.write_ack(project.folder, SLUG, "build", given)
    (project.top / "stages/build/.baseline-ack").rename(project.top / ".baseline-ack")
    assert accepted(project)[0] == {}


def test_worn(project: TruthProject) -> None:
    events = [ThrashEvent(at=NOW, tick_counter=number) for number in range(4)]
    project.record().write({"baseline-thrash.json": format_thrash(events)})
    assert record.worn_for(project.record(), "", 4) == 6
    assert not record.worn_for(project.record(), "", 14), "that was long ago"
    assert not record.worn_for(project.record(), "shape", 4)
