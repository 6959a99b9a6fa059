from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.outcome import Capture, Offer
from leeboard.model.verdict import Correction, Finding
from leeboard.store.sqlite import SqliteStore
from leeboard.store.team import outbox
from tests.store.conftest import path, store
from tests.store_suite import NOON, a_session, a_step, keep

__all__ = ["path", "store"]
SHOP = {"/work/shop": "shop"}


def noted(store: SqliteStore) -> list[str]:
    return [f"{one.kind} {one.key}" for one in outbox.next_batch(store.pages, SHOP)]


def a_capture(session: str = "s1") -> Capture:
    return Capture(
        session_id=session,
        project_path="/work/shop",
        goal="fix the basket",
        status="active",
        drift_events=0,
        final_score=9,
        had_halt=False,
        needs_review=False,
        tags=("had-drift",),
        reasoning_trace="1 turn",
        updated=NOON,
    )


def everything() -> dict[str, object]:
    finding = Finding(rule="scope_drift", subject="a.py", evidence=(), confidence=0.9)
    correction = Correction(id="c1", agent="", turn=1, level="nudge", score=7, text="back to it", rules=(), paths=())
    return {"findings": (finding,), "offers": (Offer(correction, "offered"),), "capture": a_capture()}


def test_every_kind_is_noted_with_what_is_there_already_and_in_order(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("before"))
    outbox.open_outbox(store.pages)
    outbox.open_outbox(store.pages)
    before = noted(store)
    assert "step before" in before
    keep(store, a_session(), a_step("after"), **everything())
    assert [one.split()[0] for one in noted(store)[-5:]] == ["step", "verdict", "finding", "correction", "task"]
    rows = {one.kind: one.row for one in outbox.next_batch(store.pages, SHOP)}
    assert rows["finding"]["rule"] == "scope_drift"
    assert rows["correction"]["text"] == "back to it"
    assert rows["task"]["goal"] == "fix the basket"


def test_a_row_written_again_waits_once_at_its_new_place_with_its_newest_content(store: SqliteStore) -> None:
    outbox.open_outbox(store.pages)
    keep(store, a_session(), a_step("one"), a_step("two"))
    taken = outbox.next_batch(store.pages, SHOP)
    keep(store, a_session(), a_step("one", 6))
    outbox.done(store.pages, taken)
    (again,) = [one for one in outbox.next_batch(store.pages, SHOP) if one.kind == "step"]
    assert (again.key, again.row["drift_score"]) == ("one", 6)
    assert again.seq > max(one.seq for one in taken)


def test_numbers_go_on_when_nothing_waits(store: SqliteStore) -> None:
    outbox.open_outbox(store.pages)
    numbers = []
    for name in ("one", "two"):
        keep(store, a_session(), a_step(name))
        batch = outbox.next_batch(store.pages, SHOP)
        numbers += [one.seq for one in batch]
        outbox.done(store.pages, batch)
        assert not outbox.has_waiting(store.pages)
        assert outbox.count_waiting(store.pages) == 0
    assert numbers == sorted(set(numbers))


def test_the_outbox_of_an_earlier_version_goes_on(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("one"))
    for statement in (
        "CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, key TEXT, session TEXT)",
        "INSERT INTO outbox VALUES (41, 'forget', '/work/shop', '/work/shop'), (42, 'step', 'one', 's1')",
        "DELETE FROM outbox WHERE seq = 42",
        "CREATE TRIGGER outbox_steps_insert AFTER INSERT ON steps BEGIN INSERT INTO outbox VALUES (43, '', '', ''); END",
    ):
        store.pages.run(statement)
    outbox.open_outbox(store.pages)
    keep(store, a_session(), a_step("two"))
    first, *rest = outbox.next_batch(store.pages, SHOP)
    assert (first.kind, first.seq, first.project) == (outbox.FORGET, 43, "shop")
    assert {"one", "two"} <= {one.key for one in rest if one.seq > first.seq}


def test_what_is_forgotten_or_of_another_project_is_shipped_no_more(store: SqliteStore) -> None:
    outbox.open_outbox(store.pages)
    keep(store, a_session(), a_step("one"))
    keep(store, a_session("s2", root="/work/private"), replace(a_step("two"), session_id="s2"))
    projects = {one.session: one.project for one in outbox.next_batch(store.pages, SHOP)}
    assert projects == {"s1": "shop", "s2": ""}
    assert not any(one.row for one in outbox.next_batch(store.pages, SHOP) if one.session == "s2")
    store.purge(NOON * 2)
    assert {one.project for one in outbox.next_batch(store.pages, SHOP)} == {""}


def test_without_a_team_nothing_is_noted(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("one"))
    assert not outbox.is_open(store.pages)
    assert outbox.count_waiting(store.pages) == 0
    assert outbox.state(store.pages) == {}
    outbox.open_outbox(store.pages)
    origin = outbox.origin(store.pages)
    outbox.close_outbox(store.pages)
    outbox.close_outbox(store.pages)
    keep(store, a_session(), a_step("two"))
    assert outbox.count_waiting(store.pages) == 0
    outbox.open_outbox(store.pages)
    assert outbox.origin(store.pages) == origin
    assert {"step one", "step two"} <= set(noted(store))


def test_what_is_taken_back_is_not_noted(store: SqliteStore) -> None:
    outbox.open_outbox(store.pages)
    writing = store.pages.writing()
    writing.__enter__()
    store.pages.run("INSERT INTO captures SELECT 's', 'p', 'g', 'a', 0, 9, 0, 0, '[]', '', 0")
    assert outbox.count_waiting(store.pages) == 1
    writing.__exit__(ValueError)
    assert outbox.count_waiting(store.pages) == 0
