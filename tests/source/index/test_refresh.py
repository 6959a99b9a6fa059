from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.source.index import cache
from leeboard.source.index.extract import name_words
from leeboard.source.index.refresh import BUSY, refresh
from leeboard.source.index.state import read_state
from leeboard.source.index.symbols import open_symbols

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree

ROOT = Path(__file__).resolve().parents[3]


def names(tree: WorkTree, name: str) -> list[str]:
    symbols = open_symbols(tree.root)
    assert symbols is not None
    return [item.path for item in symbols.named(name_words(name)) if item.name == name]


def test_names_first_then_everything(tree: WorkTree) -> None:
    first = refresh(tree.root, lambda: False)
    assert (first.seen, first.read, first.note) == (2, 2, "")
    state = read_state(tree.root)
    assert (state.files, state.pending, state.functions) == (2, 2, 0)
    assert refresh(tree.root).parsed == 2
    state = read_state(tree.root)
    assert (state.pending, state.functions) == (0, 1)


def test_a_second_refresh_reads_nothing(tree: WorkTree) -> None:
    refresh(tree.root)
    again = refresh(tree.root)
    assert (again.read, again.gone, again.parsed) == (0, 0, 0)


def test_changes_new_files_and_files_that_are_gone(tree: WorkTree) -> None:
    refresh(tree.root)
    tree.write("app/web.py", "class OtherPage:\n    pass\n")
    tree.write("app/new.py", "def fresh_start(): ...\n")
    tree.remove("app/billing.py")
    done = refresh(tree.root)
    assert (done.read, done.gone) == (2, 1)
    assert names(tree, "OtherPage") == ["app/web.py"]
    assert names(tree, "fresh_start") == ["app/new.py"]
    assert names(tree, "sum_invoices") == names(tree, "WebPage") == []


def test_a_change_that_is_taken_back_is_seen(tree: WorkTree) -> None:
    refresh(tree.root)
    tree.write("app/web.py", "class OtherPage:\n    pass\n")
    refresh(tree.root)
    tree.git("checkout", "-q", "app/web.py")
    refresh(tree.root)
    assert names(tree, "WebPage") == ["app/web.py"]
    assert names(tree, "OtherPage") == []


def test_another_branch_and_back_costs_no_reading(tree: WorkTree) -> None:
    refresh(tree.root)
    tree.git("checkout", "-qb", "other")
    tree.write("app/web.py", "class OtherPage:\n    pass\n")
    tree.commit()
    assert refresh(tree.root).read == 1
    tree.git("checkout", "-q", "main")
    assert refresh(tree.root).read == 0
    assert names(tree, "WebPage") == ["app/web.py"]


def test_a_second_work_tree_costs_no_reading(tree: WorkTree, tmp_path: Path) -> None:
    refresh(tree.root)
    tree.git("worktree", "add", "-q", str(tmp_path / "second"))
    done = refresh(str(tmp_path / "second"))
    assert (done.seen, done.read, done.parsed) == (2, 0, 0)


def test_a_written_file_is_looked_at_alone(tree: WorkTree) -> None:
    refresh(tree.root)
    tree.function("app/web.py", "fresh_start")
    done = refresh(tree.root)
    assert (done.seen, done.read, done.parsed) == (1, 1, 1)
    assert names(tree, "fresh_start") == ["app/web.py"]
    assert read_state(tree.root).pending == 0


def test_outside_of_git(folder: WorkTree) -> None:
    folder.write("a.py", "def fresh_start(): ...\n")
    assert refresh(folder.root).read == 1
    assert refresh(folder.root).read == 0
    folder.remove("a.py")
    assert refresh(folder.root).gone == 1


def test_who_finds_another_at_work_leaves(tree: WorkTree) -> None:
    path = cache.index_file(tree.root)
    refresh(tree.root)
    with Path(f"{path}.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert refresh(tree.root).note == BUSY
        assert cache.is_refreshing(tree.root)
    assert not cache.is_refreshing(tree.root)


def test_a_torn_index_is_made_anew(tree: WorkTree) -> None:
    refresh(tree.root)
    path = Path(cache.index_file(tree.root))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))
    done = refresh(tree.root)
    assert (done.note, names(tree, "WebPage")) == ("", ["app/web.py"])


@pytest.mark.parametrize("place", ["/dev/null/cache", "/proc/none"])
def test_a_cache_that_can_not_be_written_is_said(tree: WorkTree, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", place)
    assert "can not write" in refresh(tree.root).note
    assert open_symbols(tree.root) is None


def test_a_full_disk_is_said_and_nothing_breaks(tree: WorkTree) -> None:
    """A limit on the size of files stands for the disk: what is written beyond it fails."""
    for number in range(200):
        tree.function(f"app/part{number}.py", f"part_{number}")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        f"from leeboard.source.index.refresh import refresh; print(refresh({tree.root!r}).note)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run((sys.executable, "-c", code), env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("can not write")
    assert open_symbols(tree.root) is None
    assert (refresh(tree.root).note, read_state(tree.root).files) == ("", 202)


def test_it_can_be_broken_off_and_goes_on(tree: WorkTree) -> None:
    tree.write("AGENTS.md", "Use httpx, not requests.\n")
    refresh(tree.root, lambda: False)
    broken_off = read_state(tree.root)
    assert (broken_off.files, broken_off.pending, broken_off.habits) == (3, 3, ())
    refresh(tree.root)
    state = read_state(tree.root)
    assert (state.pending, [habit.usual for habit in state.habits]) == (0, ["httpx"])


def test_a_killed_refresher_leaves_a_sound_index(tree: WorkTree) -> None:
    for number in range(300):
        tree.function(f"app/part{number}.py", f"part_{number}")
    code = f"from leeboard.source.index.refresh import refresh; refresh({tree.root!r})"
    with subprocess.Popen((sys.executable, "-c", code), env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline and not read_state(tree.root).functions:
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    done = refresh(tree.root)
    state = read_state(tree.root)
    assert (done.note, state.files, state.pending, state.functions) == ("", 302, 0, 301)
