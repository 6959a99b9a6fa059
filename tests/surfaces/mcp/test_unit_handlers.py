from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue
from leeboard.plan.effect import PlanStep
from leeboard.plan.machine.moves import decide
from tests.git_repository import GitRepository
from tests.mcp_agent import UNIT, Agent

ONE, TWO = "unit-01-a", "unit-02-b"


@pytest.fixture
def planned(builder: Agent) -> Agent:
    """Two units are planned, and nothing is approved yet."""
    builder.until("elaborate")
    builder.plan("a.txt", "b.txt")
    return builder


def approve(agent: Agent) -> None:
    """As a person does, without the tick that follows."""
    agent.until("gate_review")
    waiting = Engine(str(agent.root), advance=lambda _plan, _now: PlanStep(clue=Clue(action="none", message="")))
    waiting.move("thing", lambda plan, now: decide(plan, "approved", "kim", now))


@pytest.fixture
def approved(planned: Agent) -> Agent:
    approve(planned)
    planned.until("start_units")
    return planned


def file_of(agent: Agent, unit: str, stage: str = "build") -> Path:
    return agent.root / f".haiku/intents/thing/stages/{stage}/units/{unit}.md"


def test_a_unit_is_written_read_and_removed(planned: Agent) -> None:
    """SH-21."""
    text = UNIT.format(title="Ä", output="c.txt")
    assert planned("unit_write", unit="unit-03-c", content=text)["criteria_unmet"] == ["c.txt is there"]
    assert planned("unit_read", unit="unit-03-c")["content"] == text
    assert planned("unit_set", unit="unit-03-c", field="depends_on", value=[ONE])["unit"] == "unit-03-c"
    assert planned("unit_list")["waves"] == [[ONE, TWO], ["unit-03-c"]]
    assert planned("unit_delete", unit="unit-03-c")["deleted"] == "unit-03-c"
    assert not file_of(planned, "unit-03-c").exists()
    assert planned.refused("unit_read", unit="unit-03-c") == "unit_not_found"


@pytest.mark.parametrize(
    ("unit", "content", "code"),
    [
        ("unit-01-other", UNIT, "unit_naming_invalid"),
        ("other", UNIT, "unit_naming_invalid"),
        ("../../x", UNIT, "invalid_arguments"),
        ("unit-03-c", "---\nstatus: completed\n---\nx\n", "fsm_field_forbidden"),
        ("unit-03-c", "---\ntitle: [\n---\nx\n", "frontmatter_validation_failed"),
        ("unit-03-c", "---\ntype: poem\n---\nx\n", "spec_validation_failed"),
        ("unit-03-c", "\ud800", "invalid_arguments"),
        ("unit-03-c", "x" * 5_000_000, "invalid_arguments"),
    ],
    ids=range(8),
)
def test_what_is_not_written(planned: Agent, unit: str, content: str, code: str) -> None:
    """SH-12, SH-24, SH-25: with a code, and nothing is written."""
    before = sorted(file_of(planned, ONE).parent.iterdir())
    assert planned.refused("unit_write", unit=unit, content=content) == code
    assert sorted(file_of(planned, ONE).parent.iterdir()) == before


def test_units_of_other_stages_are_not_touched(planned: Agent) -> None:
    """SH-03."""
    content = UNIT.format(title="x", output="x.txt")
    assert planned.refused("unit_write", stage="shape", unit="unit-02-x", content=content) == "lifecycle_violation"
    assert planned.refused("unit_write", stage="ship", unit="unit-02-x", content=content) == "stage_not_reached"
    assert planned.refused("unit_delete", stage="shape", unit="unit-01-shape") == "lifecycle_violation"


def test_what_a_person_looked_at_is_what_is_built(planned: Agent) -> None:
    """SH-49: between the decision and the next tick too."""
    approve(planned)
    assert planned.refused("unit_set", unit=ONE, field="title", value="x") == "plan_approved"
    assert planned.refused("unit_delete", unit=ONE) == "plan_approved"


def test_what_was_approved_is_not_changed(approved: Agent) -> None:
    """SH-49."""
    content = UNIT.format(title="x", output="x.txt")
    assert approved.refused("unit_write", unit="unit-03-c", content=content) == "lifecycle_violation"
    assert approved.refused("unit_delete", unit=ONE) == "lifecycle_violation"
    assert not approved("unit_start", unit=ONE).is_error
    assert approved.refused("unit_write", unit=ONE, content=content) == "lifecycle_violation"
    assert approved.refused("unit_set", unit=ONE, field="title", value="x") == "lifecycle_violation"
    assert approved.refused("unit_set", unit=ONE, field="status", value="completed") == "fsm_field_forbidden"
    assert approved.refused("unit_set", unit=TWO, field="status", value="completed") == "fsm_field_forbidden"


def test_criteria_and_outputs_of_a_unit_under_way_are_set(approved: Agent) -> None:
    approved("unit_start", unit=ONE)
    assert approved.refused("unit_set", unit=ONE, field="criteria", value="a.txt is there") == "invalid_arguments"
    assert approved.refused("unit_set", unit=ONE, field="criteria", value=["it flies"]) == "criterion_not_found"
    assert approved("unit_set", unit=ONE, field="criteria", value=["a.txt is there"])["criteria_unmet"] == []
    assert "- [x] a.txt is there" in file_of(approved, ONE).read_text(encoding="utf-8")
    assert not approved("unit_set", unit=ONE, field="outputs", value=["a.txt", "more.txt"]).is_error
    assert approved("unit_get", unit=ONE, field="outputs")["outputs"] == ["a.txt", "more.txt"]
    assert approved("run_next")["action"] in {"continue_unit", "start_unit"}


