from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import leeboard.rules
from leeboard.app.indexing import take_lock
from leeboard.store.sqlite import open_store
from leeboard.surfaces import hook_client, resident
from tests.hook_process import HookProcess, edit, prompt

STRAY = edit("t1", "/repo/src/styles/theme.css")


def environment(process: HookProcess) -> hook_client.Environment:
    return {os.fsencode(name): os.fsencode(value) for name, value in process.environment().items()}


def socket_of(process: HookProcess) -> str:
    return os.fsdecode(hook_client.socket_path(environment(process)))


def send(process: HookProcess, message: bytes) -> bytes:
    """All that comes back."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(socket_of(process))
        connection.sendall(message)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.fixture
def process(tmp_path: Path) -> HookProcess:
    return HookProcess(folder=str(tmp_path))


def test_it_answers_a_client_and_closes_the_door_to_others(process: HookProcess) -> None:
    with process.resident():
        assert send(process, hook_client.request(environment(process), prompt("fix it"))) == b"0\n"
        path = Path(socket_of(process))
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(path.parent.iterdir()) == [], "neither socket nor lock are left"
    with closing(open_store(f"{process.state_dir}/leeboard.db")) as store:
        assert [receipt.event for receipt in store.receipts(9)] == ["UserPromptSubmit"]


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00" * 10_000,
        b"leeboard-1 1 1\nabc",
        b"leeboard-1 1 -1 1\nabc",
        b"leeboard-1 1 1 99\nabc",
        b"leeboard-1 1 1 99999999999\nabc",
        b"leeboard-1 1 1 1\nabc-and-more",
        b"leeboard-2 1 1 1\nabc",
        b"leeboard-1 " + b"9" * 5_000,
    ],
)
def test_a_malformed_request_is_dropped_and_the_next_one_answered(process: HookProcess, message: bytes) -> None:
    with process.resident():
        assert send(process, message) == b""
        assert send(process, hook_client.request(environment(process), b"garbage")) == b"0\n"


def test_each_client_is_answered_in_its_own_environment(process: HookProcess) -> None:
    with process.resident({"LEEBOARD_PROFILE": "observe"}):
        process.run(prompt("fix the auth bug, only touch src/auth"))
        denied = process.run(STRAY, {"LEEBOARD_PROFILE": "enforce"})
        silent = process.run(
            edit("t2", "/repo/src/styles/theme.css", session_id="another"), {"LEEBOARD_PROFILE": "observe"}
        )
    assert b'"deny"' in denied.stdout
    assert silent.stdout == b""


def test_another_package_ends_it_and_gets_its_place(process: HookProcess) -> None:
    """The client of an upgraded package judges by itself and starts the next resident."""
    with process.resident() as running:
        message = b"leeboard-1 5 0 2\nother{}"
        assert send(process, message) == b""
        assert running.wait() == 0
    assert not Path(socket_of(process)).exists()
    lock = take_lock(socket_of(process))
    assert lock is not None
    os.close(lock)


def test_a_changed_source_file_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("one = 1\n", encoding="utf-8")
    sources = {str(module): resident._look(str(module))}
    assert not resident.changed_since(sources)
    module.write_text("one = 111\n", encoding="utf-8")
    assert resident.changed_since(sources)
    module.unlink()
    assert resident.changed_since(sources)
    monkeypatch.setitem(sys.modules, "without_a_file", type(sys)("without_a_file"))
    assert resident.__file__ in resident.look_at_sources()


def test_a_rule_that_is_dropped_in_is_noticed() -> None:
    (folder,) = leeboard.rules.__path__
    assert resident.look_at_sources()[folder] == resident._look(folder) != (0, 0, 0)


def test_it_ends_when_nobody_asks(process: HookProcess) -> None:
    with process.resident({"LEEBOARD_IDLE_SECONDS": "0.1"}) as running:
        assert running.wait() == 0
    assert not Path(socket_of(process)).exists()


@pytest.mark.parametrize(
    ("told", "seconds"), [("", 600), ("5", 5), ("0.5", 0.5), ("x", 600), ("-1", 600), ("nan", 600)]
)
def test_how_long_it_waits(told: str, seconds: float) -> None:
    assert resident.idle_seconds({"LEEBOARD_IDLE_SECONDS": told}) == seconds


def test_it_ends_when_its_socket_was_replaced(process: HookProcess) -> None:
    path = Path(socket_of(process))
    with process.resident() as running:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            path.unlink()
            path.write_text("somebody else's", encoding="utf-8")
        assert running.wait() == 0
    assert path.read_text(encoding="utf-8") == "somebody else's"


def test_one_that_somebody_stopped_is_ended_and_the_next_one_begins(process: HookProcess) -> None:
    """It would hold its lock, and the one of the database, for as long as it lives."""
    process.run(prompt("fix the auth bug, only touch src/auth"), {"LEEBOARD_RESIDENT": "0"})
    with process.resident() as stopped:
        os.kill(stopped.pid, signal.SIGSTOP)
        env = {"LEEBOARD_PROFILE": "enforce", "LEEBOARD_IDLE_SECONDS": "0.1"}
        assert b'"permissionDecision":"deny"' in process.run(STRAY, env).stdout
        assert stopped.wait() == -signal.SIGKILL


def test_there_is_one_for_each_socket(process: HookProcess) -> None:
    command = (sys.executable, "-m", "leeboard.surfaces.resident")
    env = process.environment() | {"PYTHONPATH": str(Path(process.script).parents[2])}
    with process.resident():
        second = subprocess.run(command, env=env, capture_output=True, check=False)
        assert send(process, hook_client.request(environment(process), b"{}")) == b"0\n"
    assert second.returncode == 1
    assert b"already listens" in second.stderr


def test_a_socket_left_behind_by_a_killed_one_is_cleaned_up(process: HookProcess) -> None:
    with process.resident() as running:
        running.kill()
        running.wait()
        assert Path(socket_of(process)).exists()
    with process.resident():
        assert send(process, hook_client.request(environment(process), b"{}")) == b"0\n"


def test_a_client_that_stops_in_the_middle_holds_up_nobody_for_long(process: HookProcess) -> None:
    with process.resident(), socket.socket(socket.AF_UNIX) as silent:
        silent.connect(socket_of(process))
        silent.sendall(b"leeboard-1 ")
        assert send(process, hook_client.request(environment(process), b"{}")) == b"0\n"
