from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from leeboard.io.clock import monotonic
from leeboard.io.handshake import meet_client, meet_server, prove

TOKEN = b"0123456789abcdef" * 2
SECONDS = 5.0


def meet(server: bytes, client: bytes) -> tuple[bool, bool]:
    """Whether each of them was content with the other."""
    one, other = socket.socketpair()
    end = monotonic() + SECONDS
    with one, other, ThreadPoolExecutor(1) as pool:
        served = pool.submit(meet_client, one, server, end, os.urandom)
        try:
            meet_server(other, client, end, os.urandom)
        except ConnectionRefusedError:
            other.close()
            return served.result(), False
        other.sendall(b"question")
        content = served.result()
        assert one.recv(100) == b"question", "it is left for others to read"
        return content, True


def test_two_that_know_the_token_meet() -> None:
    assert meet(TOKEN, TOKEN) == (True, True)


def test_nobody_else_does() -> None:
    assert meet(TOKEN, TOKEN[::-1]) == (False, False)


@pytest.mark.parametrize(("random", "believed"), [(bytes, True), (os.urandom, False)])
def test_a_proof_is_of_no_use_a_second_time(random: Callable[[int], bytes], *, believed: bool) -> None:
    """One who heard a client answer to zeros says the same again, to a server that asks with zeros, or with others."""
    one, other = socket.socketpair()
    with one, other:
        other.sendall(bytes(16) + prove(TOKEN, bytes(16), b"client"))
        assert meet_client(one, TOKEN, monotonic() + SECONDS, random) is believed


def test_a_server_proves_itself_with_its_own_side_only() -> None:
    """What a client proves is no proof of a server, so that nobody is answered with its own words."""
    one, other = socket.socketpair()
    with one, other, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(meet_server, other, TOKEN, monotonic() + SECONDS, bytes)
        nonce = one.recv(16)
        one.sendall(nonce * 3)
        with pytest.raises(ConnectionRefusedError):
            asked.result()


def test_who_is_silent_is_not_waited_for_longer_than_told() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert not meet_client(one, TOKEN, monotonic(), os.urandom)
        other.sendall(b"half")
        assert not meet_client(one, TOKEN, monotonic() + 0.01, os.urandom)
        with pytest.raises(TimeoutError):
            meet_server(one, TOKEN, monotonic() + 0.01, os.urandom)


def test_the_hook_client_loads_little_for_it() -> None:
    root = Path(__file__).resolve().parents[2]
    line = f"import sys; sys.path.append({str(root)!r}); import leeboard.io.handshake; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-I", "-S", "-c", line], capture_output=True, check=True, text=True)
    assert not {"typing", "socket", "re", "hmac", "collections"} & set(told.stdout.split())
