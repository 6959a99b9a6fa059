"""An OTLP collector: a real HTTP server that decodes what it is sent, and can refuse it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import decompress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    def __init__(self, address: str) -> None:
        self.address = address
        self.refuses = False
        self.bodies: list[bytes] = []
        """All that was sent, refused or not, as it came out of its compression."""
        self.headers: list[dict[str, str]] = []
        self.traces: list[Any] = []
        self.metrics: list[Any] = []
        self.has_metrics = threading.Event()

    @property
    def spans(self) -> list[Any]:
        return [
            span
            for trace in self.traces
            for part in trace.resource_spans
            for scope in part.scope_spans
            for span in scope.spans
        ]

    @property
    def figures(self) -> dict[str, Any]:
        found = (part for sent in self.metrics for part in sent.resource_metrics)
        return {metric.name: metric for part in found for scope in part.scope_metrics for metric in scope.metrics}

    def take(self, path: str, body: bytes) -> int:
        self.bodies.append(body)
        if self.refuses:
            return 400  # an answer after which OpenTelemetry's exporter does not wait and try again by itself
        if path == "/v1/traces":
            self.traces.append(ExportTraceServiceRequest.FromString(body))
        elif path == "/v1/metrics":
            self.metrics.append(ExportMetricsServiceRequest.FromString(body))
            self.has_metrics.set()
        else:
            return 404
        return 200


def attributes(span: Any) -> dict[str, Any]:
    return {item.key: _value(item.value) for item in span.attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(one) for one in value.array_value.values] if kind == "array_value" else getattr(value, kind)


@contextmanager
def collecting() -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.headers.append(dict(self.headers.items()))
            plain = decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            self.send_response(collector.take(self.path, plain))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
