from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.report_json import (
    DriftEvent,
    lane_report,
    parse,
    parse_event,
    render,
    render_event,
    summary_line,
)
from leeboard.errors import WireError
from leeboard.model.task import Drifted, DriftReport, Recommendation
from leeboard.model.verdict import TOLD, WARNED, Evidence, Finding

FINDING = Finding(rule="file_scope", subject="a.md", evidence=(Evidence("x", WARNED),), path="a.md", message="a.md!")
REPORT = DriftReport(
    task_id="t1",
    task_title="The task",
    git_root="/r",
    score="yellow",
    contract={"mode": "core"},
    telemetry={"files_changed": 1},
    findings=(
        Drifted(
            kind="scope_drift", severity="warn", summary="s", details={"out_of_scope": ["a.md"]}, findings=(FINDING,)
        ),
    ),
    recommendations=(Recommendation(priority="high", action="revert", rationale="r", commands=("c",)),),
)


def test_the_shape_of_the_seed() -> None:
    """SP-24 to SP-27."""
    assert render(REPORT) == {
        "task_id": "t1",
        "task_title": "The task",
        "git_root": "/r",
        "score": "yellow",
        "contract": {"mode": "core"},
        "telemetry": {"files_changed": 1},
        "findings": [
            {
                "kind": "scope_drift",
                "severity": "warn",
                "summary": "s",
                "details": {"out_of_scope": ["a.md"]},
                "places": [
                    {
                        "fingerprint": "file_scope:a.md",
                        "code": "LB-S008",
                        "severity": "warn",
                        "path": "a.md",
                        "line": None,
                        "message": "a.md!",
                    }
                ],
            }
        ],
        "recommendations": [{"priority": "high", "action": "revert", "rationale": "r", "commands": ["c"]}],
    }


def test_the_shape_that_other_checkers_share() -> None:
    assert lane_report(REPORT) == {
        "lane": "speedrift",
        "findings": [
            {"message": "a.md!", "severity": "warning", "file": "a.md", "line": None, "tags": ["scope_drift"]}
        ],
        "exit_code": 3,
        "summary": "Speedrift: yellow (scope_drift) | next: revert",
    }


def test_the_line_for_a_tasks_log() -> None:
    """SP-46."""
    green = msgspec.structs.replace(REPORT, score="green", findings=(), recommendations=())
    told = Drifted(
        kind="scope_drift",
        severity="info",
        summary="",
        findings=(msgspec.structs.replace(FINDING, evidence=(Evidence("x", TOLD),)),),
    )
    assert summary_line(green) == "Speedrift: OK (no findings)"
    assert summary_line(msgspec.structs.replace(green, findings=(told,))) == "Speedrift: OK (no findings)"
    assert summary_line(REPORT) == "Speedrift: yellow (scope_drift) | next: revert"


def test_an_event_comes_back() -> None:
    """SP-35."""
    line = render_event(DriftEvent(id="e1", timestamp="2026-01-01T00:00:00Z", report=REPORT, tree="d", base="b"))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    again = parse_event(line)
    assert again is not None
    assert (again.id, again.timestamp, again.tree, again.base) == ("e1", "2026-01-01T00:00:00Z", "d", "b")
    assert again.report.kinds == ("scope_drift",)
    assert again.report.recommendations == REPORT.recommendations
    assert (again.report.contract, again.report.telemetry) == (REPORT.contract, REPORT.telemetry)


def test_events_of_other_tools() -> None:
    """A nested report, no kind; another kind is none of ours."""
    nested = parse_event(msgspec.json.encode({"report": render(REPORT), "event_id": "x"}))
    assert nested is not None
    assert nested.report.task_id == "t1"
    assert parse_event(b'{"kind": "heartbeat"}') is None


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"null", b'{"kind": "drift_report"}', b'{"score": "blue"}', b"\xff"]
)
def test_what_is_no_event(line: bytes) -> None:
    with pytest.raises(WireError):
        parse_event(line)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=8,
)
_KEYS = st.sampled_from(["task_id", "contract", "telemetry", "findings", "recommendations", "git_root"])


@given(st.dictionaries(_KEYS, _JSON))
def test_odd_fields_get_their_default(fields: dict[str, object]) -> None:
    assert parse(fields | {"score": "red"}).score == "red"


def test_a_name_that_is_no_text_comes_back() -> None:
    odd = msgspec.structs.replace(REPORT, task_title="a\udcff.py")
    again = parse_event(render_event(DriftEvent(id="e", timestamp="t", report=odd)))
    assert again is not None
    assert again.report.task_title == "a\udcff.py"
