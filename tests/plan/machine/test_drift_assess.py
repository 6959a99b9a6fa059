from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.truth import ABSENT, Divergence, Truth
from leeboard.plan.effect import PlanStep, WriteBaseline
from leeboard.plan.machine.drift_assess import Assessed, assess, joined
from leeboard.plan.machine.look import looking
from tests.plan.plan_world import NOW, work_unit
from tests.plan.truth_world import EARLIER, MOCKUP, NEEDS, REQUIREMENTS, TruthWorld, as_entry, asked, filing, sha


def begun(*paths: str) -> TruthWorld:
    """With these files, acknowledged."""
    world = TruthWorld()
    for path in paths or (NEEDS, REQUIREMENTS, MOCKUP, EARLIER):
        world.edit(path, "a")
    assert world.gate() is None
    return world


def assessed(world: TruthWorld) -> Assessed:
    return assess(looking(world.look(), NOW))


def test_an_unchanged_tree_gives_nothing() -> None:
    """FD-07 FD-57"""
    assert assessed(begun()) == Assessed()
    assert assess(looking(replace(begun().look(), truth=None), NOW)) == Assessed()


def test_new_changed_and_removed_files_are_all_found_in_every_stage_up_to_the_active_one() -> None:
    """FD-01 FD-02 FD-03 FD-08 FD-09 FD-10 FD-19"""
    world = begun()
    world.edit("stages/build/knowledge/revised.md", "b")
    world.edit(MOCKUP, "b")
    world.edit(EARLIER, ABSENT)
    world.edit(NEEDS, "b")
    world.edit("stages/ship/knowledge/later.md", "b")
    found = assessed(world).findings
    assert [(each.finding_id, each.path, each.change_kind, each.stage) for each in found] == [
        ("DRF-01", NEEDS, "modified", None),
        ("DRF-02", EARLIER, "file-removed", "design"),
        ("DRF-03", MOCKUP, "modified", "build"),
        ("DRF-04", "stages/build/knowledge/revised.md", "new-file-detected", "build"),
    ]
    assert {each.author_class for each in found} == {"human-implicit"}
    needs, removed, mockup, new = found
    assert (new.before_sha256, new.before_bytes, new.after_sha256) == (None, None, sha("b"))
    assert (removed.after_sha256, removed.after_bytes, removed.diff_unified) == (None, None, None)
    assert (mockup.is_binary, mockup.diff_unified) == (True, None)
    assert (needs.diff_unified, needs.tracking_class) == (f"+{NEEDS}\n", "knowledge")


def test_what_was_dropped_into_a_later_stage_is_found_when_it_is_reached() -> None:
    world = begun()
    world.edit("stages/ship/knowledge/later.md", "b")
    assert world.findings() == {}
    world.enter("gate", "build", status="completed")
    assert world.findings() == {"stages/ship/knowledge/later.md": sha("b")}


def test_the_agents_own_writes_move_the_baseline_silently() -> None:
    """FD-09 FD-36"""
    world = begun()
    world.write(REQUIREMENTS, "b")
    world.write("stages/build/artifacts/new.md", "c")
    world.write(MOCKUP, ABSENT)
    found = assessed(world)
    assert found.findings == ()
    (write,) = found.settled
    assert {(entry.path, entry.author_class, entry.acknowledged_via) for entry in write.put} == {
        (REQUIREMENTS, "agent", "agent-write"),
        ("stages/build/artifacts/new.md", "agent", "agent-write"),
    }
    assert write.drop == (MOCKUP,)
    assert world.findings() == {}
    assert assessed(world) == Assessed()


@pytest.mark.parametrize("kind", ["agent_write", "human_write"])
@pytest.mark.parametrize(("before", "there"), [("a", "b"), ("a", ABSENT), (ABSENT, "b")])
def test_what_a_tool_wrote_over_is_told_though_nothing_differs(kind: Any, before: str, there: str) -> None:
    """Somebody's change, over which the old text was put; it ends with its classification alone."""
    world = begun(NEEDS, *((REQUIREMENTS,) if before != ABSENT else ()))
    world.edit(REQUIREMENTS, there)
    world.write(REQUIREMENTS, before, kind)
    (found,) = assessed(world).findings
    assert found.change_kind == ("file-removed" if before == ABSENT else "modified")
    assert (found.before_sha256, found.lost_sha256, found.sha) == (sha(there), sha(there), sha(before))
    assert (found.written_over, found.diff_unified, found.before_bytes) == (True, None, None)
    assert found.author_class == ("agent" if kind == "agent_write" else "human-via-mcp")
    assert [world.findings() for _ in range(3)] == [{REQUIREMENTS: sha(before)}] * 3
    assert isinstance(world.classify(asked("*")), PlanStep)
    assert [world.findings() for _ in range(3)] == [{}] * 3
    assert assessed(world) == Assessed()


