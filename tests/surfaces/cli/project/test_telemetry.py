from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bare_install import BareInstall
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


def configure(desk: Desk, table: str) -> None:
    own = desk.home / ".config" / "leeboard" / "leeboard.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(f"[otel]\n{table}")


def test_without_the_extra_it_says_what_is_missing(desk: Desk) -> None:
    configure(desk, 'endpoint = "http://127.0.0.1:1"\n')
    bare = BareInstall(desk.home / "packages")
    (shown,) = bare.run(desk, "telemetry", "status", "--json").objects
    assert "install Leeboard with its extra `otel`" in shown["trouble"]
    checks = {one.get("about"): one for one in bare.run(desk, "doctor", "--json").objects}
    assert "extra `otel`" in checks["telemetry"]["detail"]


def test_where_no_collector_is_named_nothing_is_sent(desk: Desk) -> None:
    configure(desk, "prometheus = 9464\n")
    ran = desk.run("telemetry", "ship")
    assert (ran.code, "no collector is named" in ran.err) == (2, True)
    with collecting() as collector:
        variable = f'[otel.variables]\nOTEL_EXPORTER_OTLP_ENDPOINT = "{collector.address}"\n'
        configure(desk, f'endpoint = "ftp://x"\nprometheus = "x"\n{variable}')
        ran = desk.run("telemetry", "ship")
        assert (ran.code, "otel.endpoint must be an http:// or https:// address" in ran.err) == (2, True)
        (shown,) = desk.ok("telemetry", "status", "--json").objects
        assert shown["endpoint"] == ""
        assert "otel.prometheus must be the number of a port" in shown["trouble"]
        configure(desk, variable)
        desk.ok("telemetry", "ship")


def test_a_collector_that_refuses_is_told_once(desk: Desk) -> None:
    """Without the lines that OpenTelemetry itself writes of it."""
    with collecting() as collector:
        configure(desk, f'endpoint = "{collector.address}"\n')
        desk.ok("telemetry", "ship")
        desk.drift()
        collector.refuses = True
        ran = desk.run("telemetry", "ship")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (5, "", 1)
    assert "did not take 2 spans, and is asked again later" in ran.err
