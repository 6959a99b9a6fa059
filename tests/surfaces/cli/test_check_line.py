from __future__ import annotations

from leeboard.surfaces.cli.check_line import DoctorCheck, check_object


def test_programs_learn_whether_it_can_be_repaired() -> None:
    assert check_object(DoctorCheck(about="x", repair=str))["fixable"] is True
    assert check_object(DoctorCheck(about="x", state="failed", detail="y")) == {
        "kind": "check",
        "about": "x",
        "state": "failed",
        "detail": "y",
        "fixable": False,
    }
