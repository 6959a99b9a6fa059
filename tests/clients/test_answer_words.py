from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.answer_words import cut, spoken, telling_person, width
from leeboard.model.verdict import Action, Moment, MomentKind
from tests.recorded_clients import said as verdict_of

STEP = (Action.ALLOW, Action.INJECT)


@given(st.text(max_size=60), st.integers(0, 60))
def test_words_fit_into_their_room(text: str, room: int) -> None:
    assert width(cut(text, room)) <= max(room, 0)


@pytest.mark.parametrize(
    ("kind", "action", "message", "said"),
    [
        ("before_call", Action.DENY, "no", ("refuse", "no")),
        ("before_call", Action.DENY, "", ("refuse", "Leeboard holds this call back.")),
        ("before_call", Action.ASK, "no", ("nothing", "")),
        ("after_call", Action.INJECT, "hear", ("add", "hear\n\nknow")),
        ("after_call", Action.ALLOW, "", ("add", "know")),
        ("stop", Action.INJECT, "hear", ("keep_going", "hear\n\nknow")),
        ("stop", Action.ALLOW, "", ("nothing", "")),
        ("end", Action.INJECT, "hear", ("nothing", "")),
    ],
)
def test_what_words_are_for(kind: MomentKind, action: Action, message: str, said: tuple[str, str]) -> None:
    actions = {"before_call": (Action.ALLOW, Action.DENY), "end": ()}.get(kind, STEP)
    assert spoken(verdict_of(action, message, "know"), Moment(kind=kind, actions=actions)) == said


def test_a_person_is_told_beside_the_answer_under_the_clients_own_name() -> None:
    assert telling_person(b"", "") == b""
    assert telling_person(b'{"systemMessage":"a"}', "b") == b'{"systemMessage":"a\\nb"}'
    assert telling_person(b"", "b", "person") == b'{"person":"b"}'
