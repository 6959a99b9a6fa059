from __future__ import annotations

from leeboard.model.task import Drifted, DriftReport


def test_kinds_are_those_that_drifted() -> None:
    found = (
        Drifted(kind="scope_drift", severity="warn", summary=""),
        Drifted(kind="churn_loc", severity="error", summary=""),
        Drifted(kind="dependency_drift", severity="info", summary=""),
    )
    report = DriftReport(
        task_id="", task_title="", git_root="", score="red", contract=None, telemetry={}, findings=found
    )
    assert report.kinds == ("churn_loc", "scope_drift")