def test_a_later_write_of_the_agent_does_not_cover_what_it_wrote_over() -> None:
    world = begun()
    world.edit(REQUIREMENTS, "b")
    world.write(REQUIREMENTS, "a")
    world.write(REQUIREMENTS, "c")
    (found,) = assessed(world).findings
    assert (found.before_sha256, found.lost_sha256, found.sha) == (sha("a"), sha("b"), sha("c"))
    assert found.written_over


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("before", ["a", ABSENT])
def test_a_change_that_is_taken_away_and_put_back_is_still_somebodys(before: str, *, shown: bool) -> None:
    world = begun(NEEDS, *((REQUIREMENTS,) if before != ABSENT else ()))
    world.edit(REQUIREMENTS, "b")
    first = world.gate() if shown else None
    world.write(REQUIREMENTS, before)
    world.write(REQUIREMENTS, "b")
    clue = world.gate()
    assert clue is not None
    assert [(each["path"], each["author_class"], each["lost_sha256"]) for each in clue.payload["findings"]] == [
        (REQUIREMENTS, "human-implicit", None)
    ]
    assert first is None or clue.payload["tick_id"] == first.payload["tick_id"]


def test_what_was_shown_ends_by_classification_unless_it_was_undone_without_the_agent() -> None:
    world = begun()
    world.edit(REQUIREMENTS, "b")
    world.edit(NEEDS, "b")
    assert set(world.findings()) == {NEEDS, REQUIREMENTS}
    world.edit(REQUIREMENTS, "a")
    world.edit(NEEDS, "a")
    world.write(NEEDS, "c", looked=False)
    assert world.findings() == {NEEDS: sha("c")}
    world.edit(NEEDS, "a")
    assert [world.findings() for _ in range(3)] == [{NEEDS: sha("a")}] * 3
    assert isinstance(world.classify(asked("*")), PlanStep)
    assert world.findings() == {}


def test_the_agents_removal_of_an_acknowledged_file_accuses_nobody_later() -> None:
    world = begun()
    world.write(REQUIREMENTS, ABSENT)
    assert [world.findings() for _ in range(3)] == [{}] * 3


def test_what_is_absorbed_within_its_own_tick_is_known_afterwards() -> None:
    """A hook stamps while the tick looks."""
    world = begun()
    world.ticks += 1
    world.write(REQUIREMENTS, "b")
    world.ticks -= 1
    assert [world.findings() for _ in range(3)] == [{}] * 3


def surfaced(path: str = REQUIREMENTS, content: str = "b") -> TruthWorld:
    world = begun()
    world.edit(path, content)
    assert world.findings() == {path: sha(content)}
    step = world.classify(asked(path, "surface-as-feedback"), feedback_creates=(filing(path),))
    assert isinstance(step, PlanStep)
    return world


@pytest.mark.parametrize("content", ["b", ABSENT])
def test_while_it_is_handled_it_is_not_told_again(content: str) -> None:
    """FD-49 FD-50: a removed file too."""
    world = surfaced(content=content)
    assert [world.findings() for _ in range(10)] == [{}] * 10
    assert assessed(world).suppressed == 1


@pytest.mark.parametrize("content", ["b", ABSENT])
@pytest.mark.parametrize("end", ["closed", "rejected"])
def test_it_ends_with_its_finding_and_the_baseline_moves(content: str, end: Any) -> None:
    """FD-52"""
    world = surfaced(content=content)
    world.feedback["build"]["FB-01"] = replace(world.feedback["build"]["FB-01"], status=end)
    assert world.findings() == {}
    (marker,) = world.markers
    assert (marker.cleared_at, marker.resolved_sha) == (NOW, sha(content))
    assert world.vouched(REQUIREMENTS) == sha(content)
    world.edit(REQUIREMENTS, "c")
    assert world.findings() == {REQUIREMENTS: sha("c")}


def test_a_double_edit_makes_the_marker_stale() -> None:
    """FD-51"""
    world = surfaced()
    world.edit(REQUIREMENTS, "c")
    assert world.findings() == {REQUIREMENTS: sha("c")}
    assert world.markers == []


