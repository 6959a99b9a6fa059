from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.io.channel import LocalListener, connect, has_unix_sockets, read_name, unknown_transport

LOOPBACK = {"LEEBOARD_TRANSPORT": "loopback"}
SECONDS = 5.0


@pytest.mark.parametrize(("env", "kind"), [({}, stat.S_IFSOCK), (LOOPBACK, stat.S_IFREG)])
def test_who_connects_is_heard(env: dict[str, str], kind: int, tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    Path(path).write_text("left over")
    with LocalListener(path, env) as listener:
        seen = os.lstat(path)
        assert (stat.S_IFMT(seen.st_mode), seen.st_mode & 0o077) == (kind, 0)
        listener.settimeout(SECONDS)
        with connect(path, SECONDS, env) as client:
            client.sendall(b"hello")
            with listener.accept(SECONDS) as connection:
                assert connection.recv(5) == b"hello"


@pytest.mark.parametrize("said", [b"", b"short", b"0" * 32])
def test_who_does_not_say_the_token_is_sent_away(said: bytes, tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with LocalListener(path, LOOPBACK) as listener:
        listener.settimeout(SECONDS)
        port, _ = read_name(Path(path).read_bytes())
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            with pytest.raises(ConnectionAbortedError):
                listener.accept(SECONDS)


def test_nobody_is_there(tmp_path: Path) -> None:
    for env in ({}, LOOPBACK):
        with pytest.raises(OSError, match="No such file"):
            connect(str(tmp_path / "s"), SECONDS, env)


@given(st.binary(max_size=60))
def test_what_names_no_port_is_refused(text: bytes) -> None:
    try:
        port, token = read_name(text)
    except ConnectionRefusedError:
        return
    assert (0 <= port <= 99_999, len(token)) == (True, 32)


def test_unix_sockets_unless_somebody_wants_it_otherwise() -> None:
    assert has_unix_sockets({}) is hasattr(socket, "AF_UNIX")
    assert not has_unix_sockets(LOOPBACK)


def test_a_misspelt_transport_is_told_of() -> None:
    assert unknown_transport({}) == unknown_transport({"LEEBOARD_TRANSPORT": "loopback"}) == ""
    assert "'lopback', which is no transport" in unknown_transport({"LEEBOARD_TRANSPORT": "lopback"})
