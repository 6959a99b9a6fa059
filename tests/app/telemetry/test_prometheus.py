from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from leeboard.app.telemetry.metrics import Meter, prometheus_text
from leeboard.app.telemetry.process import read_figures
from leeboard.app.telemetry.prometheus import AT_ONCE, metrics_server, token
from leeboard.io import places
from tests.app.telemetry.test_process import end_session


@pytest.fixture
def port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    meter = Meter(1.0)
    with metrics_server(number, lambda: prometheus_text(read_figures(meter))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield number
        server.shutdown()
        thread.join()


def answer(port: int, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    asked = http.client.HTTPConnection("127.0.0.1", port)
    asked.request("GET", path, headers=headers)
    got = asked.getresponse()
    found = got.status, got.read().decode()
    asked.close()
    return found


def test_metrics_are_for_who_has_the_token(user: Path, port: int) -> None:
    end_session(user, "s1")
    assert answer(port)[0] == 401
    assert answer(port, Authorization="Bearer wrong")[0] == 401
    code, text = answer(port, Authorization=f"Bearer {token()}")
    assert code == 200
    assert 'leeboard_events_total{client="claude_code",event="SessionEnd"} 1' in text
    assert str(user) not in text
    assert answer(port, "/", Authorization=f"Bearer {token()}")[0] == 404
    assert (Path(places.state_dir()) / "metrics.token").stat().st_mode & 0o777 == 0o600


def test_without_a_port_nothing_is_served() -> None:
    with pytest.raises(OSError, match="no port"):
        metrics_server(0, str)


@pytest.mark.usefixtures("user")
def test_who_sends_slowly_or_nothing_holds_nobody_else(port: int) -> None:
    """Some say nothing, and one says a line and no more; who has the token is answered while they wait."""
    with ExitStack() as stack:
        for said in (*[b""] * (AT_ONCE - 2), b"GET /metrics HTTP/1.1\r\n"):
            stranger = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            stranger.sendall(said)
        assert answer(port, Authorization=f"Bearer {token()}")[0] == 200


@pytest.mark.usefixtures("user")
def test_who_never_ends_is_hung_up_on(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leeboard.app.telemetry.prometheus.SECONDS", 0.1)
    with socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
        assert stranger.recv(100) == b""
