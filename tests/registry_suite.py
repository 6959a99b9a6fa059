"""What every store must do with the registry and with judged signals."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.errors import ConfigError
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Archive
from leeboard.model.outcome import Judged
from leeboard.model.verdict import Evidence, Finding, Signal
from tests.store_suite import NOON, a_session, a_verdict, keep, raised

READ = Entry(kind="read", key="src/a.py", turn=2, call="toolu_1", path="src/a.py", amount=40, digest="d1")
JUDGED = Judged(
    id="s0a1b2",
    agent="",
    turn=4,
    subclass="A1",
    urgency="2.7",
    disposition="QUEUE",
    state="waiting",
    rule="duplicate_build",
    subject="src/a.py:verify",
    path="src/a.py",
    line=3,
    confidence=0.9,
    message="Use auth.verify.",
    reason="It is a copy.",
    trace=("A1 DIFF: 3 x 0.9 = 2.7",),
)


class RegistrySuite:
    def test_entries_are_found_by_kind_and_key_newest_first(self, store: Archive) -> None:
        again, other = replace(READ, turn=5, call="toolu_2", digest="d2"), replace(READ, key="src/b.py", turn=3)
        keep(store, a_session(), entries=(READ, other))
        keep(store, a_session(), entries=(again, replace(READ, kind="built", key="verify")))
        assert store.entries("s1", "read", ["src/a.py"]) == (again, READ)
        assert store.entries("s1", "read", ["src/a.py", "src/b.py", "src/a.py"]) == (again, other, READ)
        assert store.entries("s1", "read", []) == ()
        assert store.entries("s2", "read", ["src/a.py"]) == ()
        with store.transaction("s1") as transaction:
            assert transaction.entries("s1", "built", ["verify"])[0].key == "verify"

    def test_the_newest_of_a_kind(self, store: Archive) -> None:
        plans = tuple(Entry(kind="plan", key=str(number), turn=number) for number in range(5))
        keep(store, a_session(), entries=plans)
        assert [entry.turn for entry in store.newest("s1", "plan", 2)] == [4, 3]
        assert store.newest("s1", "flag", 9) == ()
        with store.transaction("s1") as transaction:
            assert len(transaction.newest("s1", "plan", 9)) == 5

    def test_a_signal_is_kept_in_its_latest_state(self, store: Archive) -> None:
        second = replace(JUDGED, id="s0a1b3", turn=6)
        keep(store, a_session(), judged=(JUDGED, second))
        keep(store, a_session(), judged=(replace(JUDGED, state="delivered", spoken_turn=5),))
        assert store.signals("s1") == (replace(JUDGED, state="delivered", spoken_turn=5), second)
        assert store.signals("s2") == ()

    def test_a_signal_is_found_by_the_start_of_its_id(self, store: Archive) -> None:
        keep(store, a_session(), judged=(JUDGED, replace(JUDGED, id="s0a1b3")))
        assert store.signal("s0a1b2") == JUDGED
        assert store.signal("szz") is None
        assert store.signal("") is None
        assert raised(ConfigError, store.signal, "s0a")

    def test_a_finding_keeps_its_signal(self, store: Archive) -> None:
        signal = Signal(subclass="B2", rework_cost=3, self_correct_prob=0.8, floor=2.0, symbol="run")
        finding = Finding(
            rule="injection",
            subject="a.py:run",
            evidence=(Evidence("x"),),
            path="a.py",
            line=7,
            message="m",
            signal=signal,
        )
        keep(store, a_session(), verdict=a_verdict("v1"), findings=(finding,))
        assert store.findings("v1") == (finding,)

    def test_purging_forgets_them(self, store: Archive) -> None:
        keep(store, a_session(updated=NOON), entries=(READ,), judged=(JUDGED,))
        keep(store, a_session("s2", updated=NOON + 10), entries=(READ,))
        store.purge(NOON + 5)
        assert store.entries("s1", "read", ["src/a.py"]) == ()
        assert store.newest("s1", "read", 9) == ()
        assert store.signals("s1") == ()
        assert len(store.newest("s2", "read", 9)) == 1
