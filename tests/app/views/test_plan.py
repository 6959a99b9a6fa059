from __future__ import annotations

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.app.plan.changed import StageDiff
from leeboard.app.views.plan import blockers, choices, open_findings, view_drift, view_gate, view_plan
from leeboard.model.plan import Clue, GitFacts, Intent, Phase, Plan
from leeboard.plan.effect import PlanStep
from tests.shown_plan import plan_of


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("elaborate", "NOTES is not there: .haiku/intents/thing/knowledge/NOTES.md"),
        ("elaborate", "unit-01-left reads gone.txt, which is not there"),
        ("review", "MANUAL is not there: docs/"),
        ("gate", "quality gate tests fails"),
    ],
)
def test_what_blocks_depends_on_the_phase(phase: Phase, words: str) -> None:
    assert words in blockers(plan_of(phase))
    assert words not in blockers(plan_of("execute"))


def test_what_blocks_everything() -> None:
    dirty = GitFacts(available=True, branch="main", hub="haiku/thing/main", dirty=("a.py",))
    plan = Plan(intent=Intent(slug="thing"), git=dirty, tampered=("stages/a/state.json",))
    uncommitted = "changes that are not committed keep git from switching to haiku/thing/main: a.py"
    assert blockers(plan) == ("stages/a/state.json was changed by somebody else than the engine", uncommitted)
    unread = replace(plan, problems=("intent.md: bad",))
    assert blockers(unread) == ("intent.md: bad", uncommitted), "the others can not be compared with it"


def test_a_plan_is_seen_with_its_stages_units_and_findings() -> None:
    clue = Clue(action="review", message="Look.", waits=True)
    seen = view_plan(plan_of("execute"), PlanStep(clue=clue))
    assert (seen.summary["intent"], seen.has_git, seen.branch, seen.clue) == ("thing", True, seen.hub, clue)
    assert [(stage.name, stage.active, stage.is_stale) for stage in seen.stages] == [
        ("shape", False, False),
        ("build", True, False),
        ("ship", False, True),
    ]
    (unit,) = seen.stages[1].units
    assert (unit.unit, unit.wave, unit.state, seen.stages[1].waves) == ("unit-01-left", 0, "may begin", ((unit,),))
    assert (
        [item.id for item in seen.open_findings] == [item.id for item in open_findings(plan_of("execute"))] == ["FB-01"]
    )
    assert seen.decision is None


def test_a_gate_is_seen_with_its_proofs() -> None:
    plan = plan_of("gate")
    assert plan.active is not None
    seen = view_gate(plan, plan.active, StageDiff(base=""))
    assert ([run.name for run in seen.runs], seen.unproven, seen.is_plan) == (["tests"], (), False)
    assert [item.id for item in seen.findings] == ["FB-01"]
    assert choices(replace(plan, sealed=False)) == (), "nobody decides over what was changed by hand"


def test_only_an_assessment_names_changed_files() -> None:
    found = {
        "finding_id": "DRF-01",
        "path": "knowledge/a.md",
        "change_kind": "file-modified",
        "author_class": "human-implicit",
        "written_over": False,
        "diff_unified": "-a\n+b\n",
    }
    assert view_drift({"findings": [found]}, "/nowhere") == ()
    (seen,) = view_drift({"tick_id": "t", "intent_slug": "x", "findings": [found]}, "/nowhere")
    assert to_builtins(seen) == {
        "id": "DRF-01",
        "path": "knowledge/a.md",
        "kind": "file-modified",
        "author": "human-implicit",
        "written_over": False,
        "diff": "-a\n+b\n",
    }
