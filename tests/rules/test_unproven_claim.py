from __future__ import annotations

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


def test_two_claims_in_one_message_are_one_interrupt() -> None:
    assert len(words(EDIT, "stop All tests pass and the build succeeds.")) == 1


def test_a_claim_that_may_stand_is_one_of_its_session() -> None:
    """Letting one stand by its id says nothing about what another session claims at the same point."""
    store = MemoryStore()
    told = play(("repo go.mod | module a\n", "@ fix a.py", EDIT, "stop All tests pass."), store=store).told[-1]
    assert told.verdict is not None
    (finding,) = store.findings(told.verdict.id)
    assert digest(SESSION, 4) in finding.subject.split(":")
