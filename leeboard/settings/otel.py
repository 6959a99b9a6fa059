"""The table [otel]: where spans and metrics of the guard go, if anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from leeboard.model.text import in_short, lazy

OTEL_KEYS = ("endpoint", "prometheus", "variables")
ENDPOINT = "^https?://[^\\s@]+$"
VARIABLE = "^OTEL_[A-Z0-9_]+$"
_ENDPOINT, _VARIABLE = lazy(ENDPOINT), lazy(VARIABLE)
_SECRET = lazy("HEADERS|KEY|TOKEN")


class OtelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Sent and served by a process in the background, which no hook waits for."""

    endpoint: str = ""
    """Of a collector that speaks OTLP over HTTP, without `/v1/traces`."""
    prometheus: int = 0
    """The port on this machine alone where metrics can be read; none where it is zero."""
    variables: dict[str, str] = {}
    """OpenTelemetry's own settings, by the names of its variables."""

    @property
    def shown(self) -> dict[str, object]:
        """What a person may be shown of it: what a header holds is nobody's business."""
        told: dict[str, object] = {"endpoint": self.endpoint, "prometheus": self.prometheus}
        if self.variables:
            told["variables"] = {name: "..." if _SECRET.search(name) else to for name, to in self.variables.items()}
        return told


def otel_of(table: Mapping[str, object]) -> tuple[OtelSettings | None, tuple[tuple[str, str], ...]]:
    """The settings without what is at fault; and each key that is, with what it should be."""
    faults = dict(_faults(table))
    kept = {key: value for key, value in table.items() if key in OTEL_KEYS and key not in faults}
    given = kept.get("variables")
    if isinstance(given, dict):
        kept["variables"] = {name: value for name, value in given.items() if f"variables.{name}" not in faults}
    settings = msgspec.convert(kept, OtelSettings)
    return settings if settings != OtelSettings() else None, tuple(faults.items())


def _faults(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    endpoint = table.get("endpoint", "http://localhost")
    if not isinstance(endpoint, str) or not _ENDPOINT.match(endpoint):
        yield "endpoint", f"must be an http:// or https:// address without a password, not {in_short(endpoint)}"
    port = table.get("prometheus", 0)
    if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port < 65_536:
        yield "prometheus", f"must be the number of a port, not {in_short(port)}"
    variables = table.get("variables", {})
    if not isinstance(variables, dict):
        yield "variables", f"must be a table of names and texts, not {in_short(variables)}"
        return
    for name, value in variables.items():
        if not _VARIABLE.match(name):
            yield f"variables.{name}", "is no variable of OpenTelemetry: their names begin with OTEL_"
        elif not isinstance(value, str):
            yield f"variables.{name}", f"must be a text, not {in_short(value)}"
