from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.lookup import Receipt
from leeboard.model.traffic import CarriedRequest, InsertedCorrection
from leeboard.store.sqlite import SqliteStore

ONE = CarriedRequest(ts=1.0, session="s", project="/shop", api="anthropic", calls=2, held_ms=1.5, senses=True)
WORDS = InsertedCorrection(session="s", id="v1", text="back to the goal")


def test_what_was_carried_is_kept_in_order(store: SqliteStore) -> None:
    store.traffic.keep_carried(ONE)
    store.traffic.keep_carried(replace(ONE, ts=2.0, outcome="gone"))
    store.traffic.keep_carried(replace(ONE, session="t", project="/other"))
    assert store.traffic.carried_in("s") == (ONE, replace(ONE, ts=2.0, outcome="gone"))
    assert [one.ts for one in store.traffic.carried_for("/shop", 1)] == [2.0]


def test_an_insertion_is_kept_in_its_latest_state(store: SqliteStore) -> None:
    store.traffic.keep_insertions([WORDS, replace(WORDS, id="v2"), replace(WORDS, id="v3", agent="a1")])
    store.traffic.keep_insertions(
        [replace(WORDS, anchor="t1", state="placed"), replace(WORDS, id="v2", state="dropped")]
    )
    assert store.traffic.insertions("s", "") == (replace(WORDS, anchor="t1", state="placed"),)
    store.traffic.keep_insertions([])


def test_a_hook_was_heard_and_a_command_is_none(store: SqliteStore) -> None:
    assert store.traffic.hook_heard("s") == 0.0
    store.receipt(Receipt(ts=3.0, event="PreToolUse", outcome="allow", session="s"))
    store.receipt(Receipt(ts=4.0, event="cli", outcome="refused", session="s"))
    assert store.traffic.hook_heard("s") == 3.0


def test_a_purge_takes_it_along(store: SqliteStore) -> None:
    store.traffic.keep_carried(ONE)
    store.traffic.keep_insertions([WORDS])
    assert store.purge(9.0) == 0, "nothing of it is a session"
    assert store.traffic.carried_in("s") == ()
    assert store.traffic.insertions("s", "") == ()
