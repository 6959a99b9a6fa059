"""Figures of the guard at work, from what its hooks have written down: no event is counted while somebody waits."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

import msgspec

from leeboard.app.telemetry.spans import kind_name
from leeboard.model.verdict import Action
from leeboard.store.database import Database
from leeboard.store.telemetry import hooks_after, judged_after, queue_lengths

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper ends, in seconds."""
_AT_ONCE = 5_000


class Figures(msgspec.Struct, kw_only=True):
    """Counts only grow. Labels are kinds, never what something was about."""

    began: float
    events: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    """Hooks that were answered, by client and event."""
    verdicts: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    """Answers, by action and rule; without a rule where none had a finding."""
    buckets: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    """Hooks by how long they took, the last beyond all bounds."""
    seconds: float = 0.0
    queues: dict[str, int] = {}
    memory: int = 0
    """Bytes that the resident holds; zero while there is none."""


class Meter:
    """Adds what came since it last looked to its figures, so that nothing is counted twice."""

    def __init__(self, began: float) -> None:
        self.figures = Figures(began=began)
        self._hook = self._judged = 0

    def read(self, database: Database, memory: int) -> Figures:
        figures = self.figures
        while hooks := hooks_after(database, self._hook, _AT_ONCE):
            self._hook = hooks[-1].row
            for hook in hooks:
                figures.events[kind_name(hook.client), kind_name(hook.event)] += 1
                figures.buckets[bisect_left(BOUNDS, hook.ms / 1000)] += 1
                figures.seconds += hook.ms / 1000
        while rows := judged_after(database, self._judged, _AT_ONCE):
            self._judged = rows[-1].row
            for row in rows:
                for rule in _rules(row.rules) or ("",):
                    figures.verdicts[Action(row.action).name.lower(), rule] += 1
        figures.queues, figures.memory = queue_lengths(database), memory
        return figures


def _rules(text: str) -> tuple[str, ...]:
    try:
        return tuple(map(kind_name, msgspec.json.decode(text, type=tuple[str, ...])))
    except msgspec.MsgspecError:
        return ()


def prometheus_text(figures: Figures) -> str:
    """The text format, version 0.0.4."""
    return "\n".join(_lines(figures)) + "\n"


def _lines(figures: Figures) -> Iterator[str]:
    yield from _head("leeboard_events_total", "counter", "Hooks that were answered.")
    for (client, event), count in sorted(figures.events.items()):
        yield f'leeboard_events_total{{client="{client}",event="{event}"}} {count}'
    yield from _head("leeboard_verdicts_total", "counter", "Answers, by action and rule.")
    for (action, rule), count in sorted(figures.verdicts.items()):
        yield f'leeboard_verdicts_total{{action="{action}",rule="{rule}"}} {count}'
    yield from _head("leeboard_hook_duration_seconds", "histogram", "From a hook understood to its receipt.")
    bounds = (*(f"{bound:g}" for bound in BOUNDS), "+Inf")
    for bound, count in zip(bounds, accumulate(figures.buckets), strict=True):
        yield f'leeboard_hook_duration_seconds_bucket{{le="{bound}"}} {count}'
    yield f"leeboard_hook_duration_seconds_sum {figures.seconds:.6f}"
    yield f"leeboard_hook_duration_seconds_count {sum(figures.buckets)}"
    yield from _head("leeboard_queue_length", "gauge", "What waits to be said or sent.")
    for queue, length in sorted(figures.queues.items()):
        yield f'leeboard_queue_length{{queue="{queue}"}} {length}'
    yield from _head("leeboard_resident_memory_bytes", "gauge", "What the resident process holds; 0 while none runs.")
    yield f"leeboard_resident_memory_bytes {figures.memory}"


def _head(name: str, kind: str, means: str) -> tuple[str, str]:
    return f"# HELP {name} {means}", f"# TYPE {name} {kind}"
