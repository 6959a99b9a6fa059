from __future__ import annotations

import os
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces import hook_request


@given(st.binary(max_size=400))
def test_no_bytes_make_reading_a_request_fail(message: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(message)
        ours.shutdown(socket.SHUT_WR)
        assert hook_request.read_request(theirs) is None


def test_a_peer_of_the_same_user_is_known() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert hook_request.asker(theirs) == (os.getpid(), os.getuid())


def test_who_asks_slowly_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is for all of the request: one that comes byte by byte has no more of it."""
    monkeypatch.setattr(hook_request, "CLIENT_SECONDS", 0.0)
    here, there = socket.socketpair(socket.AF_UNIX)
    with here, there:
        there.sendall(b"leeboard-1 1 1")
        with pytest.raises(TimeoutError):
            hook_request.read_request(here)
