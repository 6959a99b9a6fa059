"""The process in the background that tells a collector what the guard does, and serves metrics on this machine.

The resident starts it while nobody asks, and it ends with the resident: no hook knows of it. What it has told is kept
beside the database, so that nothing is told twice and an outage of the collector loses nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from posixpath import join
from select import select

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.settings_files import read_settings
from leeboard.app.telemetry.metrics import Figures, Meter, prometheus_text
from leeboard.app.telemetry.otlp import MISSING, NOWHERE, is_installed, send_figures, send_spans
from leeboard.app.telemetry.spans import spans_of
from leeboard.errors import BusyError, ConfigError, EffectError, LeeboardError
from leeboard.io import clock, places
from leeboard.io.detached import become, fork_twice
from leeboard.io.file import file_lock, read_start, replace_file
from leeboard.settings.otel import OtelSettings
from leeboard.store.telemetry import judged_after, newest_row

ROUND_SECONDS = 10.0
FIRST_WAIT, LONGEST_WAIT = 10.0, 3_600.0
BATCH = 500
NICENESS = 10
_RUN = "from leeboard.app.telemetry.process import run_detached; run_detached()"
_PAGE = 4096


class TelemetryState(msgspec.Struct, kw_only=True):
    """How far the collector was told, kept so that nothing is sent twice or left out after a restart."""

    row: int
    """The last answer that was told."""
    spans: int = 0
    last: str = ""
    failures: int = 0
    error: str = ""
    next_try: float = 0.0


class TelemetryStatus(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "telemetry"
    endpoint: str
    metrics: str
    """Where they can be read; empty where they are not served."""
    token: str
    """The file with what a reader has to say."""
    spans: int
    waiting: int
    """Answers that were not looked at yet."""
    last: str = ""
    failures: int = 0
    error: str = ""
    trouble: str = ""
    """What keeps anything from being told at all, or from being served: what is wrong with the settings, or missing."""


def otel_settings() -> OtelSettings | None:
    """Of the user's own file: no repository has a say in it."""
    return read_settings("", {})[0].otel


def needed_otel() -> OtelSettings:
    settings, notes = read_settings("", {})
    if settings.otel is not None:
        return settings.otel
    faults = _faults(notes)
    place = join(places.config_dir(), "leeboard.toml")
    raise ConfigError(
        faults or f"no telemetry is configured: put [otel] into {place} (`leeboard docs telemetry` shows how)"
    )


def _faults(notes: tuple[str, ...]) -> str:
    """What is wrong with [otel], as far as the notes tell: a file that is no TOML may have anything in it."""
    return "; ".join(note for note in notes if ": otel" in note or "not valid TOML" in note)


def ship(otel: OtelSettings, *, due_only: bool = False) -> int:
    """Tell the collector what is new; how many spans that were. The first time there is nothing: it begins then.

    BusyError while another process is at it. `due_only`: nothing is tried before its time after a failure. ConfigError
    where no collector is named.
    """
    if not otel.names_collector("traces", os.environ):
        raise ConfigError(_faults(read_settings("", {})[1]) or NOWHERE)
    with opened_archive() as store, file_lock(_place("telemetry.ship.lock"), 0.0):
        state = _read_state()
        newest = newest_row(store.pages)
        if state is None or state.row > newest:
            _keep(state := TelemetryState(row=newest))
        if due_only and clock.now() < state.next_try:
            return 0
        count = 0
        while rows := judged_after(store.pages, state.row, BATCH):
            spans = tuple(spans_of(rows, store.pages))
            try:
                if spans:
                    send_spans(otel, spans)
            except EffectError as error:
                _keep_failure(state, str(error))
                raise
            count += len(spans)
            last = clock.iso(clock.now()) if spans else state.last
            state = TelemetryState(row=rows[-1].row, spans=state.spans + len(spans), last=last)
            _keep(state)
        return count


