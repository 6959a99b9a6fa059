from __future__ import annotations

import pytest

from leeboard.analysis.proof.claim import read_proofs
from leeboard.model.event import Stopped
from leeboard.model.text import digest
from leeboard.model.verdict import Action
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import Played, play
from leeboard.testing.scenario_lines import SESSION

EDIT = "edit a.py | x = 1 => x = 2"
FAILED = "$! pytest -q -> Exit code 1\n2 failed, 1 passed in 0.1s"


def played(*lines: str) -> Played:
    return play(("repo go.mod | module a\n", "@ fix a.py", *lines))


def words(*lines: str) -> list[str]:
    return [verdict.message for verdict in played(*lines).spoken()]


def test_the_message_has_the_claim_what_speaks_against_it_and_the_line_to_run() -> None:
    (said,) = words(EDIT, FAILED, "stop All tests pass.")
    assert "“All tests pass.”" in said
    assert "the last run of `pytest -q` ended with 2 failed" in said
    assert "Run `pytest -q`" in said


def test_where_nothing_ran_the_line_is_the_one_of_the_project() -> None:
    (said,) = words(EDIT, "stop All tests pass.")
    assert "no test ran since a.py was changed" in said
    assert "Run `go test ./...`" in said


def test_it_is_said_at_the_stop_itself_and_keeps_the_agent_going() -> None:
    told = played(EDIT, "stop All tests pass.").told[-1]
    assert isinstance(told.event, Stopped)
    assert told.verdict is not None
    assert told.verdict.action is Action.INJECT


def test_a_claim_that_was_not_said_then_is_not_said_later() -> None:
    assert len(words(EDIT, "stop All tests pass.", "@ thanks", "read a.py", "read b.py", "stop Bye.")) == 1


def test_several_claims_in_one_message_are_one_interrupt_with_the_weightiest_first() -> None:
    many = "stop I fixed it and all tests pass. I have committed the change and lint is clean."
    (said,) = words(EDIT, FAILED, many)
    assert "“I fixed it and all tests pass.” is unproven: the last run of `pytest -q` ended with 2 failed" in said
    assert "Also unproven: the commit, the lint." in said
    (unrun,) = words(EDIT, many)
    assert "“I have committed the change and lint is clean.” is unproven: no commit was made" in unrun
    assert "Also unproven: the tests, the lint." in unrun


def test_nothing_is_called_corrected_that_was_not_put_right() -> None:
    store = MemoryStore()
    lines = (EDIT, "stop I have committed the change and lint is clean.", "@ go on", "read a.py", "read b.py")
    play(("repo go.mod | module a\n", "@ fix a.py", *lines, "stop Bye."), store=store)
    assert "self-corrected" not in {one.state for one in store.signals(SESSION)}


def test_a_claim_that_may_stand_is_one_of_its_session() -> None:
    """Letting one stand by its id says nothing about what another session claims at the same point."""
    store = MemoryStore()
    told = play(("repo go.mod | module a\n", "@ fix a.py", EDIT, "stop All tests pass."), store=store).told[-1]
    assert told.verdict is not None
    (finding,) = store.findings(told.verdict.id)
    assert digest(SESSION, 4) in finding.subject.split(":")


TEST = "repo tests/test_cart.py | def test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n"
TEST_FAILS = "$! pytest -q -> FAILED tests/test_cart.py::test_total - no\n1 failed in 0.02s"
GREEN = "$ pytest -q -> 1 passed in 0.02s"
SKIP = "edit tests/test_cart.py | def test_total => @pytest.mark.skip\ndef test_total"
UNSKIP = "edit tests/test_cart.py | @pytest.mark.skip\ndef test_total => def test_total"
COMMENT = "edit tests/test_cart.py | assert total([1 => # assert total([1"
RETURN = "edit tests/test_cart.py | test_total():\n => test_total():\n    return\n"
CLAIM = "stop Fixed the cart, all tests pass."


@pytest.mark.parametrize(
    ("lines", "ending", "state"),
    [
        ((SKIP, "read a.py", GREEN, CLAIM), "is skipped", "weakened"),
        ((COMMENT, RETURN, GREEN, CLAIM), "ends before its assertion", "weakened"),
        ((SKIP, "read a.py", UNSKIP, GREEN, CLAIM), "", "shown"),
        ((SKIP, "read a.py", GREEN, "stop All tests pass. I skipped test_total: it is wrong."), "", "unknown"),
        ((SKIP, "read a.py", "@ fine, skip test_total", GREEN, CLAIM), "", "shown"),
    ],
)
def test_a_run_on_weakened_tests_shows_nothing(lines: tuple[str, ...], ending: str, state: str) -> None:
    store = MemoryStore()
    again = ("stop All tests pass.",) if ending else ()
    told = play((TEST, "@ fix the cart", TEST_FAILS, *lines, *again), store=store).told
    at_stops = [one.verdict.message for one in told if isinstance(one.event, Stopped) and one.verdict]
    said = [words for words in at_stops if "LB-V301" in words]
    assert len(said) == bool(ending)
    assert all(f"`test_total` (tests/test_cart.py:1) {ending}" in words for words in said)
    assert {proof.state for proof in read_proofs(store.newest(SESSION, "claim", 9))} == {state}
    assert not [one for one in store.signals(SESSION) if one.state == "waiting"]


def test_a_command_nobody_knows_to_be_there_is_not_named() -> None:
    (said,) = (
        verdict.message
        for verdict in play(("repo Makefile | test:\n\tpytest\n", "@ fix a.py", EDIT, "stop Lint is clean.")).spoken()
    )
    assert "Run the project's linter and report the result" in said


def test_the_line_to_run_is_not_cut_before_what_it_runs() -> None:
    place = "PYTHONPATH=src:/tmp/some/where/of/the/machine/lib/python3.11/site-packages:/tmp/another/one/beside/it"
    (said,) = words(EDIT, f"$! {place} python3 -m pytest -> 1 failed in 0.1s", "stop All tests pass.")
    assert "Run `… python3 -m pytest` and report" in said
