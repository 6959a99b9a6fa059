"""An agent that ends while a quality gate fails: the edges."""

from __future__ import annotations

from leeboard.model.event import Event
from leeboard.model.unit import StopProposed
from leeboard.model.verdict import Action, Verdict
from leeboard.testing.scenario import ScenarioAnswer, play


def last(*lines: str) -> ScenarioAnswer:
    return play(('plan phase = "execute"', "plan worked = true", *lines)).told[-1]


def verdict(*lines: str) -> Verdict:
    found = last(*lines).verdict
    assert found is not None
    return found


def test_the_end_of_its_output_is_told() -> None:
    """SH-63."""
    found = verdict("plan gate_exit = 1", "leave Done.")
    assert found.action is Action.INJECT
    assert "`pytest -q`" in found.message
    assert "1 failed" in found.message


def test_both_are_told_at_once() -> None:
    assert set(verdict("plan gate_exit = 2", "leave Done.").rules) == {"failing_gates", "iteration_owed"}


def test_one_that_was_kept_going_hears_of_no_gate() -> None:
    event: Event = last("leave again Done.").event
    assert isinstance(event, StopProposed)
    assert verdict("plan gate_exit = 1", "leave again Done.").rules == ("iteration_owed",)
