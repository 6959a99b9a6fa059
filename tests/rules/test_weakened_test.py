from __future__ import annotations

from leeboard.model.verdict import Finding
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

REPO = "repo tests/test_cart.py | def test_total():\n    assert total([1, 2]) == 3\n"
FAILS = "$! pytest -q -> FAILED tests/test_cart.py::test_total - no\n1 failed in 0.02s"


def found(*lines: str) -> list[Finding]:
    store = MemoryStore()
    told = play((REPO, "@ fix the cart", *lines), store=store).told
    verdicts = [one.verdict for one in told if one.verdict is not None]
    every = [finding for verdict in verdicts for finding in store.findings(verdict.id)]
    return [finding for finding in every if finding.rule == "weakened_test"]


def test_it_names_the_test_the_place_and_the_run_that_failed() -> None:
    (finding,) = found(FAILS, "edit tests/test_cart.py | == 3 => == 4")
    assert (finding.subject, finding.path, finding.line) == (
        "tests/test_cart.py:test_total:expected",
        "tests/test_cart.py",
        2,
    )
    assert "`pytest -q`" in finding.message
    assert [item.text for item in finding.evidence[1:]] == [
        "was: assert total([1, 2]) == 3",
        "now: assert total([1, 2]) == 4",
    ]


def test_what_the_user_names_as_the_value_is_theirs() -> None:
    (finding,) = found(FAILS, "@ total has to be 42 for that", "edit tests/test_cart.py | == 3 => == 42")
    assert finding.signal is not None
    assert finding.signal.log_only == "user-directed: not signaled"


def test_a_change_of_code_before_the_failure_is_on_record_only() -> None:
    (finding,) = found("edit src/cart.py | a => b", FAILS, "edit tests/test_cart.py | == 3 => == 4")
    assert finding.signal is not None
    assert "changed before it failed" in finding.signal.log_only


def test_it_is_said_at_the_end_of_the_next_turn_and_not_where_it_was_taken_back() -> None:
    skip = "edit tests/test_cart.py | def test_total => @pytest.mark.skip\ndef test_total"
    back = "edit tests/test_cart.py | @pytest.mark.skip\ndef => def"
    said = [verdict.rules for verdict in play((REPO, "@ fix the cart", skip, "read src/cart.py")).spoken()]
    assert said == [("weakened_test",)]
    assert play((REPO, "@ fix the cart", skip, back, "read src/cart.py")).spoken() == []


def test_a_test_that_loses_all_of_its_assertions_is_not_said_to_lose_most() -> None:
    (finding,) = found(FAILS, "edit tests/test_cart.py | assert total([1, 2]) == 3 => total([1, 2])")
    assert "loses all of its assertions" in finding.message
