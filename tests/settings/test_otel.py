from __future__ import annotations

import pytest

from leeboard.settings.otel import OtelSettings, otel_of
from leeboard.settings.toml import parse_tolerantly


def test_what_is_valid_counts_and_what_is_not_is_named() -> None:
    text = """
[otel]
endpoint = "https://collector.example:4318"
prometheus = 70000
variables = { OTEL_SERVICE_NAME = "kim", PATH = "/evil", OTEL_BSP_X = 3 }
"""
    settings, notes = parse_tolerantly(text, "leeboard.toml")
    assert settings.otel == OtelSettings(
        endpoint="https://collector.example:4318", variables={"OTEL_SERVICE_NAME": "kim"}
    )
    assert [part in "".join(notes) for part in ("prometheus", "variables.PATH", "OTEL_BSP_X")] == [True] * 3


@pytest.mark.parametrize("endpoint", ["collector:4318", "https://kim:secret@collector", "", 3])
def test_addresses_that_are_none(endpoint: object) -> None:
    found, faults = otel_of({"endpoint": endpoint})
    assert found is None
    assert dict(faults).keys() == {"endpoint"}


def test_what_a_header_holds_is_not_shown() -> None:
    told = OtelSettings(variables={"OTEL_EXPORTER_OTLP_HEADERS": "authorization=x", "OTEL_SERVICE_NAME": "kim"}).shown
    assert told["variables"] == {"OTEL_EXPORTER_OTLP_HEADERS": "...", "OTEL_SERVICE_NAME": "kim"}
