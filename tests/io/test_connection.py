"""Who holds the other end of a connection, asked of the system."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

from leeboard.io.connection import OtherEnd, caller, other_end


def test_both_ends_of_a_line_on_loopback_are_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()
        with socket.create_connection(served) as line:
            peer = line.getsockname()
            assert os.getpid() in other_end(peer, served).holders
            assert not other_end(peer, served).is_hidden
            assert other_end(served, served).holders == ()


def test_a_connection_from_the_same_port_at_another_address_is_another_one() -> None:
    """Of two processes: one holds the line from 127.0.0.1, the other took its port at 127.0.0.2."""
    code = (
        "import socket, sys\n"
        "line = socket.socket()\n"
        "line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
        "line.bind((sys.argv[1], int(sys.argv[2])))\n"
        "line.connect(('127.0.0.1', int(sys.argv[3])))\n"
        "print(line.getsockname()[1], flush=True)\n"
        "input()\n"
    )

    def connected(address: str, port: int, served: int) -> tuple[subprocess.Popen[bytes], int]:
        line = (sys.executable, "-I", "-S", "-c", code, address, str(port), str(served))
        process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        return process, int(process.stdout.readline())

    with socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()
        first, port = connected("127.0.0.1", 0, served[1])
        second, same = connected("127.0.0.2", port, served[1])
        with first, second:
            assert port == same
            assert other_end(("127.0.0.1", port), served).holders == (first.pid,)
            assert other_end(("127.0.0.2", port), served).holders == (second.pid,)
            assert other_end(("::ffff:127.0.0.2", port), served).holders == (second.pid,)
            for nobody in ("127.0.0.3", "no address"):
                assert other_end((nobody, port), served) == OtherEnd(is_hidden=True)
            first.communicate(b"\n")
            second.communicate(b"\n")


def test_an_end_that_nobody_holds_any_more_is_hidden() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    with first, second, socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()
        line = socket.create_connection(served)
        peer = line.getsockname()
        socket.send_fds(first, [b"."], [line.fileno()])
        line.close()
        assert other_end(peer, served) == OtherEnd(is_hidden=True, is_own=True), "on its way between two processes"
        _, (again,), _, _ = socket.recv_fds(second, 1, 1)
        assert os.getpid() in other_end(peer, served).holders
        os.close(again)
        assert other_end(peer, served) == OtherEnd(is_hidden=True), "closed"
    assert other_end(peer, served) == OtherEnd(), "nothing is served there, so nothing is told"


def test_the_caller_at_a_unix_socket_is_known() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    with first, second:
        assert caller(first) == os.getpid()
