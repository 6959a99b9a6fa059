"""What is told, where, and how often."""

from __future__ import annotations

import json

import pytest

from leeboard.app.tasks.drift_actions import Done, Handled
from leeboard.app.tasks.monitor import MonitorNews
from leeboard.contracts.report_json import DriftEvent
from leeboard.model.task import DriftReport, TaskState
from leeboard.surfaces.cli.tree.rounds import TreeTeller

REPORT = DriftReport(task_id="one", task_title="", git_root="", score="yellow", contract=None, telemetry={})
EVENT = DriftEvent(id="e", timestamp="then", report=REPORT)
DONE = Done(state=TaskState(), logged="words", created=("a",), refreshed=("b",), held_back=("c",))


def test_a_note_is_said_once_until_it_changes_or_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    teller = TreeTeller(as_json=False)
    for text in ("first", "first", "second", "second"):
        teller.note(text, "it")
    teller.is_well("it")
    teller.note("second\x1b[2J\nagain", "it")
    assert capsys.readouterr().err.splitlines() == [
        *("leeboard: first", "leeboard: second", "leeboard: second\N{REPLACEMENT CHARACTER}[2J again")
    ]


@pytest.mark.parametrize(("as_json", "out"), [(True, '{"x":1}\n'), (False, "one: Speedrift: OK\n")])
def test_an_event_of_a_monitor(capsys: pytest.CaptureFixture[str], out: str, *, as_json: bool) -> None:
    TreeTeller(as_json=as_json).told(MonitorNews(task="one", line=b'{"x":1}\n', summary="Speedrift: OK"))
    assert capsys.readouterr() == (out, "")


def test_a_failure_of_a_monitor_is_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    teller = TreeTeller(as_json=False)
    for _ in range(2):
        teller.told(MonitorNews(task="one", line=b"{}\n", note="one: no git", is_error=True))
    assert capsys.readouterr() == ("", "leeboard: one: no git\n")


def test_an_event_that_was_acted_on(capsys: pytest.CaptureFixture[str]) -> None:
    handled = Handled(offset=9, event=EVENT, streak=2, done=DONE, notes=("by the way",))
    TreeTeller(as_json=False).handled(handled)
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        *("one: Speedrift: yellow () [streak 2]", "  made a", "  refreshed b"),
        "  no room for c: too many tasks have open follow-ups",
    ]
    assert err == "leeboard: by the way\n"
    TreeTeller(as_json=True).handled(handled)
    assert json.loads(capsys.readouterr().out) == {
        "event_id": "e",
        "timestamp": "then",
        "task_id": "one",
        "score": "yellow",
        "kinds": [],
        "streak": 2,
        "logged": "words",
        "created": ["a"],
        "refreshed": ["b"],
        "held_back": ["c"],
    }


def test_a_line_that_was_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    TreeTeller(as_json=True).handled(Handled(offset=9, notes=("passed over",)))
    assert capsys.readouterr() == ("", "leeboard: passed over\n")
