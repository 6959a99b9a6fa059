"""How long each rule took for the hook that is being answered: one at a time in a process, so one collection is enough.

The core knows no clock. The rules of a hook are therefore wrapped here, where its receipt is written too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from leeboard.io import clock
from leeboard.model.verdict import Finding
from leeboard.rule import Detect, LoadedRule

SLOW_MS = 0.1
"""What took less is nobody's wait."""
MOST = 8

_took: dict[str, float] = {}


class _TimedRule(LoadedRule):
    """The same rule; what its detector takes is added up."""

    def __init__(self, loaded: LoadedRule) -> None:
        self.__dict__.update(loaded.__dict__)

    @property
    def detect(self) -> Detect:
        detect = super().detect

        def timed(*given: Any) -> Iterator[Finding]:
            began = clock.monotonic()
            try:
                return iter(tuple(detect(*given)))
            finally:
                _took[self.id] = _took.get(self.id, 0.0) + (clock.monotonic() - began) * 1000

        return timed


@lru_cache(maxsize=16)
def timed(rules: tuple[LoadedRule, ...]) -> tuple[LoadedRule, ...]:
    return tuple(map(_TimedRule, rules))


def begin() -> None:
    _took.clear()


def slow_rules() -> str:
    """The rules that took longest since then, with their milliseconds, as JSON; empty where none took any time."""
    slow = sorted(((ms, rule) for rule, ms in _took.items() if ms >= SLOW_MS), reverse=True)[:MOST]
    return msgspec.json.encode({rule: round(ms, 2) for ms, rule in slow}).decode() if slow else ""
