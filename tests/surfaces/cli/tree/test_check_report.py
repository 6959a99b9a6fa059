from __future__ import annotations

import pytest

from leeboard.app.tasks.drift_actions import Done, Recorded
from leeboard.contracts.report import StreakStep
from leeboard.model.task import Drifted, DriftReport, Recommendation, TaskState
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.surfaces.cli.tree.check import show_report

NUMBERS = {"files_changed": 1, "loc_added": 2, "loc_deleted": 3, "base_commit": "a" * 40, "commits_since_start": 1}


def findings(count: int) -> tuple[Finding, ...]:
    return tuple(
        Finding(rule="file_scope", subject=f"p{n}", evidence=(Evidence("", WARNED),), message=f"p{n} lies outside.")
        for n in range(count)
    )


def shown(report: DriftReport, capsys: pytest.CaptureFixture[str], recorded: Recorded | None = None) -> list[str]:
    show_report(report, recorded)
    return capsys.readouterr().out.splitlines()


def report(count: int) -> DriftReport:
    found = Drifted(kind="scope_drift", severity="warn", summary="the summary", findings=findings(count))
    advice = Recommendation(priority="high", action="revert", rationale="why", commands=("git x",))
    return DriftReport(
        task_id="t1",
        task_title="The \x1btask",
        git_root="/r",
        score="yellow",
        contract=None,
        telemetry=NUMBERS,
        findings=(found,) if count else (),
        recommendations=(advice,) if count else (),
    )


def test_a_page(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(report(2), capsys) == [
        "t1: The \N{REPLACEMENT CHARACTER}task",
        "score: yellow   1 file, +2 -3 lines since aaaaaaaaaa, 1 commit",
        "- [warn] scope_drift (file_scope LB-S008): the summary",
        "    p0 lies outside. [warn]",
        "    p1 lies outside. [warn]",
        "> revert: why",
        "    git x",
    ]


def test_many_places_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert "    and 4 more: --json lists them" in shown(report(12), capsys)


def test_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    state = TaskState(streak=4)
    done = Done(state=state, logged="Speedrift: x", created=("a",), refreshed=("b",), held_back=("c",))
    lines = shown(report(0), capsys, Recorded(report=report(0), step=StreakStep(state=state), done=done))
    assert lines[2:] == [
        "off course in 4 checks so far",
        "logged: Speedrift: x",
        "made a",
        "refreshed b",
        "no room for c: too many tasks have open follow-ups",
    ]
