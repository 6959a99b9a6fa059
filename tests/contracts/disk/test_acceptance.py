"""Acceptance commands on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.contracts.disk.acceptance import TAIL_BYTES, keep_runs, known_runs, run_commands, run_one
from leeboard.model.touch import AcceptanceRun
from tests.dead_process import wait_until_gone


def run(command: str, root: Path, seconds: float = 20.0) -> AcceptanceRun:
    return run_one(command, str(root), "digest", seconds)


def test_pass_and_fail(tmp_path: Path) -> None:
    """SP-15."""
    assert run("true", tmp_path).passed
    failed = run("echo no good; exit 7", tmp_path)
    assert (failed.passed, failed.code, failed.tail, failed.tree) == (False, 7, "no good\n", "digest")


def test_it_runs_in_the_tree_as_a_shell_line(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    assert run("test -f here && echo $((1 + 1)) | grep 2", tmp_path).passed


def test_in_order_and_each_is_announced(tmp_path: Path) -> None:
    heard: list[str] = []
    runs = run_commands(("echo a > f", "cat f"), str(tmp_path), "d", 20.0, heard.append)
    assert heard == ["echo a > f", "cat f"]
    assert [one.tail for one in runs] == ["", "a\n"]


def test_the_whole_group_is_killed_at_the_limit(tmp_path: Path) -> None:
    hung = run("sleep 1000 & echo $! > child; echo waiting; wait", tmp_path, seconds=0.5)
    assert (hung.passed, hung.code) == (False, None)
    assert hung.tail == "waiting\n\nkilled after 0.5 s"
    wait_until_gone(int((tmp_path / "child").read_text()))


def test_what_is_left_behind_neither_hangs_nor_lives_on(tmp_path: Path) -> None:
    left = run("sleep 1000 & echo $! > child; exit 0", tmp_path)
    assert left.passed
    wait_until_gone(int((tmp_path / "child").read_text()))


def test_who_is_killed_takes_what_it_runs_along(tmp_path: Path) -> None:
    """Killed the hard way: nothing of it can clean up any more."""
    os.mkfifo(tmp_path / "begun")
    program = "import sys; from leeboard.contracts.disk.acceptance import run_one; run_one(sys.argv[1], sys.argv[2], '', 1000)"
    command = "sleep 1000 & echo $$ $! > begun; wait"
    with subprocess.Popen((sys.executable, "-c", program, command, str(tmp_path)), start_new_session=True) as runner:
        numbers = (tmp_path / "begun").read_text().split()
        runner.kill()
    for number in numbers:
        wait_until_gone(int(number))


def test_a_command_has_neither_the_guard_for_a_child_nor_its_pipe_for_stdin(tmp_path: Path) -> None:
    """One that waits for every child it has comes to an end."""
    program = "import os, sys; sys.stdin.read(); os.wait()"
    alone = run(f'exec {sys.executable} -c "{program}"', tmp_path)
    assert "No child processes" in alone.tail


def test_only_the_end_of_much_output_is_kept(tmp_path: Path) -> None:
    much = run("head -c 5000000 /dev/zero | tr '\\0' x; echo end", tmp_path)
    assert much.passed
    assert len(much.tail) <= TAIL_BYTES
    assert much.tail.endswith("xend\n")


def test_a_secret_in_the_output_is_not_kept(tmp_path: Path) -> None:
    secret = "ghp_" + "Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    assert secret not in run(f"echo token={secret}", tmp_path).tail


@pytest.mark.parametrize("command", ["nul\x00byte", "exit 300", "definitely-not-a-program"])
def test_odd_commands_fail_with_words(command: str, tmp_path: Path) -> None:
    assert not run(command, tmp_path).passed


def test_a_result_counts_for_its_own_tree_only(tmp_path: Path) -> None:
    path = str(tmp_path / "acceptance.json")
    keep_runs(path, (AcceptanceRun(command="a", passed=True, tree="one"),))
    keep_runs(path, (AcceptanceRun(command="b", passed=True, tree="one"),))
    assert [run.command for run in known_runs(path, ("a", "b", "c"), "one")] == ["a", "b"]
    assert known_runs(path, ("a",), "two") == ()
    keep_runs(path, (AcceptanceRun(command="a", passed=False, tree="two"),))
    assert known_runs(path, ("a",), "one") == ()


def test_what_can_not_be_read_is_as_good_as_not_run(tmp_path: Path) -> None:
    path = tmp_path / "acceptance.json"
    assert known_runs(str(path), ("a",), "d") == ()
    path.write_bytes(b'{"runs": [{')
    assert known_runs(str(path), ("a",), "d") == ()
