from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.io.channel import LocalListener, connect, has_unix_sockets, read_name

SECONDS = 5.0


@pytest.fixture
def _no_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")


def test_who_connects_to_a_unix_socket_is_heard(tmp_path: Path) -> None:
    assert has_unix_sockets()
    hear(tmp_path, stat.S_IFSOCK)


@pytest.mark.usefixtures("_no_unix_sockets")
def test_who_connects_on_loopback_is_heard(tmp_path: Path) -> None:
    assert not has_unix_sockets()
    hear(tmp_path, stat.S_IFREG)


def hear(tmp_path: Path, kind: int) -> None:
    path = str(tmp_path / "s")
    Path(path).write_text("left over")
    with LocalListener(path) as listener:
        seen = os.lstat(path)
        assert (stat.S_IFMT(seen.st_mode), seen.st_mode & 0o077) == (kind, 0)
        listener.settimeout(SECONDS)
        with connect(path, SECONDS) as client:
            client.sendall(b"hello")
            with listener.accept(SECONDS) as connection:
                assert connection.recv(5) == b"hello"


@pytest.mark.usefixtures("_no_unix_sockets")
@pytest.mark.parametrize("said", [b"", b"short", b"0" * 32])
def test_who_does_not_say_the_token_is_sent_away(said: bytes, tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with LocalListener(path) as listener:
        listener.settimeout(SECONDS)
        port, _ = read_name(Path(path).read_bytes())
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            with pytest.raises(ConnectionAbortedError):
                listener.accept(SECONDS)


def test_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        with pytest.raises(OSError, match="No such file"):
            connect(str(tmp_path / "s"), SECONDS)
        monkeypatch.delattr(socket, "AF_UNIX", raising=False)


def test_no_variable_chooses_loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_TRANSPORT", "loopback")
    hear(tmp_path, stat.S_IFSOCK)


@given(st.binary(max_size=60))
def test_what_names_no_port_is_refused(text: bytes) -> None:
    try:
        port, token = read_name(text)
    except ConnectionRefusedError:
        return
    assert (0 <= port <= 99_999, len(token)) == (True, 32)
