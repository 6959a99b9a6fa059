"""Nothing of a command outlives it, however it tried to get away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.io.parents import HIGHEST_LIMIT, LIMIT_MARK
from leeboard.io.process import our_python
from leeboard.io.warden import descendants

WARDEN = "from leeboard.io.warden import main; main()"
LIMIT = str(HIGHEST_LIMIT - 1)
WAYS = {
    "in the background": "(exec sleep 600) & echo $! > {pids}",
    "in a session of its own": "setsid sh -c 'echo $$ > {pids}; exec sleep 600' & sleep 0.3",
    "forked twice": "( ( sh -c 'echo $$ > {pids}; exec sleep 600' & ) & ); sleep 0.3",
    "without its environment": "( env -i setsid /bin/sh -c 'echo $$ > {pids}; exec sleep 600' & ) ; sleep 0.3",
}


def run(command: str) -> subprocess.CompletedProcess[bytes]:
    with subprocess.Popen(our_python(WARDEN, LIMIT, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        return subprocess.CompletedProcess(command, process.wait(), out)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left(tmp_path: Path, way: str) -> None:
    pids = tmp_path / "pids"
    done = run(WAYS[way].format(pids=pids))
    assert done.returncode == 0
    assert not Path(f"/proc/{int(pids.read_text())}").exists()


@pytest.mark.parametrize(("command", "code"), [("exit 3", 3), ("true", 0), ("kill -TERM $$", -15), ("kill -9 $$", -9)])
def test_it_ends_as_the_command_did(command: str, code: int) -> None:
    assert run(command).returncode == code
    assert run("echo said; cat").stdout == b"said\n", "it hears nothing, and does not wait for anybody"


def test_it_ends_with_who_started_it(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = f"env -i setsid /bin/sh -c 'echo $$ > {pids}.new; mv {pids}.new {pids}; exec sleep 600' & echo on; wait"
    with subprocess.Popen(our_python(WARDEN, LIMIT, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        while not pids.exists():
            os.sched_yield()
        process.stdin.close()
        assert process.wait() == -9
    assert not Path(f"/proc/{int(pids.read_text())}").exists()


def test_who_is_below_a_process() -> None:
    with subprocess.Popen((sys.executable, "-c", "input()"), stdin=subprocess.PIPE) as process:
        assert process.pid in descendants(os.getpid())
    assert process.pid not in descendants(os.getpid())


DECIDES = """
import fcntl, os, pty, sys, termios
sys.path[:] = {path!r}
from leeboard.app.hook_origin import agent_above, agent_around, told_by_agent
from leeboard.surfaces.cli.person import is_person
fcntl.ioctl(pty.openpty()[1], termios.TIOCSCTTY, 0)
sys.stdout.write(repr((agent_above(), agent_around(os.getpid()), told_by_agent({{}}, os.getpid()), is_person())))
"""


def test_what_has_killed_its_warden_is_still_no_person(tmp_path: Path) -> None:
    """With nobody above it, no environment and a terminal of its own: the limit is what it can not take off."""
    script = tmp_path / "decide.py"
    script.write_text(DECIDES.format(path=sys.path))
    away = f"kill -9 $PPID; ulimit -x unlimited; env -i HOME={tmp_path} setsid {sys.executable} -I -S {script} & exit"
    with subprocess.Popen(our_python(WARDEN, LIMIT, away), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        assert process.wait() == -9
    assert said.decode() == repr((LIMIT_MARK, LIMIT_MARK, True, False))
