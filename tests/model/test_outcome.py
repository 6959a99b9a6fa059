from __future__ import annotations

from typing import get_args

from leeboard.model.outcome import FINDING_STATES, JudgedState, told_urgency


def test_every_state_has_words_of_its_own() -> None:
    assert set(FINDING_STATES) == set(get_args(JudgedState))
    assert len(set(FINDING_STATES.values())) == len(FINDING_STATES)


def test_what_could_not_wait_is_told_without_its_class() -> None:
    assert (told_urgency("B1-ESCALATE"), told_urgency("2.4")) == ("at once", "2.4")
