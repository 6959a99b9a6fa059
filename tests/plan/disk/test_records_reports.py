from __future__ import annotations

from pathlib import Path

from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.records import read_reports, reports_file, with_report, write_report
from leeboard.plan.disk.seal import lines_of
from leeboard.plan.effect import RecordReport

NOW = "2026-01-01T10:00:00Z"


def report(agent: str, verdict: str = "pass", body: str = "Fine.") -> RecordReport:
    return RecordReport(stage="build", agent=agent, verdict=verdict, body=body, findings=("FB-01",))


PATH = reports_file("x", "build")
NOT_FINE = report("critic", "findings", "Not fine.")


def test_the_newest_report_of_each_agent_of_this_visit(tmp_path: Path) -> None:
    """SH-35: recorded before the phase moves; those of an earlier visit prove nothing."""
    folder = PlanFolder(str(tmp_path))
    text = ""
    for visit, said in ((1, report("critic")), (2, report("critic")), (2, NOT_FINE), (2, report("guard"))):
        write_report(folder, "x", said, visit)
        text = with_report(text, "x", said, visit, NOW)
    found, bad = read_reports(lines_of(PATH, text), 2)
    assert bad == 0
    assert {one.agent: one.verdict for one in found} == {"critic": "findings", "guard": "pass"}
    assert found[0].findings == ("FB-01",)
    assert folder.read("intents/x/stages/build/reviews/visit-2/critic.md") == b"Not fine."
    assert [one.agent for one in read_reports(lines_of(PATH, text), 1)[0]] == ["critic"]


def test_a_report_that_somebody_else_wrote_is_none() -> None:
    assert read_reports(lines_of(PATH, '{"agent": "critic", "verdict": "pass", "visit": 1}'), 1) == ((), 1)