def status(otel: OtelSettings) -> TelemetryStatus:
    state = _read_state()
    with opened_archive() as store:
        waiting = newest_row(store.pages) - state.row if state is not None else 0
    return TelemetryStatus(
        endpoint=_endpoint(otel),
        metrics=f"http://127.0.0.1:{otel.prometheus}/metrics" if otel.prometheus else "",
        token=_place("metrics.token") if otel.prometheus else "",
        spans=state.spans if state else 0,
        waiting=max(0, waiting),
        last=state.last if state else "",
        failures=state.failures if state else 0,
        error=state.error if state else "",
        trouble=_faults(read_settings("", {})[1]) if is_installed() else MISSING,
    )


def _endpoint(otel: OtelSettings) -> str:
    """Where spans go, for people; empty: nowhere."""
    if not otel.names_collector("traces", os.environ):
        return ""
    said = os.environ | otel.variables
    names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    return otel.endpoint or next(said[name] for name in names if said.get(name))


def _keep_failure(state: TelemetryState, error: str) -> None:
    failures = state.failures + 1
    wait = min(FIRST_WAIT * 2.0 ** min(failures - 1, 30), LONGEST_WAIT)
    _keep(msgspec.structs.replace(state, failures=failures, error=error, next_try=clock.now() + wait))


def _read_state() -> TelemetryState | None:
    try:
        return msgspec.json.decode(read_start(_place("telemetry.json"), 65_536), type=TelemetryState)
    except (OSError, msgspec.MsgspecError):
        return None


def _keep(state: TelemetryState) -> None:
    places.make_private_file(_place("telemetry.json"))
    replace_file(_place("telemetry.json"), msgspec.json.encode(state))


def _place(name: str) -> str:
    return join(places.state_dir(), name)


# In the background.


def tell_while_idle(env: Mapping[str, str]) -> bool:
    """Whether a process was started. Costs a look at a settings file where nothing is to be told."""
    if otel_settings() is None:
        return False
    try:
        with file_lock(_place("telemetry.lock"), 0.0):
            pass
    except BusyError:
        return False
    return fork_twice(lambda: become(_RUN, env))


def run_detached() -> None:
    """The process that was started. It lives no longer than the resident, and tells last what that did last."""
    os.nice(NICENESS)
    with suppress(BusyError), file_lock(_place("telemetry.lock"), 0.0):
        meter, alive = Meter(clock.now()), True
        while alive and (otel := otel_settings()) is not None:
            alive = resident_process() > 0
            _round(otel, meter, clock.monotonic() + (ROUND_SECONDS if alive else 0.0))


def _round(otel: OtelSettings, meter: Meter, end: float) -> None:
    if otel.names_collector("traces", {}):
        with suppress(LeeboardError):  # kept beside the database, where `leeboard telemetry status` shows it
            ship(otel, due_only=True)
    if otel.names_collector("metrics", {}):
        with suppress(LeeboardError):
            send_figures(otel, read_figures(meter))
    from leeboard.app.telemetry.prometheus import metrics_server  # noqa: PLC0415 - the resident knows no server

    with suppress(OSError), metrics_server(otel.prometheus, lambda: prometheus_text(read_figures(meter))) as server:
        while (left := end - clock.monotonic()) > 0:
            if select([server], [], [], left)[0]:
                server.handle_request()
        return
    select([], [], [], max(0.0, end - clock.monotonic()))


def read_figures(meter: Meter) -> Figures:
    with opened_archive() as store:
        return meter.read(store.pages, memory_of(resident_process()))


def resident_process() -> int:
    """Its number; zero where none runs."""
    try:
        number = int(read_start(f"{places.socket_path()}.lock", 20).strip() or b"0")
        os.kill(number, 0)
    except (OSError, ValueError, LeeboardError):
        return 0
    return number


def memory_of(process: int) -> int:
    """Bytes in memory, as Linux tells them; zero where nobody does."""
    try:
        return int(read_start(f"/proc/{process}/statm", 200).split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0
