"""Pages of what is kept: none is lost between two, and none comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.model.outcome import Outcome
from leeboard.store import paging
from leeboard.store.paging import SessionFilter, SessionPlace
from leeboard.store.sqlite import SqliteStore, open_store
from tests.store_suite import a_session, a_step, a_verdict


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(open_store(str(tmp_path / "l.db"))) as made:
        yield made


def keep(store: SqliteStore, name: str, updated: float, project: str = "/a", status: str = "active") -> None:
    session = replace(a_session(), id=name, root=project, updated=updated, status=status)
    with store.transaction(name) as transaction:
        for at in range(3):
            verdict = replace(
                a_verdict(f"{name}-{at}"), session=name, tool_use_id=f"t{at}", rules=("tangent",) * (at == 2)
            )
            step = replace(a_step(f"{name}:t{at}"), session_id=name)
            transaction.commit(Outcome(session=session, verdict=verdict, steps=(step,)))


def test_every_session_is_on_one_page(store: SqliteStore) -> None:
    for at in range(7):
        keep(store, f"s{at}", 1.0 + at // 2, "/a" if at % 2 else "/b", "completed" if at == 3 else "active")
    seen: list[str] = []
    place: SessionPlace | None = None
    while True:
        found = paging.session_slice(store.pages, SessionFilter(), place, 3)
        seen += [session.id for session in found.sessions]
        place = found.following
        if place is None:
            break
    assert seen == ["s6", "s5", "s4", "s3", "s2", "s1", "s0"]
    assert paging.projects(store.pages) == ("/a", "/b")
    only = paging.session_slice(store.pages, SessionFilter(project="/a", status="completed"), None, 9)
    assert [session.id for session in only.sessions] == ["s3"]


def test_events_go_back_and_forth(store: SqliteStore) -> None:
    keep(store, "s", 1.0)
    keep(store, "other", 1.0)
    newest = paging.verdicts_before(store.pages, "s", 0, 2)
    assert [one.verdict.id for one in newest] == ["s-2", "s-1"]
    older = paging.verdicts_before(store.pages, "s", newest[-1].row, 2)
    assert [one.verdict.id for one in older] == ["s-0"]
    since = paging.verdicts_after(store.pages, "s", older[0].row, 9)
    assert [one.verdict.id for one in since] == ["s-1", "s-2"]
    assert [one.verdict.id for one in paging.judged_verdicts(store.pages, "s", 9)][-1] == "s-2"
    assert set(paging.steps_named(store.pages, ["s:t0", "s:t1", "nobody"])) == {"s:t0", "s:t1"}
    assert paging.findings_named(store.pages, ["s-2"]) == {}
    assert paging.signals_before(store.pages, "s", 0, 9) == ()


def test_a_change_of_somebody_else_is_seen(store: SqliteStore, tmp_path: Path) -> None:
    keep(store, "s", 1.0)
    before = paging.changes_seen(store.pages)
    assert paging.changes_seen(store.pages) == before
    with closing(open_store(str(tmp_path / "l.db"))) as other:
        keep(other, "t", 2.0)
    assert paging.changes_seen(store.pages) != before