def test_closed_while_somebody_edits_is_no_acceptance() -> None:
    world = surfaced()
    world.feedback["build"]["FB-01"] = replace(world.feedback["build"]["FB-01"], status="closed")
    world.edit(REQUIREMENTS, "c")
    assert world.findings() == {REQUIREMENTS: sha("c")}
    assert world.vouched(REQUIREMENTS) == sha("a")


def test_a_file_that_is_again_what_it_was_needs_no_marker() -> None:
    world = surfaced()
    world.edit(REQUIREMENTS, "a")
    assert world.findings() == {}
    assert [marker.resolved_sha for marker in world.markers] == [sha("a")]


def test_the_agents_fix_over_a_handled_change_is_its_own_write() -> None:
    world = surfaced()
    world.write(REQUIREMENTS, "c")
    assert world.findings() == {}
    assert (world.vouched(REQUIREMENTS), world.markers[0].resolved_sha) == (sha("c"), sha("c"))


def test_what_an_earlier_line_wrote_does_not_explain_what_comes_back_after_a_classification() -> None:
    world = begun()
    world.write("stages/build/artifacts/new.md", "b")
    assert world.findings() == {}
    world.edit("stages/build/artifacts/new.md", ABSENT)
    assert world.findings()
    world.classify(asked("*"))
    world.edit("stages/build/artifacts/new.md", "b")
    assert world.findings() == {"stages/build/artifacts/new.md": sha("b")}


def test_the_newest_of_several_markers_governs() -> None:
    world = surfaced()
    old = replace(world.markers[0], created_by_assessment_id="AS-00", baseline_sha_at_creation=sha("d"))
    world.markers.insert(0, old)
    assert world.findings() == {}
    assert old not in world.markers


def test_a_marker_of_a_stage_that_is_not_looked_at_waits() -> None:
    """Its files are looked at again when the stage is reached again."""
    world = surfaced("stages/build/knowledge/new.md")
    world.enter("elaborate", "design", status="active", visits=2)
    assert world.findings() == {}
    assert [marker.is_open for marker in world.markers] == [True]


@pytest.mark.parametrize(("changed", "all_files", "mass"), [(9, 9, False), (10, 20, False), (11, 20, True)])
def test_many_changes_at_once_are_named_as_such_and_stay_itemised(changed: int, all_files: int, mass: bool) -> None:  # noqa: FBT001 - a column of the table
    paths = [f"knowledge/{at:02}.md" for at in range(all_files)]
    world = begun(*paths)
    for path in paths[:changed]:
        world.edit(path, "b")
    found = assessed(world)
    assert (len(found.findings), found.mass_change) == (changed, mass)


def test_diffs_are_bounded_one_by_one_and_all_together() -> None:
    world = begun()
    file = world.file_at(NEEDS)
    assert file is not None

    def differing(name: str, diff: str, **changes: Any) -> Divergence:
        return Divergence(path=name, scope="", entry=as_entry(file), file=replace(file, **changes), diff=diff)

    long = "+x\n" * 201
    wide = "+" + "y" * 70_000
    world.truth = Truth(
        divergences=(
            differing("a", long),
            differing("b", "+z\n", bytes=300_000),
            differing("c", wide),
            differing("d", "+never\n"),
        )
    )
    one, two, three, four = (found.diff_unified for found in assessed(world).findings)
    assert one == "+x\n" * 200 + "[the diff goes on: read a]\n"
    assert two is None
    assert three is not None
    assert three.endswith("y\n[the diff goes on: read c]\n")
    assert four is None
    assert sum(map(len, filter(None, (one, three)))) < 65_700


def test_the_unit_whose_file_it_is() -> None:
    world = begun()
    world.plan_units(
        work_unit(1, inputs=(MOCKUP,), outputs=(f".haiku/intents/login/{REQUIREMENTS}",)), work_unit(2, inputs=(NEEDS,))
    )
    world.edit(REQUIREMENTS, "b")
    world.edit(NEEDS, "b")
    assert [found.context_unit for found in assessed(world).findings] == ["unit-02-part", "unit-01-part"]


def test_writes_of_one_scope_are_one_effect() -> None:
    writes = (WriteBaseline(scope="a", drop=("x",)), WriteBaseline(scope="", drop=("y",)), WriteBaseline(scope="a"))
    assert joined(writes) == (WriteBaseline(scope="a", drop=("x",)), WriteBaseline(scope="", drop=("y",)))
