"""What the guard really cost the people of a project, by hook event and by rule, from the receipts of their hooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from leeboard.app.archive import known_archive
from leeboard.model.lookup import Receipt

RECEIPTS_READ = 20_000


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds of one kind of work."""

    name: str
    count: int
    median: float
    p95: float
    p99: float
    most: float


class LatencyPage(msgspec.Struct, frozen=True, kw_only=True):
    events: tuple[Latency, ...]
    """By hook event, and all of them first. From the time a hook was understood to its receipt: the start of its
    process and the way to the resident are not in it.
    """
    rules: tuple[Latency, ...]
    """How long rules took in the hooks where one of them was slow enough to be noted."""
    since: float = 0.0
    without_store: int = 0
    """Hooks that were answered while the store could not be used."""


def latency_page(root: str | None) -> LatencyPage:
    """How long hooks took in one project, or in all. ConfigError where nothing was ever recorded."""
    with known_archive() as store:
        every = store.receipts(RECEIPTS_READ) if root is None else store.hook_receipts(root, RECEIPTS_READ)
    return latency_of([receipt for receipt in every if receipt.client])


def latency_of(receipts: Sequence[Receipt]) -> LatencyPage:
    by_event: dict[str, list[float]] = {}
    by_rule: dict[str, list[float]] = {}
    for receipt in receipts:
        by_event.setdefault(receipt.event, []).append(receipt.ms)
        for rule, ms in _rules(receipt.slow).items():
            by_rule.setdefault(rule, []).append(ms)
    events = (_latency(name, took) for name, took in by_event.items())
    whole = [_latency("all hooks", [receipt.ms for receipt in receipts])] if receipts else []
    return LatencyPage(
        events=(*whole, *_dearest(events)),
        rules=_dearest(_latency(name, took) for name, took in by_rule.items()),
        since=min((receipt.ts for receipt in receipts), default=0.0),
        without_store=sum("without the store" in receipt.note for receipt in receipts),
    )


def _dearest(found: Iterable[Latency]) -> tuple[Latency, ...]:
    """What cost most in all comes first."""
    return tuple(sorted(found, key=lambda one: (-one.count * one.median, one.name)))


def _rules(text: str) -> dict[str, float]:
    try:
        return msgspec.json.decode(text, type=dict[str, float]) if text else {}
    except (msgspec.MsgspecError, ValueError):
        return {}


def _latency(name: str, took: list[float]) -> Latency:
    ordered = sorted(took)

    def below(share: int) -> float:
        return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]

    return Latency(
        name=name, count=len(ordered), median=median(ordered), p95=below(95), p99=below(99), most=ordered[-1]
    )
