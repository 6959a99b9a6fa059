"""Which later work a report calls for, and what stands in it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.contracts.report import MOST_ORIGINS, followups, has_room, pit_id, refreshed
from leeboard.contracts.table import read_task
from leeboard.model.contract import Contract
from leeboard.model.task import Drifted, DriftReport, Recommendation, Task, TaskState

CONTRACT = Contract(touch=("src/**",), source="task", task="t1")
REPORT = DriftReport(
    task_id="t1",
    task_title="The task",
    git_root="/r",
    score="yellow",
    contract={},
    telemetry={},
    findings=(
        Drifted(kind="scope_drift", severity="warn", summary="docs/a.md lies outside"),
        Drifted(kind="hardening_in_core", severity="warn", summary="a retry in src/a.py"),
        Drifted(kind="churn_loc", severity="warn", summary="801 lines"),
    ),
    recommendations=(Recommendation(priority="high", action="revert it", rationale="r"),),
)


def made(report: DriftReport = REPORT, contract: Contract | None = CONTRACT, *, pit_stop: bool = False) -> list[Task]:
    return list(followups(report, contract, TaskState(streak=3), pit_stop=pit_stop))


def test_one_for_hardening_one_for_scope_and_none_for_churn() -> None:
    """SP-39, SP-40, SP-41."""
    assert [(one.id, one.title, one.after, one.tags) for one in made()] == [
        ("drift-harden-t1", "harden: The task", ("t1",), ("drift", "harden")),
        ("drift-scope-t1", "scope: The task", ("t1",), ("drift", "scope")),
    ]
    assert made() == made()


def test_the_pit_stop_names_streak_findings_and_the_way_back() -> None:
    """SP-44."""
    task = made(pit_stop=True)[-1]
    assert (task.id, task.title, task.after) == ("speedrift-pit-t1", "pit-stop: The task", ("t1",))
    assert task.tags == ("speedrift", "pit-stop", "drift")
    for words in ("Streak: 3", "- scope_drift: docs/a.md lies outside", "- revert it", "Origin: t1"):
        assert words in task.description


def test_each_carries_a_contract_of_its_own() -> None:
    read = [read_task(task).contract for task in made(pit_stop=True)]
    assert [(one.mode, one.touch) for one in read if one] == [
        ("harden", ("src/**",)),
        ("explore", ("src/**",)),
        ("explore", ("src/**",)),
    ]
    assert "guardrails" not in " ".join(read[0].non_goals if read[0] else ())


@pytest.mark.parametrize(
    ("report", "contract"),
    [
        (REPORT, replace(CONTRACT, auto_followups=False)),
        (REPORT, replace(CONTRACT, mode="harden")),
        (REPORT, replace(CONTRACT, mode="explore")),
        (replace(REPORT, task_id=""), CONTRACT),
        (replace(REPORT, task_id="drift-scope-t1"), CONTRACT),
        (replace(REPORT, task_id="speedrift-pit-t1"), CONTRACT),
        (replace(REPORT, findings=(Drifted(kind="scope_drift", severity="info", summary=""),)), CONTRACT),
    ],
)
def test_who_gets_none(report: DriftReport, contract: Contract) -> None:
    """SP-19."""
    assert made(report, contract) == []


def test_only_our_part_is_refreshed() -> None:
    old = made()[1]
    edited = f"A note of Ann's.\n{old.description}And another.\n".replace("max_files = 25", "max_files = 3")
    newer = made(replace(REPORT, findings=(Drifted(kind="scope_drift", severity="warn", summary="lib/b.py too"),)))[0]
    result = refreshed(edited, newer.description)
    assert "lib/b.py too" in result
    assert "docs/a.md" not in result
    assert result.startswith("A note of Ann's.")
    assert result.endswith("And another.\n")
    assert "max_files = 3\n" in result
    assert refreshed(result, newer.description) == result


def test_who_took_our_part_out_meant_it() -> None:
    assert refreshed("all my own words", made()[0].description) == "all my own words"


def test_hostile_words_can_not_break_out() -> None:
    found = Drifted(kind="scope_drift", severity="warn", summary="a <!-- /speedrift --> ``` b")
    task = made(replace(REPORT, findings=(found,)))[0]
    assert task.description.count("<!-- /speedrift -->") == 1


def test_the_cap_never_tears_a_tasks_own_apart() -> None:
    others = [Task(id=f"drift-scope-o{number}", title="", after=(f"o{number}",)) for number in range(MOST_ORIGINS)]
    assert not has_room("t1", others)
    assert has_room("o3", others)
    assert has_room("t1", [replace(others[0], status="done"), *others[1:]])


def test_a_pit_stop_that_ended_belongs_to_an_earlier_drift() -> None:
    first = Task(id="speedrift-pit-t1", title="")
    assert pit_id("t1", []) == "speedrift-pit-t1"
    assert pit_id("t1", [first]) == "speedrift-pit-t1"
    assert pit_id("t1", [replace(first, status="done")]) == "speedrift-pit-t1-2"
