"""The process in the background: what is told once, what waits, and who may read metrics."""

from __future__ import annotations

import http.client
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.app.telemetry.metrics import Meter
from leeboard.app.telemetry.process import (
    memory_of,
    metrics_server,
    needed_otel,
    resident_process,
    run_detached,
    ship,
    status,
    tell_while_idle,
    token,
)
from leeboard.errors import ConfigError, EffectError
from leeboard.io import places
from leeboard.settings.otel import OtelSettings
from leeboard.surfaces import edge
from tests.hook_process import hook_payload
from tests.otlp_collector import collecting


def end_session(user: Path, session: str) -> None:
    payload = hook_payload("SessionEnd", reason="clear", session_id=session, cwd=str(user / "repo"))
    edge.respond(payload, os.environ, lambda _answer: None)


def test_an_outage_loses_nothing_and_nothing_is_told_twice(user: Path) -> None:
    with collecting() as collector:
        otel = OtelSettings(endpoint=collector.address)
        ship(otel)
        collector.refuses = True
        end_session(user, "s1")
        with pytest.raises(EffectError):
            ship(otel)
        assert (status(otel).waiting, status(otel).failures) == (1, 1)
        assert "did not take 1 span, and" in status(otel).error
        assert ship(otel, due_only=True) == 0, "after a failure it waits"
        collector.refuses = False
        end_session(user, "s2")
        assert ship(otel) == 2
        assert (status(otel).waiting, status(otel).spans, status(otel).error) == (0, 2, "")
    assert len({span.span_id for span in collector.spans}) == len(collector.spans) == 2


def test_only_the_users_own_settings_count(user: Path) -> None:
    (user / "repo" / "leeboard.toml").write_text('[otel]\nendpoint = "http://evil.example"\n')
    with pytest.raises(ConfigError, match=r"put \[otel\] into .*leeboard.toml"):
        needed_otel()
    assert not tell_while_idle(os.environ)
    own = Path(places.config_dir()) / "leeboard.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[otel]\nendpoint = "ftp://x"\n')
    with pytest.raises(ConfigError, match="endpoint must be an http:// or https:// address"):
        needed_otel()
    own.write_text('[otel]\nendpoint = "http://127.0.0.1:4318"\n')
    assert needed_otel().endpoint == "http://127.0.0.1:4318"


def test_the_last_round_is_told_after_the_resident_has_gone(user: Path) -> None:
    with collecting() as collector:
        own = Path(places.config_dir()) / "leeboard.toml"
        own.parent.mkdir(parents=True)
        own.write_text(f'[otel]\nendpoint = "{collector.address}"\n')
        assert resident_process() == 0
        run_detached()
        end_session(user, "s1")
        run_detached()
    assert [span.name for span in collector.spans] == ["invoke_agent claude_code"]
    assert "leeboard.events" in collector.figures


def test_the_resident_has_another_process_tell_it(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        ship(OtelSettings(endpoint=collector.address))
        own = Path(places.config_dir()) / "leeboard.toml"
        own.parent.mkdir(parents=True)
        own.write_text(f'[otel]\nendpoint = "{collector.address}"\n')
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-from=the-hook")
        end_session(user, "s1")
        assert tell_while_idle(os.environ)
        assert collector.has_metrics.wait(60)
    assert [span.name for span in collector.spans] == ["invoke_agent claude_code"]
    assert not any("x-from" in headers for headers in collector.headers)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    with metrics_server(number, Meter(1.0)) as server:
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
        metrics_server(0, Meter(1.0))


def test_what_a_process_holds() -> None:
    assert memory_of(os.getpid()) > 1_000_000
    assert memory_of(0) == 0
