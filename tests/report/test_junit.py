from __future__ import annotations

from xml.etree.ElementTree import fromstring

from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.task import Drifted, DriftReport
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.report.junit import render_junit


def report(*found: Drifted) -> DriftReport:
    return DriftReport(
        task_id="t1", task_title="", git_root="/r", score="yellow", contract=None, telemetry={}, findings=found
    )


def drifted(message: str, kind: str = "scope_drift") -> Drifted:
    finding = Finding(rule="file_scope", subject="s", evidence=(Evidence("e", WARNED),), message=message)
    return Drifted(kind=kind, severity="warn", summary=message, findings=(finding,))


def test_a_kind_is_a_case_and_a_clean_one_passes() -> None:
    told = Drifted(kind="dependency_drift", severity="info", summary="told")
    suite = fromstring(
        render_junit(report(drifted("a.md!"), told), ("scope_drift", "churn_loc", "dependency_drift"), 0.5)
    )
    assert suite.attrib == {
        "name": "leeboard check t1",
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "0",
        "time": "0.500",
    }
    assert [(case.get("name"), [child.tag for child in case]) for case in suite] == [
        ("scope_drift", ["failure"]),
        ("churn_loc", []),
        ("dependency_drift", ["system-out"]),
    ]


@given(st.text())
def test_any_words_give_valid_xml(words: str) -> None:
    suite = fromstring(render_junit(report(drifted(words)), ()))
    assert suite[0][0].tag == "failure"
