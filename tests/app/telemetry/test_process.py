"""The process in the background: what is told once, what waits, and who may read metrics."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.telemetry.process import (
    memory_of,
    needed_otel,
    resident_process,
    run_detached,
    ship,
    status,
    tell_while_idle,
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


def test_what_a_process_holds() -> None:
    assert memory_of(os.getpid()) > 1_000_000
    assert memory_of(0) == 0
