"""What OpenTelemetry's exporters make of it, at a collector that decodes it."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from leeboard.app.telemetry.metrics import BOUNDS, Figures
from leeboard.app.telemetry.otlp import send_figures, send_spans, variables
from leeboard.app.telemetry.spans import ToldSpan
from leeboard.errors import EffectError
from leeboard.settings.otel import OtelSettings
from tests.otlp_collector import collecting

SPAN = ToldSpan(name="execute_tool edit", trace=7, id=8, began=1, ended=2, attributes={"gen_ai.tool.name": "edit"})


def test_figures_keep_their_kind() -> None:
    buckets = [1, *[0] * (len(BOUNDS) - 1), 2]
    figures = Figures(
        began=1.0,
        events=Counter({("codex", "Stop"): 3}),
        verdicts=Counter({("deny", "lost_work"): 1}),
        buckets=buckets,
        seconds=9.5,
        queues={"team": 4},
        memory=77,
    )
    with collecting() as collector:
        send_figures(OtelSettings(endpoint=f"{collector.address}/"), figures)
    found = collector.figures
    (event,) = found["leeboard.events"].sum.data_points
    assert ({one.key: one.value.string_value for one in event.attributes}, event.as_int) == (
        {"client": "codex", "event": "Stop"},
        3,
    )
    assert found["leeboard.events"].sum.is_monotonic
    (took,) = found["leeboard.hook.duration"].histogram.data_points
    assert (took.count, took.sum, list(took.bucket_counts), tuple(took.explicit_bounds)) == (3, 9.5, buckets, BOUNDS)
    assert found["process.memory.usage"].gauge.data_points[0].as_int == 77


def test_variables_of_opentelemetry_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
        chosen = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
            "OTEL_EXPORTER_OTLP_HEADERS": "x-team=shop",
            "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
            "OTEL_SERVICE_NAME": "kim",
        }
        send_spans(OtelSettings(variables=chosen), [SPAN])
    assert collector.headers[0]["x-team"] == "shop"
    (resource,) = (part.resource for sent in collector.traces for part in sent.resource_spans)
    told = {one.key: one.value.string_value for one in resource.attributes}
    assert told["service.name"] == "kim"
    assert not any(key.startswith(("host.", "process.", "os.")) for key in told)
    assert os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] == "http://127.0.0.1:1"


def test_a_collector_that_refuses_is_an_error() -> None:
    with collecting() as collector:
        collector.refuses = True
        with pytest.raises(EffectError, match=rf"{collector.address} did not take 1 span,"):
            send_spans(OtelSettings(endpoint=collector.address), [SPAN])


def test_variables_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_SERVICE_NAME", raising=False)
    with variables(OtelSettings(variables={"OTEL_SERVICE_NAME": "kim"})):
        assert os.environ["OTEL_SERVICE_NAME"] == "kim"
    assert "OTEL_SERVICE_NAME" not in os.environ
