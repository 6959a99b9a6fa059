"""The drift report: one kind after another, its score, numbers and countersteer."""

from __future__ import annotations

from leeboard.contracts.report import drift_report
from leeboard.model.contract import Contract, Held
from leeboard.model.event import TreeChecked
from leeboard.model.task import DriftReport
from leeboard.model.touch import FileChange, TreeChange
from leeboard.model.verdict import FAILED, TOLD, WARNED, Evidence, Finding
from leeboard.rule import discover
from tests.tree_rules import ROOT, changed, tree_event

HELD = Held(root=ROOT, contract=Contract(task="t1", source="task"), title="The task", table={"mode": "core", "x": 1})


def finding(rule: str, subject: str, delta: int = WARNED, path: str = "") -> Finding:
    return Finding(rule=rule, subject=subject, evidence=(Evidence("why", delta),), path=path, message=f"{subject}!")


def report(*findings: Finding, event: TreeChecked | None = None, held: Held | None = HELD) -> DriftReport:
    return drift_report(event or tree_event(changed("a.py")), findings, discover(), held)


def test_nothing_found_is_green() -> None:
    made = report()
    assert (made.score, made.findings, made.recommendations) == ("green", (), ())
    assert (made.task_id, made.task_title, made.git_root, made.contract) == ("t1", "The task", ROOT, HELD.table)


def test_a_warning_is_yellow_and_an_error_red() -> None:
    """SP-24."""
    assert report(finding("file_scope", "a", TOLD)).score == "green"
    assert report(finding("file_scope", "a"), finding("file_scope", "b", TOLD)).score == "yellow"
    assert report(finding("file_scope", "a"), finding("churn_loc", "lines", FAILED)).score == "red"


def test_findings_are_told_by_kind_in_their_order() -> None:
    """SP-25."""
    made = report(finding("churn_loc", "lines"), finding("file_scope", "b"), finding("file_scope", "a", TOLD))
    assert [one.kind for one in made.findings] == ["scope_drift", "churn_loc"]
    assert made.findings[0].details == {
        "out_of_scope": ["b"],
        "told": ["a"],
        "fingerprints": ["file_scope:b", "file_scope:a"],
    }
    assert made.kinds == ("churn_loc", "scope_drift")


def test_countersteer_names_the_way_back_once() -> None:
    """SP-27, SP-33: two budgets broken are one recommendation."""
    made = report(finding("file_scope", "a"), finding("churn_files", "files"), finding("churn_loc", "lines"))
    assert [(one.priority, one.action) for one in made.recommendations] == [
        ("high", "revert out-of-scope changes or expand touch globs"),
        ("medium", "split the task or raise its budget"),
    ]
    assert made.recommendations[0].commands == ("leeboard contract set-touch --task t1 GLOB...",)


def test_a_command_is_named_where_it_works() -> None:
    """Nothing about a task where there is none, and no start of a contract where there is one."""
    held = Held(root=ROOT, contract=Contract())
    assert report(finding("file_scope", "a"), held=held).recommendations[0].commands == ()
    missing = finding("missing_contract", "contract")
    assert report(missing, held=None).recommendations[0].commands == (
        "leeboard contract start --goal GOAL --touch GLOB",
    )
    made = drift_report(tree_event(changed("a.py")), [missing], discover(), None, "t1")
    assert made.recommendations[0].commands == ("leeboard contract ensure --apply",)


def test_what_is_only_worth_knowing_is_not_countersteered() -> None:
    assert report(finding("file_scope", "a", TOLD)).recommendations == ()


def test_telemetry() -> None:
    """SP-26."""
    files = (
        FileChange(path="src/a.py", kind="modified", states=("staged", "unstaged"), added=3, deleted=1),
        FileChange(path="tests/test_a.py", kind="added", states=("untracked",), added=5),
        FileChange(path="yarn.lock", kind="modified", states=("committed",), added=70, generated=True),
        FileChange(path="b.png", kind="renamed", old_path="a.png", states=("committed",), binary=True),
    )
    change = TreeChange(root=ROOT, files=files, base="abc", commits=2)
    numbers = report(finding("file_scope", "yarn.lock"), event=tree_event(change)).telemetry
    assert numbers["files_changed"] == 4
    assert (numbers["loc_changed"], numbers["loc_added"], numbers["loc_deleted"]) == (9, 8, 1)
    assert numbers["untracked_loc"] == 5
    assert numbers["files_by_state"] == {
        "binary": 1,
        "committed": 2,
        "renamed": 1,
        "staged": 1,
        "unstaged": 1,
        "untracked": 1,
    }
    assert (numbers["tests_touched"], numbers["generated_files"], numbers["out_of_scope_files"]) == (1, 1, 1)
    assert (numbers["base_commit"], numbers["commits_since_start"]) == ("abc", 2)


def test_a_rule_that_failed_is_never_green() -> None:
    made = report(finding("detector_crash", "file_scope", TOLD))
    assert (made.score, made.findings[0].kind) == ("yellow", "not_analysed")


def test_many_are_summed_up_in_words_and_listed_whole() -> None:
    made = report(*(finding("file_scope", f"p{number}") for number in range(60)))
    summary, details = made.findings[0].summary, made.findings[0].details
    assert summary.startswith("a change outside what the contract lets the work touch (60): p0, p1")
    assert summary.endswith("p5 and 54 more")
    assert details is not None
    assert details["out_of_scope"] == [f"p{number}" for number in range(60)]
