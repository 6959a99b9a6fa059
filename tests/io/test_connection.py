"""Who holds the other end of a connection, asked of the system."""

from __future__ import annotations

import os
import socket

from leeboard.io.connection import OtherEnd, caller, other_end


def test_both_ends_of_a_line_on_loopback_are_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", served)) as line:
            port = line.getsockname()[1]
            assert os.getpid() in other_end(port, served).holders
            assert not other_end(port, served).is_hidden
            assert other_end(served, served).holders == ()


def test_an_end_that_nobody_holds_any_more_is_hidden() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    with first, second, socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()[1]
        line = socket.create_connection(("127.0.0.1", served))
        port = line.getsockname()[1]
        socket.send_fds(first, [b"."], [line.fileno()])
        line.close()
        assert other_end(port, served) == OtherEnd(is_hidden=True, is_own=True), "on its way between two processes"
        _, (again,), _, _ = socket.recv_fds(second, 1, 1)
        assert os.getpid() in other_end(port, served).holders
        os.close(again)
        assert other_end(port, served) == OtherEnd(is_hidden=True), "closed"
    assert other_end(port, served) == OtherEnd(), "nothing is served there, so nothing is told"


def test_the_caller_at_a_unix_socket_is_known() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    with first, second:
        assert caller(first) == os.getpid()
