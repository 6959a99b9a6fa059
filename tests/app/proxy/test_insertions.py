"""Where words go, and when they go again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.app.proxy.insertions import delivered, inserted, settle
from leeboard.model.session import AgentState
from leeboard.model.traffic import InsertedCorrection, InsertionState
from leeboard.wire.seam import Insertion, RequestFacts

FACTS = RequestFacts(
    api="anthropic", kind="work", session_id="s", anchor="t2", anchors=frozenset({"t1", "t2"}), messages=4
)
OPEN = AgentState(corrected=True)
WORDS = InsertedCorrection(session="s", id="v1", text="back to the goal")


def test_what_waits_gets_the_place_of_this_request() -> None:
    (placed,) = settle([WORDS], FACTS, OPEN, 5.0)
    assert placed == replace(WORDS, anchor="t2", state="placed", updated=5.0)
    assert inserted([placed], FACTS) == (Insertion("t2", "back to the goal"),)


def test_where_there_is_no_place_it_goes_on_waiting() -> None:
    nowhere = replace(FACTS, anchor="")
    assert settle([WORDS], nowhere, OPEN, 5.0) == ()
    assert inserted([WORDS], nowhere) == ()


def test_several_are_said_as_one() -> None:
    rows = [replace(WORDS, anchor="t2", state="placed"), replace(WORDS, id="v2", text="more", anchor="t2")]
    assert inserted(rows, FACTS) == (Insertion("t2", "back to the goal\n\nmore"),)


def test_what_got_through_is_delivered_and_gone_with_the_next_request() -> None:
    (placed,) = settle([WORDS], FACTS, OPEN, 5.0)
    (done,) = delivered([placed], inserted([placed], FACTS), 6.0)
    assert done.state == "delivered"
    later = replace(FACTS, anchor="t3", anchors=frozenset({"t1", "t2", "t3"}))
    assert settle([done], later, OPEN, 7.0) == ()
    assert inserted([done], later) == ()
    assert inserted([done], FACTS) == (Insertion("t2", WORDS.text),), "the same request again"


def test_what_could_not_be_placed_is_not_delivered() -> None:
    (placed,) = settle([WORDS], FACTS, OPEN, 5.0)
    assert delivered([placed], (), 6.0) == ()


def test_only_what_is_open_and_newest_is_said_again_after_a_compaction() -> None:
    old, new = (
        replace(WORDS, id=id_, state="delivered", anchor=anchor) for id_, anchor in (("v1", "t0"), ("v2", "t1"))
    )
    shorter = replace(FACTS, anchors=frozenset({"t2"}))
    assert [row.id for row in settle([old, new], shorter, OPEN, 5.0)] == ["v2"]
    assert settle([old, new], shorter, AgentState(corrected=False), 5.0) == ()
    assert settle([old, new], replace(shorter, server_keeps_history=True), OPEN, 5.0) == ()


STATES: tuple[InsertionState, ...] = ("waiting", "placed", "delivered")


@given(
    rows=st.lists(st.tuples(st.sampled_from(STATES), st.sampled_from(["", "t1", "t2", "t9"])), max_size=6),
    corrected=st.booleans(),
)
def test_a_request_that_is_sent_again_gets_the_same(rows: list[tuple[InsertionState, str]], *, corrected: bool) -> None:
    kept = {
        f"v{at}": replace(WORDS, id=f"v{at}", state=state, anchor=anchor) for at, (state, anchor) in enumerate(rows)
    }
    agent = AgentState(corrected=corrected)
    kept |= {row.id: row for row in settle(kept.values(), FACTS, agent, 1.0)}
    first = inserted(kept.values(), FACTS)
    kept |= {row.id: row for row in delivered(kept.values(), first, 2.0)}
    assert settle(kept.values(), FACTS, agent, 3.0) == ()
    assert inserted(kept.values(), FACTS) == first
