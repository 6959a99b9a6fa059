from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from leeboard.app.views.plan import unit_state, view_unit, view_waves
from leeboard.model.plan import GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.studio import GateCommand, StageSpec
from leeboard.model.unit import Pass, Unit
from leeboard.surfaces.cli.flow.units import pass_rows, show_unit, show_waves, unit_object
from leeboard.surfaces.cli.terminal import Console

LEFT = Unit(id="unit-01-left", stage="build", status="completed")
RIGHT = Unit(
    id="unit-02-right", stage="build", status="active", hat="builder", bolt=2, criteria=(("a", True), ("b", False))
)
JOIN = Unit(id="unit-03-join", stage="build", depends_on=("unit-01-left", "unit-02-right"))
FREE = Unit(id="unit-04-free", stage="build")


NO_GIT = GitFacts()


def stage(*units: Unit, phase: Phase = "execute") -> StageView:
    return StageView(spec=StageSpec(name="build"), state=StageState(stage="build", phase=phase), units=units)


def plan(view: StageView, git: GitFacts = NO_GIT) -> Plan:
    return Plan(intent=Intent(slug="thing"), stages=(view,), git=git)


@pytest.mark.parametrize(
    ("unit", "phase", "state"),
    [
        (LEFT, "execute", "completed"),
        (RIGHT, "execute", "builder, bolt 2, 1 criterion not met"),
        (replace(RIGHT, criteria=()), "execute", "builder, bolt 2"),
        (JOIN, "execute", "waits for unit-02-right"),
        (FREE, "execute", "may begin"),
        (FREE, "elaborate", "planned"),
        (replace(FREE, problem="bad YAML"), "execute", "can not be read: bad YAML"),
        (replace(FREE, depends_on=("unit-01-left",)), "execute", "waits for wave 0"),
    ],
)
def test_how_a_unit_stands(unit: Unit, phase: Phase, state: str) -> None:
    view = stage(*{each.id: each for each in (LEFT, RIGHT, JOIN, unit)}.values(), phase=phase)
    assert unit_state(plan(view), view, unit) == state


def test_a_stopped_merge_is_told() -> None:
    view = stage(RIGHT)
    git = GitFacts(available=True, conflicts={RIGHT.id: ("a.txt", "b.txt")})
    assert unit_state(plan(view, git), view, RIGHT) == "merge stopped on a.txt, b.txt"


def test_waves_are_drawn_and_a_circle_comes_last() -> None:
    one = Unit(id="unit-05-a", stage="build", depends_on=("unit-06-b",))
    other = Unit(id="unit-06-b", stage="build", depends_on=("unit-05-a",))
    view = stage(LEFT, RIGHT, JOIN, one, other)
    assert [[unit.unit for unit in wave] for wave in view_waves(plan(view), view)][2] == ["unit-05-a", "unit-06-b"]
    out = io.StringIO()
    show_waves(view_waves(plan(view), view), Console(file=out, width=100), indent=2)
    assert out.getvalue().splitlines()[:3] == [
        "  wave 0  [x] unit-01-left   completed",
        "          [>] unit-02-right  builder, bolt 2, 1 criterion not met",
        "  wave 1  [ ] unit-03-join   waits for unit-02-right",
    ]


def test_a_unit_is_shown_whole() -> None:
    unit = replace(
        RIGHT,
        title="The right side",
        outputs=("right.py",),
        quality_gates=(GateCommand(name="tests", command="make test"),),
        passes=(Pass(hat="writer", reason="it was there"), Pass(hat="checker", result="reject", reason="too short")),
        body="\x1b[1mWrite it.",
    )
    view = stage(LEFT, unit)
    git = GitFacts(available=True, worktrees={unit.id: "/tree"})
    out = io.StringIO()
    show_unit(view_unit(plan(view, git), view, unit), Console(file=out, width=100))
    for words in (
        "The right side",
        "[x] a",
        "[ ] b",
        "tests: make test",
        "sent back  by checker: too short",
        "passed     writer: no change, it was there",
        "/tree",
        "Write it.",
    ):
        assert words in out.getvalue()
    assert "\x1b" not in out.getvalue()
    told = unit_object(view_unit(plan(view, git), view, unit))
    assert (told["wave"], told["worktree"], told["criteria_unmet"]) == (0, "/tree", ["b"])
    assert (told["rejected_for"], [each["hat"] for each in told["passes"]]) == ("too short", ["writer", "checker"])


def test_a_hat_whose_quality_gates_failed_has_not_passed() -> None:
    done = (Pass(hat="writer"), Pass(hat="writer", result="reject", reason="quality gates fail: tests"))
    rows = pass_rows((*done, Pass(hat="writer")))
    told = [("said done", "writer"), ("sent back", "by quality gates: tests"), ("passed", "writer")]
    assert rows == told
