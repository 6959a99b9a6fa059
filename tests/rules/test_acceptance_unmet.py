from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.contract import Contract
from leeboard.model.touch import AcceptanceRun
from tests.tree_rules import changed, found, held, tree_event

CHANGE = replace(changed("a.py"), digest="now")


def severities(*runs: AcceptanceRun, acceptance: tuple[str, ...] = ("make test",)) -> list[tuple[str, str]]:
    event = tree_event(CHANGE, acceptance=runs)
    findings = found("acceptance_unmet", held(Contract(acceptance=acceptance)), event, {}, {})
    return [(one.severity, one.message) for one in findings]


def test_a_failure_is_an_error_with_the_end_of_its_output() -> None:
    run = AcceptanceRun(command="make test", passed=False, tree="now", code=2, tail="1\n2\n3\n4 failed\n")
    assert severities(run) == [("error", "acceptance `make test` ended with exit code 2: 2 | 3 | 4 failed.")]


def test_running_out_of_time_is_a_failure() -> None:
    run = AcceptanceRun(command="make test", passed=False, tree="now", seconds=9)
    assert severities(run) == [("error", "acceptance `make test` ran out of time after 9 s.")]


def test_a_pass_over_another_tree_does_not_count() -> None:
    stale = AcceptanceRun(command="make test", passed=True, tree="before", code=0)
    assert [severity for severity, _ in severities(stale)] == ["info"]
    assert severities(replace(stale, tree="now")) == []


def test_nothing_promised_is_nothing_run() -> None:
    """SP-05."""
    assert severities(acceptance=()) == []


def test_what_was_asked_for_and_is_not_trusted_is_a_warning() -> None:
    event = replace(tree_event(CHANGE), untrusted=("make test",))
    (one,) = found("acceptance_unmet", held(Contract(acceptance=("make test",))), event, {}, {})
    assert one.severity == "warn"
    assert one.message.startswith("not run: acceptance `make test` is not trusted here yet; `leeboard trust`")
    assert "--trust`" in one.message
