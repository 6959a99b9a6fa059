from __future__ import annotations

from leeboard.model.lookup import Heartbeat, Receipt
from leeboard.store import receipts
from leeboard.store.database import Database

HOOK = Receipt(ts=5.0, event="Stop", outcome="allow", session="s1", project="/shop", client="c", call="t1")


def test_a_hooks_receipt_is_a_heartbeat_and_a_commands_is_none(database: Database) -> None:
    receipts.put(database, HOOK)
    receipts.put(database, Receipt(ts=6.0, event="cli", outcome="self_allowance", session="s1", project="/shop"))
    assert [(beat.event, beat.ts, beat.count) for beat in receipts.heartbeats(database, "/shop")] == [("Stop", 5.0, 1)]
    assert [one.event for one in receipts.newest(database, 9)] == ["cli", "Stop"]


def test_a_receipt_that_comes_late_does_not_turn_the_clock_back(database: Database) -> None:
    for moment in (9.0, 7.0):
        receipts.beat(database, "/shop", Heartbeat(client="c", event="canary", part="main", ts=moment))
    assert [(beat.ts, beat.count) for beat in receipts.heartbeats(database, "/shop")] == [(9.0, 2)]
