"""Whether a yes answers what the agent was told last."""

from __future__ import annotations

import pytest

from leeboard.judge.correction import is_answered
from leeboard.model.session import AgentState
from leeboard.model.verdict import Correction


def told(rule: str, **state: str) -> AgentState:
    said = Correction(
        id="c1", agent="", turn=1, level="halt", score=1, text="", rules=(rule,), paths=("db/schema.sql",)
    )
    return AgentState(correction=said, **state)  # type: ignore[arg-type] # the names of what the agent did are its fields


@pytest.mark.parametrize("heard", ["last", "looked", ""])
def test_no_yes_answers_what_is_the_users_to_do(heard: str) -> None:
    assert not is_answered(told("self_allowance", heard=heard), ())
    assert not is_answered(told("self_allowance", heard=heard, closing="May I edit db/schema.sql?"), ())


def test_words_decide_and_without_words_the_last_thing_that_was_tried() -> None:
    assert is_answered(told("broken_constraint", heard="last"), ())
    assert not is_answered(told("broken_constraint", heard="looked"), ())
    assert is_answered(told("broken_constraint", heard="looked", closing="May I edit db/schema.sql?"), ())
    assert not is_answered(told("broken_constraint", heard="last", closing="Shall I run the tests?"), ())
    assert not is_answered(told("broken_constraint", heard="", closing="May I edit db/schema.sql?"), ())
