from __future__ import annotations

import json

import msgspec
import pytest
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import SHAPE, AgentState, OpenCall, Session
from leeboard.store.rows import UnreadableSession, hot_row, rebuilt_session, session_from, state_row
from tests.store_suite import NOON, a_session

CONTRACT = Contract(
    objective="fix the basket",
    scope=("src/basket/",),
    constraints=(
        Constraint(text="DO NOT touch the schema", kind="forbid", areas=("schema",)),
        Constraint(text="ONLY the basket", kind="only"),
        Constraint(text="MUST keep the API", kind="must"),
    ),
    keywords=("basket",),
)


def full_session() -> Session:
    agent = AgentState(id="sub", turn=2, open_calls=(OpenCall(id="toolu_1", action="edit", turn=2, modifies=("a",)),))
    return replace(a_session(), contract=CONTRACT, checked=NOON + 2.5, escalation=2, agents=(agent,), version=4)


def hot(session: Session) -> tuple[object, ...]:
    row = hot_row(session, msgspec.json.encode(session))
    return (row[0], row[1], row[2], row[-1])


def state(session: Session) -> list[object]:
    row = state_row(session)
    return [*row[1:8], row[9]]


def test_a_session_survives_its_row() -> None:
    assert session_from(hot(full_session())) == full_session()


def test_the_version_beside_the_data_is_the_authority() -> None:
    session_id, _, shape, data = hot(full_session())
    assert session_from((session_id, 9, shape, data)) == replace(full_session(), version=9)


def test_a_newer_shape_is_refused() -> None:
    session_id, version, _, data = hot(full_session())
    with pytest.raises(StateError, match="newer Leeboard") as refused:
        session_from((session_id, version, SHAPE + 1, data))
    assert not isinstance(refused.value, UnreadableSession), "what a newer version wrote must not be rebuilt over it"


def test_a_field_of_the_same_shape_that_is_unknown_here_is_passed_over() -> None:
    data = msgspec.json.encode({**msgspec.to_builtins(full_session()), "later": 1})
    assert session_from(("s1", 4, SHAPE, data)) == full_session()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"id": 3}', b"\xff\xfe", None, 7])
def test_data_that_makes_no_sense_is_unreadable(data: object) -> None:
    with pytest.raises(UnreadableSession):
        session_from(("s1", 4, SHAPE, data))


def test_the_state_row_says_what_the_columns_promise() -> None:
    """AD-49 to AD-58."""
    row = state_row(full_session())
    assert row[0:3] == ("s1", "/work/shop", "fix the basket")
    assert [json.loads(column) for column in row[3:7]] == [
        ["src/basket/"],
        ["DO NOT touch the schema", "ONLY the basket", "MUST keep the API"],
        ["basket"],
        [
            {"score": 9, "level": "none", "timestamp": NOON},
            {"score": 6, "level": "correct", "timestamp": NOON + 1},
        ],
    ]
    assert row[7:] == (2, 1_800_000_002_500, "active", "2027-01-15T08:00:00Z", "2027-01-15T08:00:00Z")


def test_a_session_without_a_goal_has_none() -> None:
    """AD-10."""
    assert state_row(Session(id="s1"))[2] is None


def test_what_was_asked_and_promised_can_be_rebuilt() -> None:
    session = full_session()
    rebuilt = rebuilt_session("s1", 7, state(session))
    assert (rebuilt.version, rebuilt.root, rebuilt.status, rebuilt.escalation) == (7, "/work/shop", "active", 2)
    assert rebuilt.history == session.history
    assert [goal.text for goal in rebuilt.goals] == ["fix the basket"]
    assert (rebuilt.contract.objective, rebuilt.contract.scope) == ("fix the basket", ("src/basket/",))
    assert [(limit.text, limit.kind) for limit in rebuilt.contract.constraints] == [
        (limit.text, limit.kind) for limit in CONTRACT.constraints
    ]


@pytest.mark.parametrize("column", range(8))
def test_a_state_that_makes_no_sense_is_a_matter_of_state(column: int) -> None:
    row = state(full_session())
    row[column] = b"\xff"
    with pytest.raises(StateError):
        rebuilt_session("s1", 7, row)