def test_hats_go_on_and_back(approved: Agent) -> None:
    """SH-32: a rejection adds one bolt."""
    started = approved("unit_start", unit=ONE)
    assert (started["unit"], started["hat"], started["bolt"]) == (ONE, "builder", 1)
    assert approved("unit_advance_hat", unit=ONE)["hat"] == "checker"
    back = approved("unit_reject_hat", unit=ONE, reason="It does not work.")
    assert (back["hat"], back["bolt"]) == ("builder", 2)
    assert approved("unit_increment_bolt", unit=ONE)["bolt"] == 3
    assert approved.refused("unit_start", unit=ONE) == "unit_already_active"
    assert approved.refused("unit_start", unit="unit-09-x") == "unit_not_found"
    approved("unit_advance_hat", unit=ONE)
    assert approved.refused("unit_advance_hat", unit=ONE) in {"unit_outputs_missing", "criteria_not_met"}


def test_a_unit_is_finished_and_merged(approved: Agent) -> None:
    """SH-30."""
    approved.work(ONE, "a.txt", hats=2)
    assert (approved.root / "a.txt").exists()
    assert approved("unit_get", unit=ONE, field="status")["status"] == "completed"
    assert approved.refused("unit_set", unit=ONE, field="criteria", value=[]) == "unit_already_completed"


def test_files_that_somebody_else_changed_are_not_written_over(planned: Agent) -> None:
    intent = planned.root / ".haiku/intents/thing/intent.md"
    intent.write_text(
        intent.read_text(encoding="utf-8").replace("status: active", "status: completed"), encoding="utf-8"
    )
    assert planned.refused("unit_write", unit="unit-03-c", content=UNIT.format(title="x", output="x.txt")) == "tampered"
    assert planned.refused("run_next", intent="thing") == "tampered"


def test_a_conflict_that_was_committed_is_asked_about_again(approved: Agent) -> None:
    """Its markers are no resolution, whoever calls it one."""
    trees = {}
    for unit, output in ((ONE, "a.txt"), (TWO, "b.txt")):
        trees[unit] = GitRepository(approved("unit_start", unit=unit)["worktree"])
        trees[unit].write(output, f"{unit}\n")
        trees[unit].write("app.py", f"{output[0]} = 1\n")
        trees[unit].commit("work")
        approved("unit_set", unit=unit, field="criteria", value=[f"{output} is there"])
        for _ in range(2):
            answer = approved("unit_advance_hat", unit=unit)
    assert (answer["action"], answer["conflict_paths"]) == ("resolve_merge_conflicts", ["app.py"])
    for step in (("add", "app.py"), ("commit", "-q", "-m", "resolved, or so I say")):
        trees[TWO].run(*step)
        again = approved("run_next")
        assert (again["action"], again["conflict_paths"]) == ("resolve_merge_conflicts", ["app.py"])
        assert again["markers_left"] == ["app.py"]
        assert "are left in app.py" in again["message"]
    trees[TWO].write("app.py", "a = b = 1\n")
    trees[TWO].commit("resolve")
    assert approved("run_next")["action"] == "review"
    assert (approved.root / "app.py").read_text() == "a = b = 1\n"


def test_two_agents_with_one_clue_do_one_hat(builder: Agent) -> None:
    """The second one's word is not about the hat that came next."""
    builder.until("elaborate")
    (unit,) = builder.plan("left.txt")
    approve(builder)
    builder.until("start_unit")
    held = builder("unit_start", unit=unit)
    assert f"haiku_unit_advance_hat {unit} (hat builder, bolt 1)" in held["message"]
    (Path(held["worktree"]) / "left.txt").write_text("x\n", encoding="utf-8")
    clue = {"unit": unit, "hat": held["hat"], "bolt": held["bolt"]}
    assert not builder("unit_advance_hat", **clue).is_error
    again = builder("unit_advance_hat", **clue)
    assert (again["code"], again["hat"], again["bolt"]) == ("stale_call", "checker", 1)
    assert Agent(builder.root).refused("unit_advance_hat", unit=unit) == "hat_not_named"
    assert builder("unit_get", unit=unit)["hat"] == "checker"
    assert builder.refused("unit_reject_hat", **clue, reason="x") == "stale_call"
    assert builder.refused("unit_increment_bolt", **clue) == "stale_call"


def test_nothing_else_happens_while_an_assessment_is_pending(builder: Agent) -> None:
    """FD-11, FD-12."""
    builder.until("elaborate")
    (unit,) = builder.plan("left.txt")
    approve(builder)
    builder.until("start_unit")
    note = builder.root / ".haiku/intents/thing/knowledge/note.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("By a person.\n", encoding="utf-8")
    assert builder.refused("unit_start", unit=unit) == "assessment_open", "nobody has been told yet"
    assert builder("run_next")["action"] == "manual_change_assessment"
    for tool, more in (
        ("unit_start", {"unit": unit}),
        ("unit_advance_hat", {"unit": unit}),
        ("unit_reject_hat", {"unit": unit, "reason": "x"}),
        ("unit_set", {"unit": unit, "field": "outputs", "value": ["left.txt", "more.txt"]}),
        ("revisit", {"reason": "x"}),
        ("review_report", {"agent": "critic", "verdict": "pass", "report": "Nothing."}),
    ):
        assert builder.refused(tool, **more) == "assessment_open", tool
    note.unlink()
    assert not builder("unit_start", unit=unit).is_error
