"""The processes above one, as the system tells of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.io.parents import lineage, processors, start_of, terminal_of

IS_TOLD = Path("/proc/self/environ").exists()

SHOW = """
import json, os
from leeboard.io.parents import lineage
os.environ.pop("MARK", None)
print(json.dumps([(process.pid, process.env.get("MARK", "")) for process in lineage(os.getpid())][:3]))
"""


def test_each_has_the_environment_it_was_started_with() -> None:
    """Neither `env -u` nor a variable that a process drops itself hides what is above it."""
    line = f"unset MARK; MARK=inner {sys.executable} -c '{SHOW}'; :"
    env = os.environ | {"MARK": "outer"}
    done = subprocess.run(("/bin/sh", "-c", line), env=env, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    if not IS_TOLD:
        assert found == []
        return
    (_, own), (_, shell), (test_run, _) = found
    assert (own, shell, test_run) == ("inner", "outer", os.getpid())


def test_a_name_may_be_odd(tmp_path: Path) -> None:
    odd = tmp_path / "a) (b) 1"
    odd.symlink_to("/bin/sh")
    with subprocess.Popen((odd, "-c", "read line; :"), stdin=subprocess.PIPE) as process:
        above = list(lineage(process.pid))
        assert process.stdin is not None
        process.stdin.close()
    assert [process.pid for process in above[:2]] == ([process.pid, os.getpid()] if IS_TOLD else [])
    assert all(process.name in {"a) (b) 1", "sh"} for process in above[:1])


def test_a_long_environment_is_read_to_its_end() -> None:
    """More than one piece of it, with the mark behind."""
    env = {f"A{at}": "x" * 1_000 for at in range(60)} | {"MARK": "last"}
    with subprocess.Popen(("/bin/sh", "-c", "echo; read line; :"), stdin=-1, stdout=-1, env=env) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = next(lineage(process.pid), None)
        told = (
            [found.env.get("MARK"), found.env_with([b"MARK"]).get("MARK"), found.env_with([b"NONE"])] if found else []
        )
        assert process.stdin is not None
        process.stdin.close()
    assert told == (["last", "last", {}] if IS_TOLD else [])


@pytest.mark.parametrize("pid", [0, -1, 2**31 - 1])
def test_no_such_process(pid: int) -> None:
    assert list(lineage(pid)) == []


def test_there_is_a_processor_for_us() -> None:
    assert processors() > 0


def test_who_has_a_terminal_is_known() -> None:
    """The process of the tests has one, and a session of its own has none."""
    assert terminal_of(os.getpid())
    code = "import os, sys; from leeboard.io.parents import terminal_of; sys.exit(terminal_of(os.getpid()))"
    assert subprocess.run((sys.executable, "-c", code), start_new_session=True, check=False).returncode == 0
    assert terminal_of(0) == 0


def test_a_process_is_known_by_when_it_was_started() -> None:
    with subprocess.Popen((sys.executable, "-I", "-S", "-c", "input()"), stdin=subprocess.PIPE) as child:
        assert start_of(child.pid) >= start_of(os.getpid()) > 0
        child.communicate(b"\n")
    assert start_of(child.pid) == start_of(0) == 0
