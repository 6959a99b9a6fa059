"""What the proxy has done for a project or a session: what it carried, held and changed, and how long it held."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from urllib.parse import urlsplit

import msgspec

from leeboard.io.clock import iso
from leeboard.model.traffic import CarriedRequest
from leeboard.text.words import counted

REQUESTS_READ = 1_000
BASE_URLS = ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL")
"""Variables by which a client is led to a proxy."""
_CONNECT_SECONDS = 0.5
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class TrafficView(msgspec.Struct, frozen=True, kw_only=True):
    """The traffic of one project or session, in figures."""

    kind: str = "traffic"
    requests: int
    calls: int
    """Tool calls that were held until they were judged."""
    withheld: int
    inserted: int
    unchecked: int
    sensed: int
    """Requests in which it only looked on, since hooks were at work."""
    refused: int
    cut: int
    gone: int
    held_ms: float
    """How long the calls of an answer waited: half of the answers less than this."""
    held_ms_most: float
    first_byte_ms: float
    last: str
    """When the last request was carried."""
    notes: tuple[str, ...]
    """How sessions left their course and came back, newest last."""

    @property
    def is_changed(self) -> bool:
        return bool(self.withheld or self.inserted)


class CarriedView(msgspec.Struct, frozen=True, kw_only=True):
    """One request that was changed, or in which something passed that nobody had judged."""

    kind: str = "carried"
    session: str
    agent: str
    time: str
    outcome: str
    calls: int
    withheld: int
    inserted: int
    unchecked: int
    held_ms: float
    note: str


def traffic_view(carried: Sequence[CarriedRequest]) -> TrafficView | None:
    """What the proxy carried, summed up; None where it carried nothing."""
    if not carried:
        return None
    ordered = sorted(carried, key=lambda one: one.ts)
    held = [one.held_ms for one in ordered if one.calls] or [0.0]
    ended = [one.outcome for one in ordered]
    return TrafficView(
        requests=len(ordered),
        calls=sum(one.calls for one in ordered),
        withheld=sum(one.withheld for one in ordered),
        inserted=sum(one.inserted for one in ordered),
        unchecked=sum(one.unchecked for one in ordered),
        sensed=sum(one.senses for one in ordered),
        refused=ended.count("refused"),
        cut=ended.count("cut"),
        gone=ended.count("gone"),
        held_ms=round(median(held), 1),
        held_ms_most=round(max(held), 1),
        first_byte_ms=round(median(one.first_byte_ms for one in ordered), 1),
        last=iso(ordered[-1].ts),
        notes=tuple(one.note for one in ordered if one.note)[-20:],
    )


def carried_view(carried: CarriedRequest) -> CarriedView:
    return CarriedView(
        session=carried.session,
        agent=carried.agent,
        time=iso(carried.ts),
        outcome=carried.outcome,
        calls=carried.calls,
        withheld=carried.withheld,
        inserted=carried.inserted,
        unchecked=carried.unchecked,
        held_ms=round(carried.held_ms, 1),
        note=carried.note,
    )


def is_told(carried: CarriedRequest) -> bool:
    """Whether somebody who watches wants to hear of it."""
    return carried.is_changed or bool(carried.unchecked or carried.note)


def traffic_text(traffic: TrafficView) -> str:
    """The figures in one line, for people."""
    parts = [
        f"{counted(traffic.requests, 'request')} carried",
        f"{counted(traffic.calls, 'call')} held for {traffic.held_ms:g} ms, at most {traffic.held_ms_most:g} ms",
        f"{traffic.withheld} withheld",
        f"{counted(traffic.inserted, 'correction')} put in",
    ]
    if traffic.unchecked:
        parts.append(f"{traffic.unchecked} passed unchecked")
    if traffic.sensed == traffic.requests:
        parts.append("hooks are the brake")
    return ", ".join(parts)


def dead_proxies(variables: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """Variables that lead a client to a place on this machine where nobody answers, as `name=address`."""
    named = {
        f"{name}={url}"
        for told in variables
        for name in BASE_URLS
        if isinstance(url := told.get(name), str) and _is_dead(url)
    }
    return tuple(sorted(named))


def _is_dead(url: str) -> bool:
    try:
        place = urlsplit(url)
        host, port = place.hostname or "", place.port or 80
    except ValueError:
        return False
    if host not in _LOOPBACK:
        return False
    try:
        with socket.create_connection((host, port), _CONNECT_SECONDS):
            return False
    except OSError:
        return True
