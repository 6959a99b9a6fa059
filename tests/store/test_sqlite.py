"""What the suite of stores does not say of the one on disk: many processes, sudden death, damage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import leeboard
from leeboard.errors import EffectError, StateError
from leeboard.model.lookup import Archive, Cursor, Receipt
from leeboard.model.outcome import Outcome
from leeboard.store.database import VERSION
from leeboard.store.sqlite import SqliteStore, open_store
from tests.store_suite import a_session, a_verdict, keep

ROOT = str(Path(leeboard.__file__).parent.parent)
WORKERS, ROUNDS = 50, 4

BUMP = """
import sys
from msgspec.structs import replace
from leeboard.store.sqlite import open_store
from leeboard.model.ledger import Mention
from leeboard.model.outcome import Outcome
from tests.store_suite import a_session, a_step, a_verdict
path, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.read()
store = open_store(path)
for number in range(rounds):
    with store.transaction("s1") as transaction:
        session = transaction.session("s1") or a_session()
        moved = replace(session, events=session.events + 1)
        step = a_step(f"{name}-{number}", files=("a.py",))
        mention = Mention("a.py", 1 << (int(name) % 12))
        verdict = a_verdict(f"v-{name}-{number}")
        transaction.commit(Outcome(session=moved, verdict=verdict, steps=(step,), mentions=(mention,)))
store.close()
"""
DIE_INSIDE = """
import sys
from msgspec.structs import replace
from leeboard.store.sqlite import open_store
from leeboard.model.outcome import Outcome
from tests.store_suite import a_verdict
store = open_store(sys.argv[1])
with store.transaction("s1") as transaction:
    session = transaction.session("s1")
    transaction.commit(Outcome(session=replace(session, events=99), verdict=a_verdict("lost")))
    print("inside", flush=True)
    sys.stdin.read()
"""


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": ROOT},
        text=True,
    )


@pytest.fixture
def crowd(path: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait, imports done, for the same moment."""
    workers = [start(BUMP, path, str(number), str(ROUNDS)) for number in range(WORKERS)]
    yield workers
    for worker in workers:
        worker.kill()
        worker.communicate()


def test_fifty_processes_at_once_lose_nothing(crowd: list[subprocess.Popen[str]], path: str) -> None:
    """From the making of the file on: all of them find it missing."""
    for worker in crowd:
        assert worker.stdin is not None
        worker.stdin.close()
        worker.stdin = None
    complaints = [worker.communicate()[1] for worker in crowd]
    assert [text for text in complaints if text] == []
    store = open_store(path)
    session = store.session("s1")
    assert session is not None
    assert (session.version, session.events) == (WORKERS * ROUNDS, WORKERS * ROUNDS)
    assert len(store.steps("s1")) == len(store.verdicts("s1")) == WORKERS * ROUNDS
    assert store.rows("s1", ["a.py"]) == {"a.py": (1 << 12) - 1}
    store.close()


def test_a_writer_that_is_killed_leaves_no_trace_and_no_lock(store: SqliteStore, path: str) -> None:
    keep(store, a_session())
    with start(DIE_INSIDE, path) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "inside\n"
        assert store.session("s1") == replace(a_session(), version=1), "readers do not wait for a writer"
        writer.send_signal(signal.SIGKILL)
    assert keep(store, replace(a_session(), events=1)) == replace(a_session(), events=1, version=2)
    assert store.verdict("lost") is None


def test_an_error_takes_back_the_whole_batch(store: SqliteStore) -> None:
    def fail_halfway() -> None:
        with store.transaction("s1") as transaction:
            transaction.commit(Outcome(session=a_session(), verdict=a_verdict("v")))
            transaction.set_cursor(Cursor(path="/log", offset=9))
            assert transaction.session("s1") is not None
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()
    assert (store.session("s1"), store.verdict("v"), store.cursor("/log")) == (None, None, None)
    keep(store, replace(a_session(), events=7))
    found = store.session("s1")
    assert found is not None
    assert found.events == 7


def test_a_transaction_commits_its_own_session_only(store: SqliteStore) -> None:
    outcome = Outcome(session=a_session("s1"), verdict=a_verdict("v"))
    with store.transaction("s2") as transaction, pytest.raises(ValueError, match="s1"):
        transaction.commit(outcome)


def test_what_is_written_is_there_for_the_next_process(store: SqliteStore, path: str) -> None:
    kept = keep(store, a_session())
    store.receipt(Receipt(ts=1.0, event="Stop", outcome="ok", note="odd \udcff"))
    store.close()
    again: Archive = open_store(path)
    assert again.session("s1") == kept
    assert again.receipts(1)[0].note == "odd ?"


def test_the_lock_may_lie_elsewhere(path: str, tmp_path: Path) -> None:
    store = open_store(path, lock_path=str(tmp_path / "elsewhere"))
    store.close()
    assert (tmp_path / "elsewhere").exists()
    assert not Path(f"{path}.lock").exists()


@pytest.mark.parametrize(
    "damage", [b"this is not a database at all, whatever its name says" * 9, b"SQLite format 3\0" * 64]
)
def test_a_damaged_file_is_said_and_kept(path: str, damage: bytes) -> None:
    Path(path).parent.mkdir()
    Path(path).write_bytes(damage)
    with pytest.raises(StateError, match="damaged"):
        open_store(path)
    assert Path(path).read_bytes() == damage


def test_damage_inside_is_said(store: SqliteStore, path: str) -> None:
    keep(store, a_session())
    page = store._database.all("SELECT rootpage FROM sqlite_master WHERE name = 'session_hot'")[0][0]
    store.close()
    content = bytearray(Path(path).read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    Path(path).write_bytes(content)
    broken = open_store(path)
    with pytest.raises(StateError, match="damaged"):
        broken.session("s1")
    with pytest.raises(StateError, match="damaged"):
        keep(broken, a_session())
    assert broken.receipts(1) == (), "what is whole can still be read"
    broken.close()


def test_a_newer_database_is_refused(store: SqliteStore, path: str) -> None:
    store._database.run(f"PRAGMA user_version = {VERSION + 1}")
    store.close()
    with pytest.raises(StateError, match="newer Leeboard"):
        open_store(path)


def test_a_full_disk_keeps_what_was_there(store: SqliteStore) -> None:
    kept = keep(store, a_session())
    pages = store._database.all("PRAGMA page_count")[0][0]
    store._database.run(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(EffectError, match="the disk is full"):
        keep(store, replace(a_session(), forced="x" * 100_000))
    assert store.session("s1") == kept
    store._database.run("PRAGMA max_page_count = 100000")
    assert keep(store, a_session()).version == 2


def test_a_folder_nobody_can_write_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EffectError):
        open_store(str(tmp_path / "file" / "leeboard.db"))


def test_a_file_nobody_can_write_can_still_be_read(store: SqliteStore) -> None:
    kept = keep(store, a_session())
    store._database.run("PRAGMA query_only = ON")
    with pytest.raises(EffectError, match="can not be written"):
        keep(store, a_session())
    assert store.session("s1") == kept


def test_opening_loads_little() -> None:
    code = (
        "import sys; import msgspec, sqlite3; known = set(sys.modules); import leeboard.store.sqlite; "
        "print(*sorted(name for name in set(sys.modules) - known if not name.startswith('leeboard')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert set(loaded.split()) <= {"fcntl", "fnmatch", "zlib", "__future__", "_blake2", "errno"}
