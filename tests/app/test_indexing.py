"""The worker in the background: real processes, one at a time, that end by themselves."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leeboard.app.indexing import keep_up, start_refresh
from leeboard.source.index.cache import is_refreshing
from leeboard.source.index.state import is_due, read_state
from tests.hook_process import HookProcess, edit

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))
    repo = tmp_path / "repo"
    repo.mkdir()
    subprocess.run(("git", "init", "-q"), cwd=repo, check=True)
    for number in range(5):
        (repo / f"part{number}.py").write_text(f"import requests\n\ndef part_{number}(): ...\n")
    return str(repo)


def wait_until_done(root: str) -> None:
    end = time.monotonic() + PATIENCE
    while is_due(root) or is_refreshing(root):
        assert time.monotonic() < end, "the worker did not finish"
        os.sched_yield()


def test_a_worker_makes_the_index_and_ends(root: str) -> None:
    assert start_refresh(root, os.environ)
    wait_until_done(root)
    state = read_state(root)
    assert (state.files, state.pending) == (5, 0)
    assert [habit.usual for habit in state.habits] == ["requests"]
    assert not start_refresh(root, os.environ), "there is nothing to do"


def test_when_head_moved_it_is_refreshed(root: str) -> None:
    run_here(root)
    subprocess.run(("git", "add", "-A"), cwd=root, check=True)
    assert start_refresh(root, os.environ)
    wait_until_done(root)


def test_while_work_goes_on_an_index_that_stands_is_kept_up(root: str) -> None:
    subprocess.run(("git", "add", "-A"), cwd=root, check=True)
    assert not keep_up(root, os.environ), "there is none yet"
    run_here(root)
    assert not keep_up(root, os.environ), "there is nothing to do"
    subprocess.run(("git", "rm", "-q", "--cached", "part0.py"), cwd=root, check=True)
    assert not keep_up(root, {"LEEBOARD_INDEX": "0"})
    assert keep_up(root, os.environ)
    wait_until_done(root)


def test_where_git_does_not_tell_what_changed_nobody_looks_every_minute(root: str, tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").rename(tmp_path / "elsewhere")
    run_here(root)
    assert not keep_up(root, os.environ)


@pytest.mark.parametrize(("name", "files"), [("PreToolUse", 5), ("PostToolUse", 6)])
def test_a_written_file_is_indexed_before_the_next_prompt(root: str, tmp_path: Path, name: str, files: int) -> None:
    subprocess.run(("git", "add", "-A"), cwd=root, check=True)
    run_here(root)
    Path(root, "written.py").write_text("def written(): ...\n")
    subprocess.run(("git", "add", "-A"), cwd=root, check=True)
    env = {"LEEBOARD_RESIDENT": "0", "LEEBOARD_INDEX": None, "LEEBOARD_CACHE_DIR": os.environ["LEEBOARD_CACHE_DIR"]}
    hook = HookProcess(folder=str(tmp_path))
    assert hook.run(edit("t1", f"{root}/written.py", name=name, cwd=root), env).returncode == 0
    if files > 5:
        wait_until_done(root)
    assert (read_state(root).files, is_due(root)) == (files, files == 5)


def test_it_can_be_switched_off(root: str) -> None:
    assert not start_refresh(root, {"LEEBOARD_INDEX": "0"})
    assert not start_refresh("", os.environ)
    assert not read_state(root).exists


def test_the_caller_has_no_child_to_wait_for(root: str) -> None:
    """Asked in a process of its own: what other tests have started is nobody's child there."""
    code = (
        "import os, sys\nfrom leeboard.app.indexing import start_refresh\n"
        f"assert start_refresh({root!r}, os.environ)\n"
        "try:\n    os.waitpid(-1, os.WNOHANG)\nexcept ChildProcessError:\n    sys.exit(7)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 7
    wait_until_done(root)


def test_many_callers_and_one_index(root: str) -> None:
    code = f"import os; from leeboard.app.indexing import start_refresh; start_refresh({root!r}, os.environ)"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    callers = [subprocess.Popen((sys.executable, "-c", code), env=env) for _ in range(4)]
    assert [caller.wait(PATIENCE) for caller in callers] == [0, 0, 0, 0]
    wait_until_done(root)
    assert read_state(root).files == 5


def test_the_worker_is_nice(root: str) -> None:
    """In a process of its own: niceness can not be taken back."""
    assert run_here(root) >= 15
    assert read_state(root).files == 5


def run_here(root: str) -> int:
    code = f"import os; from leeboard.app.indexing import run; run({root!r}); print(os.nice(0))"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run((sys.executable, "-c", code), env=env, capture_output=True, text=True, check=True)
    return int(done.stdout)
