from __future__ import annotations

import os
import select
import socket
from pathlib import Path

import pytest

from leeboard.app.indexing import drop_lock, take_lock
from leeboard.app.misses import misses
from leeboard.surfaces import hook_client
from tests.hook_process import HookProcess, prompt


def until_it_listens(path: str) -> socket.socket:
    """A connection to the resident that a client has just started."""
    for _ in range(2_000):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
        except OSError:
            connection.close()
            select.select((), (), (), 0.01)
        else:
            return connection
    pytest.fail(f"nobody listens on {path}")


def test_a_client_that_found_no_resident_leaves_one_behind(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    path = os.fsdecode(
        hook_client.socket_path({os.fsencode(k): os.fsencode(v) for k, v in process.environment().items()})
    )
    first = process.run(prompt("fix it"))
    assert (first.returncode, first.stdout) == (0, b"")
    assert take_lock(path) is None
    with until_it_listens(path) as connection:
        pid = int(Path(f"/proc/self/../{_peer(connection)}/stat").read_text(encoding="utf-8").split()[0])
        assert os.getsid(pid) == pid
        assert Path(f"/proc/{pid}/cwd").resolve() == Path("/")
        connection.sendall(b"leeboard-1 5 0 2\nother{}")
        assert connection.recv(10) == b""
    assert misses(process.state_dir) == []


def _peer(connection: socket.socket) -> int:
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(told[:4], "little")


def test_a_held_lock_is_not_given_twice(tmp_path: Path) -> None:
    path = str(tmp_path / "s.sock")
    held = take_lock(path)
    assert held is not None
    assert take_lock(path) is None
    os.close(held)
    again = take_lock(path)
    assert again is not None
    os.close(again)


def test_without_a_place_for_sockets_the_reason_is_kept(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    Path(tmp_path, "r").write_text("in the way", encoding="utf-8")
    assert process.run(prompt("fix it")).returncode == 0
    assert "LEEBOARD_RUNTIME_DIR" in misses(process.state_dir)[-1]


def test_a_lock_that_is_dropped_leaves_no_file(tmp_path: Path) -> None:
    path = str(tmp_path / "s.sock")
    held = take_lock(path)
    assert held is not None
    drop_lock(path, held)
    assert list(tmp_path.iterdir()) == []


def test_a_lock_on_a_file_that_is_gone_keeps_nobody_out_and_drops_nobody_elses(tmp_path: Path) -> None:
    path = str(tmp_path / "s.sock")
    lost = take_lock(path)
    assert lost is not None
    Path(f"{path}.lock").unlink()
    held = take_lock(path)
    assert held is not None
    drop_lock(path, lost)
    assert take_lock(path) is None, "the other one's file still stands"
    drop_lock(path, held)
