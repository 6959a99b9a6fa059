"""`leeboard telemetry status | ship`."""

from __future__ import annotations

import click

from leeboard.app.telemetry.process import TelemetryStatus, needed_otel, ship, status
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, quiet_option, screen, words
from leeboard.text.words import counted


@click.group(epilog="Example:  leeboard telemetry status")
def command() -> None:
    """Tell an OpenTelemetry collector what the guard does, and serve its metrics.

    It is configured in your own settings: [otel] with the endpoint of a collector, and the port for metrics. A process
    in the background tells it; no hook waits for that. Spans and metrics hold kinds, numbers and identifiers, and
    nothing of what a session was about.
    """


@command.command("status", epilog="Example:  leeboard telemetry status --json")
@json_option
def status_command(*, as_json: bool) -> None:
    """What was told, what waits, and what went wrong last."""
    found = status(needed_otel())
    if as_json:
        print_view(found)
    else:
        fields(_rows(found), screen())


def _rows(found: TelemetryStatus) -> list[tuple[str, str]]:
    told = counted(found.spans, "span") + (f", the last at {found.last}" if found.last else "")
    rows = [
        ("collector", found.endpoint or "none: nothing is sent"),
        ("told", told),
        ("waiting", counted(found.waiting, "answer")),
    ]
    if found.metrics:
        rows.append(("metrics", f"{found.metrics}, for whoever sends the token in {found.token}"))
    if found.trouble:
        rows.append(("trouble", found.trouble))
    if found.error:
        rows.append(("failed", f"{counted(found.failures, 'time')}: {found.error}"))
    return rows


@command.command("ship", epilog="Example:  leeboard telemetry ship")
@json_option
@quiet_option
def ship_command(*, as_json: bool, quiet: bool) -> None:
    """Tell now what is new, instead of in the background. What was judged before the first time is not told."""
    count = ship(needed_otel())
    if as_json:
        print_json({"kind": "telemetry_ship", "spans": count})
    elif not quiet:
        screen().print(words(f"told {counted(count, 'span')} to the collector"))
