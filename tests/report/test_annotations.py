from __future__ import annotations

from leeboard.model.task import Drifted, DriftReport
from leeboard.model.verdict import FAILED, TOLD, WARNED, Evidence, Finding, PlacedFinding
from leeboard.report.annotations import annotate_placed, render_annotations
from tests.leak import live_key


def lines(*findings: Finding) -> list[str]:
    found = Drifted(kind="scope_drift", severity="warn", summary="the summary", findings=findings)
    report = DriftReport(
        task_id="", task_title="", git_root="/r", score="yellow", contract=None, telemetry={}, findings=(found,)
    )
    return list(render_annotations(report))


def finding(message: str, path: str = "", line: int = 0, delta: int = WARNED) -> Finding:
    return Finding(rule="r", subject="s", evidence=(Evidence("e", delta),), message=message, path=path, line=line)


def test_one_line_for_each_place() -> None:
    assert lines(finding("m", "a.py", 3), finding("", delta=FAILED), finding("n", "b.py", delta=TOLD)) == [
        "::warning file=a.py,line=3,title=leeboard scope_drift::m",
        "::error title=leeboard scope_drift::the summary",
        "::notice file=b.py,title=leeboard scope_drift::n",
    ]


def test_nothing_in_a_path_or_message_is_a_command() -> None:
    made = lines(finding("a\n::error::b", "x,line=9:\r\n::set-output name=a::b"))
    assert made == [
        "::warning file=x%2Cline=9%3A%0D%0A%3A%3Aset-output name=a%3A%3Ab,title=leeboard scope_drift::a%0A::error::b"
    ]


def test_a_name_that_is_no_text_does_not_fail() -> None:
    assert lines(finding("m", "a\udcff.py")) == ["::warning file=a?.py,title=leeboard scope_drift::m"]


def test_findings_in_files_are_told_from_the_top_of_their_tree() -> None:
    found = PlacedFinding(
        rule="weak_crypto",
        subclass="B3",
        path="/home/kim/repo/a.py",
        name="a.py",
        line=2,
        confidence=0.9,
        disposition="QUEUE",
        message="50% weak\n::error::b",
        fingerprint="f",
    )
    assert list(annotate_placed([found])) == [
        "::warning file=a.py,line=2,title=leeboard weak_crypto LB-B301::50%25 weak%0A::error::b"
    ]


def test_a_file_that_is_named_like_a_token_shows_none_of_it() -> None:
    (told,) = lines(finding("m", f"src/{live_key(3)}.py"))
    assert live_key(3) not in told
    assert "file=src/[redacted].py" in told
    found = PlacedFinding(
        rule="weak_crypto",
        subclass="B3",
        path=f"{live_key(3)}.py",
        line=2,
        confidence=0.9,
        disposition="QUEUE",
        message=f"weak in {live_key(3)}.py",
        fingerprint="f",
    )
    assert live_key(3) not in "".join(annotate_placed([found]))
