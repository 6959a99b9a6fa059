"""Another program gets a group of its own, no file of ours, and an end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.io import process as child
from leeboard.io.process import Bounds
from tests.dead_process import wait_until_gone

ENV = {"PATH": os.environ.get("PATH", os.defpath)}


def test_what_it_printed_and_how_it_ended(tmp_path: Path) -> None:
    ran = child.run(("/bin/sh", "-c", "cat; echo no >&2; exit 3"), str(tmp_path), ENV, Bounds(20), b"said")
    assert (ran.code, ran.out, ran.err) == (3, b"said", b"no\n")


def test_past_its_time_the_whole_group_is_killed(tmp_path: Path) -> None:
    line = "sleep 600 & echo $! >pid; wait"
    ran = child.run(("/bin/sh", "-c", line), str(tmp_path), ENV, Bounds(0.5))
    assert ran.code is None
    wait_until_gone(int((tmp_path / "pid").read_text()))


def test_one_that_prints_without_end_is_killed(tmp_path: Path) -> None:
    assert child.run(("yes",), str(tmp_path), ENV, Bounds(60, most=1 << 16)).code is None


def test_it_gets_no_open_file_of_ours_but_those_it_is_handed(tmp_path: Path) -> None:
    held, other = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(other, True)  # noqa: FBT003 - the system's own signature
    line = f"[ -e /proc/self/fd/{held} ] && ! [ -e /proc/self/fd/{other} ]"
    process = child.start(("/bin/sh", "-c", line), str(tmp_path), ENV, held=(held,))
    try:
        assert child.wait(process, 20) == 0
    finally:
        child.end(process)
        os.close(held)
        os.close(other)


def test_what_can_not_be_started_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        child.run(("no-such-program",), str(tmp_path), ENV, Bounds(1))


def test_our_python_imports_nothing_from_where_it_runs(tmp_path: Path) -> None:
    (tmp_path / "leeboard").mkdir()
    for name in ("leeboard/__init__.py", "sitecustomize.py", "usercustomize.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('theirs')\n")
    env = ENV | {"PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "json.py")}
    words = child.our_python("import leeboard, json; print(leeboard.__file__, *sys.argv[1:])", "a", "b")
    ran = child.run(words, str(tmp_path), env, Bounds(60))
    assert (ran.code, ran.err) == (0, b"")
    assert ran.out.decode().split() == [sys.modules["leeboard"].__file__, "a", "b"]


def test_programs_are_found_neither_where_one_runs_nor_in_the_repository() -> None:
    assert child.search_path("/usr/bin:.::bin:/r/bin:/r:/rest/bin", "/r") == "/usr/bin:/rest/bin"


def test_memory_can_be_hidden_from_others_of_this_user() -> None:
    """3 asks what 4 has set."""
    code = (
        "import ctypes; from leeboard.io.process import hide_memory; hide_memory(); "
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, check=True)
    assert done.stdout == b"0\n"


@pytest.mark.parametrize(
    ("command", "env", "line"),
    [
        ("npm test", {}, r'"C:\Windows\System32\cmd.exe" /d /s /c "npm test"'),
        ("npm test", {"COMSPEC": r"D:\my cmd.exe"}, r'"D:\my cmd.exe" /d /s /c "npm test"'),
        ("npm test", {"SYSTEMROOT": r"D:\Win"}, r'"D:\Win\System32\cmd.exe" /d /s /c "npm test"'),
        ('py -c "print(1)"', {}, r'"C:\Windows\System32\cmd.exe" /d /s /c "py -c "print(1)""'),
        ("npm ci\n\nnpm \\\n  test\n", {}, r'"C:\Windows\System32\cmd.exe" /d /s /c "npm ci & npm    test"'),
    ],
)
def test_a_line_for_the_shell_of_windows(command: str, env: dict[str, str], line: str) -> None:
    assert child.shell_line(command, "windows", env) == line


def test_a_line_for_the_shell_of_other_systems(tmp_path: Path) -> None:
    line = child.shell_line('echo "a\nb"; exit 3', "posix", {})
    ran = child.run(line, str(tmp_path), ENV, Bounds(20))
    assert (ran.code, ran.out) == (3, b"a\nb\n")


def test_what_windows_ends_a_tree_of_processes_with() -> None:
    words = (r"C:\Windows\System32\taskkill.exe", "/F", "/T", "/PID", "12")
    assert child.tree_killer(12, {}) == words
