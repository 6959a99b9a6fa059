from __future__ import annotations

from pathlib import Path

from leeboard.io.plan._folder import Folder
from leeboard.io.plan.reports import read_reports, write_report
from leeboard.model.effect import RecordReport

NOW = "2026-01-01T10:00:00Z"


def report(agent: str, verdict: str = "pass", body: str = "Fine.") -> RecordReport:
    return RecordReport(stage="build", agent=agent, verdict=verdict, body=body, findings=("FB-01",))


def test_the_newest_report_of_each_agent_of_this_visit(tmp_path: Path) -> None:
    """SH-35: recorded before the phase moves; those of an earlier visit prove nothing."""
    folder = Folder(str(tmp_path))
    write_report(folder, "x", report("critic"), 1, NOW)
    write_report(folder, "x", report("critic"), 2, NOW)
    write_report(folder, "x", report("critic", "findings", "Not fine."), 2, NOW)
    write_report(folder, "x", report("guard"), 2, NOW)
    found, bad = read_reports(folder, "x", "build", 2)
    assert bad == 0
    assert {one.agent: one.verdict for one in found} == {"critic": "findings", "guard": "pass"}
    assert found[0].findings == ("FB-01",)
    assert folder.read("intents/x/stages/build/reviews/visit-2/critic.md") == b"Not fine."
    assert [one.agent for one in read_reports(folder, "x", "build", 1)[0]] == ["critic"]


def test_a_report_that_somebody_else_wrote_is_none(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    line = b'{"agent": "critic", "verdict": "pass", "visit": 1}'
    folder.append("intents/x/stages/build/reviews/reports.jsonl", line)
    assert read_reports(folder, "x", "build", 1) == ((), 1)
