"""What the suite of stores does not say of the one for replays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import leeboard
from leeboard.model.lookup import Archive, Transaction
from leeboard.model.outcome import Offer, Outcome
from leeboard.model.verdict import Correction
from leeboard.store.memory import MemoryStore
from tests.store_suite import a_session, a_step, a_verdict, keep


def test_it_is_a_store_and_its_own_transaction() -> None:
    store = MemoryStore()
    transaction: Transaction = store.transaction("s1")
    archive: Archive = store
    assert (transaction, archive) == (store, store)


def test_without_rows_only_what_steering_needs_is_kept() -> None:
    store = MemoryStore(keep_rows=False)
    correction = Correction(id="c", agent="", turn=1, level="nudge", score=7, text="", rules=(), paths=())
    keep(store, a_session(), a_step("s", is_key_decision=True), key="k", offers=(Offer(correction, "waiting"),))
    assert store.session("s1") is not None
    assert store.answered("s1", "k") is not None
    assert not any((store.steps("s1"), store.verdicts("s1"), store.corrections("s1")))
    assert store.past_steps("s1", [], [], []) == ()


def test_a_commit_belongs_to_its_transaction() -> None:
    store = MemoryStore()
    outcome = Outcome(session=a_session("s1"), verdict=a_verdict("v"))
    with store.transaction("s2"), pytest.raises(ValueError, match="s1"):
        store.commit(outcome)
    with pytest.raises(ValueError, match="s1"):
        store.commit(outcome)


def test_a_replay_loads_no_database() -> None:
    code = "import sys, leeboard.store.memory; sys.exit('sqlite3' in sys.modules)"
    root = str(Path(leeboard.__file__).parent.parent)
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
