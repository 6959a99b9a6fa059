"""Who holds the other end of a connection, asked of the system."""

from __future__ import annotations

import os
import socket

from leeboard.io.connection import caller, holders


def test_both_ends_of_a_line_on_loopback_are_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", served)) as line:
            port = line.getsockname()[1]
            assert os.getpid() in holders(port, served)
            assert holders(served, served) == ()
    assert holders(port, 9) == ()


def test_the_caller_at_a_unix_socket_is_known() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    with first, second:
        assert caller(first) == os.getpid()
