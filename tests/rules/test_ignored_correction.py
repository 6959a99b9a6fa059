"""A change that is still off course after a correction was given: the edges."""

from __future__ import annotations

from leeboard.app.handle import SILENT
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import events_of

CORRECTED = ("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css")
FAR = "edit src/billing/invoice.ts"


def evidence(*lines: str) -> list[str]:
    return [line for line in play(lines).proposed()[-1].trace if line.startswith("ignored_correction -")]


def test_it_costs_one_point_on_top() -> None:
    """AD-34."""
    (line,) = evidence(*CORRECTED, FAR)
    assert line.startswith("ignored_correction -1:")


def test_looking_around_in_between_does_not_forgive() -> None:
    assert evidence(*CORRECTED, "read src/auth/token.ts", "$ git diff", FAR)


def test_a_change_on_course_forgives() -> None:
    assert not evidence(*CORRECTED, "edit src/auth/token.ts | a => b", FAR)


def test_a_new_direction_forgives_and_a_nod_does_not() -> None:
    assert not evidence(*CORRECTED, "@ now look at src/auth/session.ts", FAR)
    assert evidence(*CORRECTED, "@ ok", FAR)


def test_a_correction_that_was_not_given_yet_can_not_be_ignored() -> None:
    store = MemoryStore()
    for event in events_of(CORRECTED):
        tell(event, store, moment=SILENT)
    *_, proposed, _finished, _end = events_of((*CORRECTED, FAR))
    verdict = tell(proposed, store)
    assert verdict is not None
    assert "ignored_correction" not in verdict.rules
