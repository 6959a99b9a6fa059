"""What every store must do with what agents know of files."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.known import Known
from leeboard.model.lookup import Archive
from tests.store_suite import NOON, a_session, keep

ROOT = "/work/shop"
KNOWN = Known(
    session="s1",
    agent="",
    path="src/a.py",
    root=ROOT,
    digest="d1",
    plain="p1",
    lines=b"\0\xff" * 8,
    count=2,
    seen=((1, 2),),
    stamp=(3, 2**62, 2**62, 1),
    time=NOON,
    wrote=True,
    stale=True,
    beside="make",
)


class KnownSuite:
    def test_what_an_agent_knows_comes_back(self, store: Archive) -> None:
        keep(store, a_session(), known=(KNOWN, replace(KNOWN, agent="helper", digest="d2")))
        assert store.known("s1", "", ROOT, "src/a.py") == KNOWN
        assert store.known("s1", "nobody", ROOT, "src/a.py") is None
        with store.transaction("s1") as transaction:
            assert transaction.known("s1", "", ROOT, "src/a.py") == KNOWN
            assert len(transaction.newest_known("s1", ROOT, 9)) == 2
            assert transaction.writers(ROOT, "src/a.py", "d2")[0].agent == "helper"

    def test_the_newest_word_counts(self, store: Archive) -> None:
        keep(store, a_session(), known=(KNOWN,))
        keep(store, a_session(), known=(replace(KNOWN, digest="d2", wrote=False),))
        found = store.known("s1", "", ROOT, "src/a.py")
        assert found is not None
        assert (found.digest, found.wrote) == ("d2", False)

    def test_the_newest_come_first_and_light(self, store: Archive) -> None:
        rows = tuple(replace(KNOWN, path=f"{number}.py", time=NOON + number) for number in range(5))
        keep(store, a_session(), known=rows)
        found = store.newest_known("s1", ROOT, 3)
        assert [one.path for one in found] == ["4.py", "3.py", "2.py"]
        assert {one.lines for one in found} == {b""}

    def test_another_work_tree_has_rows_of_its_own(self, store: Archive) -> None:
        other = replace(KNOWN, root="/work/shop-2", digest="d2")
        keep(store, a_session(), known=(KNOWN, other))
        assert store.known("s1", "", ROOT, "src/a.py") == KNOWN
        assert store.known("s1", "", "/work/shop-2", "src/a.py") == other
        assert [one.root for one in store.newest_known("s1", "/work/shop-2", 9)] == ["/work/shop-2"]

    def test_the_newest_of_one_agent(self, store: Archive) -> None:
        helper = replace(KNOWN, agent="helper", time=NOON + 1)
        keep(store, a_session(), known=(KNOWN, helper))
        assert [one.agent for one in store.newest_known("s1", ROOT, 1)] == ["helper"]
        assert [one.agent for one in store.newest_known("s1", ROOT, 1, "")] == [""]

    def test_who_left_a_file_so_is_found_in_every_session(self, store: Archive) -> None:
        keep(store, a_session(), known=(KNOWN,))
        other = replace(KNOWN, session="s2", time=NOON + 5)
        keep(store, a_session("s2"), known=(other, replace(other, agent="reader", wrote=False)))
        assert [one.session for one in store.writers(ROOT, "src/a.py", "d1")] == ["s2", "s1"]
        assert store.writers(ROOT, "src/a.py", "d9") == ()
        assert store.writers("/elsewhere", "src/a.py", "d1") == ()

    def test_it_is_purged_with_its_session(self, store: Archive) -> None:
        keep(store, a_session(), known=(KNOWN,))
        assert store.purge(NOON + 1) == 1
        assert store.known("s1", "", ROOT, "src/a.py") is None
        assert store.writers(ROOT, "src/a.py", "d1") == ()
