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
_ANY_KIND = "OTEL_EXPORTER_OTLP_ENDPOINT"


class OtelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Sent and served by a process in the background, which no hook waits for."""

    endpoint: str = ""
    """Of a collector that speaks OTLP over HTTP, without `/v1/traces`."""
    prometheus: int = 0
    """The port on this machine alone where metrics can be read; none where it is zero."""
    variables: dict[str, str] = {}
    """OpenTelemetry's own settings, by the names of its variables."""
    endpoint_refused: bool = False
    """Whether an endpoint was named that can not be one: then nothing is sent, wherever else the variables point."""

    def names_collector(self, kind: str, environment: Mapping[str, str]) -> bool:
        """Whether somebody said where `traces` or `metrics` go. OpenTelemetry's own answer, where nobody did, is a port
        of this machine that anybody may listen on.
        """
        said = self.endpoint or any(
            self.variables.get(name) or environment.get(name)
            for name in (_ANY_KIND, f"OTEL_EXPORTER_OTLP_{kind.upper()}_ENDPOINT")
        )
        return bool(said) and not self.endpoint_refused

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
    if settings == OtelSettings():
        return None, tuple(faults.items())
    return msgspec.structs.replace(settings, endpoint_refused="endpoint" in faults), tuple(faults.items())


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
