from __future__ import annotations

from typing import TYPE_CHECKING

from tests.otlp_collector import collecting

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_without_settings_it_says_what_to_write(desk: Desk) -> None:
    ran = desk.run("telemetry", "status")
    assert ran.code == 2
    assert "put [otel] into" in ran.err


def test_what_was_judged_is_told_and_shown(desk: Desk) -> None:
    own = desk.home / ".config" / "leeboard" / "leeboard.toml"
    own.parent.mkdir(parents=True)
    with collecting() as collector:
        own.write_text(f'[otel]\nendpoint = "{collector.address}"\nprometheus = 9464\n')
        assert desk.ok("telemetry", "ship", "--json").objects == [{"kind": "telemetry_ship", "spans": 0}]
        desk.drift()
        assert desk.ok("telemetry", "ship").out == "told 2 spans to the collector\n"
        shown = desk.ok("telemetry", "status").out
    assert {span.name for span in collector.spans} == {"execute_tool edit"}
    assert "2 spans, the last at" in shown
    assert "http://127.0.0.1:9464/metrics" in shown
    assert "otel.endpoint" in desk.ok("config", "show").out
