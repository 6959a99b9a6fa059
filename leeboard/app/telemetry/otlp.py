"""Spans and figures sent by OTLP over HTTP, with OpenTelemetry's own exporters: its variables mean here what they mean
everywhere.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import leeboard
from leeboard.app.telemetry.metrics import BOUNDS, Figures
from leeboard.app.telemetry.spans import ToldSpan, conventions
from leeboard.errors import ConfigError, EffectError
from leeboard.io import clock
from leeboard.settings.otel import OtelSettings
from leeboard.text.words import counted

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import Metric

MISSING = "telemetry needs the packages of OpenTelemetry: install Leeboard with its extra `otel`"
TIMEOUT_SECONDS = 10
_NANOSECONDS = 1_000_000_000
NOWHERE = "nothing is sent, since no collector is named: put an endpoint into [otel] of your settings"


def is_installed() -> bool:
    """Whether the extra is there. A package is looked for within its parent, which has to be there first."""
    try:
        return find_spec("opentelemetry.sdk") is not None and find_spec("opentelemetry.exporter.otlp") is not None
    except ModuleNotFoundError:
        return False


@contextmanager
def variables(otel: OtelSettings) -> Iterator[None]:
    """What the settings say over what the environment says, for as long as exporters are made."""
    before = {name: os.environ.get(name) for name in otel.variables}
    os.environ.update(otel.variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def send_spans(otel: OtelSettings, spans: Sequence[ToldSpan]) -> None:
    """EffectError where the collector did not take them."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import SpanExportResult  # noqa: PLC0415 - as above
    except ImportError as error:
        raise EffectError(MISSING) from error
    with _exporting(otel, "traces"):
        exporter = OTLPSpanExporter(endpoint=_place(otel, "traces"), timeout=TIMEOUT_SECONDS)
        resource = _resource()
    try:
        result = exporter.export([_readable(span, resource) for span in spans])
    finally:
        exporter.shutdown()
    if result is not SpanExportResult.SUCCESS:
        raise EffectError(
            f"the collector at {_shown(otel)} did not take {counted(len(spans), 'span')}, and is asked again later"
        )


def send_figures(otel: OtelSettings, figures: Figures) -> None:
    """EffectError where the collector did not take them."""
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.metrics import export  # noqa: PLC0415 - as above
    except ImportError as error:
        raise EffectError(MISSING) from error
    with _exporting(otel, "metrics"):
        exporter = OTLPMetricExporter(endpoint=_place(otel, "metrics"), timeout=TIMEOUT_SECONDS)
        resource = _resource()
    url = conventions().schema_url
    scope = export.ScopeMetrics(scope=_scope(), metrics=list(_metrics(figures)), schema_url=url)
    data = export.MetricsData([export.ResourceMetrics(resource=resource, scope_metrics=[scope], schema_url=url)])
    try:
        result = exporter.export(data)
    finally:
        exporter.shutdown()
    if result is not export.MetricExportResult.SUCCESS:
        raise EffectError(f"the collector at {_shown(otel)} did not take the metrics")


@contextmanager
def _exporting(otel: OtelSettings, kind: str) -> Iterator[None]:
    """ConfigError where nobody said where this kind goes: an exporter would then find a place of its own."""
    if not otel.names_collector(kind, os.environ):
        raise ConfigError(NOWHERE)
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # what went wrong is raised, and said once
    with variables(otel):
        yield


def _place(otel: OtelSettings, kind: str) -> str | None:
    """None where OpenTelemetry's own variables say where."""
    return f"{otel.endpoint.rstrip('/')}/v1/{kind}" if otel.endpoint else None


def _shown(otel: OtelSettings) -> str:
    return otel.endpoint or "the address that OpenTelemetry's variables name"


def _resource() -> Any:
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - as above

    own = {"service.version": leeboard.__version__}
    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "leeboard"}
    return Resource.create(own | named, conventions().schema_url)


def _scope() -> Any:
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: PLC0415 - as above

    return InstrumentationScope("leeboard", leeboard.__version__, conventions().schema_url)


def _readable(span: ToldSpan, resource: Any) -> Any:
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: PLC0415 - as above
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags  # noqa: PLC0415 - as above

    def context(id_: int) -> SpanContext:
        return SpanContext(span.trace, id_, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

    return ReadableSpan(
        name=span.name,
        context=context(span.id),
        parent=context(span.parent) if span.parent else None,
        resource=resource,
        attributes=span.attributes,
        kind=SpanKind.INTERNAL,
        status=Status(StatusCode.ERROR if span.failed else StatusCode.UNSET),
        start_time=span.began,
        end_time=span.ended,
        instrumentation_scope=_scope(),
    )


def _metrics(figures: Figures) -> Iterator[Metric]:
    from opentelemetry.sdk.metrics import export  # noqa: PLC0415 - as above

    began, now = int(figures.began * _NANOSECONDS), int(clock.now() * _NANOSECONDS)

    def points(found: Iterable[tuple[dict[str, str], float]]) -> list[Any]:
        return [export.NumberDataPoint(labels, began, now, value) for labels, value in found]

    def counter(name: str, unit: str, found: Iterable[tuple[dict[str, str], float]]) -> Any:
        data = export.Sum(points(found), export.AggregationTemporality.CUMULATIVE, is_monotonic=True)
        return export.Metric(name=name, description="", unit=unit, data=data)

    events = (({"client": client, "event": event}, count) for (client, event), count in figures.events.items())
    verdicts = (({"action": action, "rule": rule}, count) for (action, rule), count in figures.verdicts.items())
    yield counter("leeboard.events", "{event}", events)
    yield counter("leeboard.verdicts", "{verdict}", verdicts)
    yield export.Metric(name="leeboard.hook.duration", description="", unit="s", data=_histogram(figures, began, now))
    queues = points(({"queue": name}, length) for name, length in figures.queues.items())
    yield export.Metric(name="leeboard.queue.length", description="", unit="{entry}", data=export.Gauge(queues))
    memory = export.Gauge(points([({}, figures.memory)]))
    yield export.Metric(name="process.memory.usage", description="", unit="By", data=memory)


def _histogram(figures: Figures, began: int, now: int) -> Any:
    from opentelemetry.sdk.metrics import export  # noqa: PLC0415 - as above

    point = export.HistogramDataPoint(
        attributes={},
        start_time_unix_nano=began,
        time_unix_nano=now,
        count=sum(figures.buckets),
        sum=figures.seconds,
        bucket_counts=figures.buckets,
        explicit_bounds=BOUNDS,
        min=None,
        max=None,
    )
    return export.Histogram([point], export.AggregationTemporality.CUMULATIVE)
