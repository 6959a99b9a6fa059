"""What a hook leaves on record: whose it was and how it ended, what of it was not read, which rules took their time.

The core knows no clock, so the rules of a hook are wrapped here to be timed. A process answers one hook at a time: one
collection of times is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from leeboard.clients.call import HookCall
from leeboard.io import clock
from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.lookup import Receipt
from leeboard.model.verdict import Finding
from leeboard.rule import Detect, LoadedRule
from leeboard.shell.effects import shell_effects

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


def begin_timing() -> None:
    _took.clear()


def slow_rules() -> str:
    """The rules that took longest since then, with their milliseconds, as JSON; empty where none took any time."""
    slow = sorted(((ms, rule) for rule, ms in _took.items() if ms >= SLOW_MS), reverse=True)[:MOST]
    return msgspec.json.encode({rule: round(ms, 2) for ms, rule in slow}).decode() if slow else ""


def receipt_of(call: HookCall, time: float, outcome: str, project: str, root: str) -> Receipt:
    """Whose hook it was, and how it ended. `root` is the tree the agent works in."""
    about = (event.call.id for event in call.events if isinstance(event, ToolProposed | ToolFinished))
    return Receipt(
        ts=time,
        event=call.name,
        outcome=outcome,
        session=call.session,
        project=project,
        client=call.client,
        agent=call.agent,
        call=next(about, ""),
        place="worktree" if root and root != project else "",
    )


def unread_note(call: HookCall) -> str:
    """That a shell line was not read to its end: it was not found harmless. Empty where every line of the hook was."""
    for event in call.events:
        if isinstance(event, ToolProposed) and event.call.action == "bash":
            command = event.call.command
            if shell_effects(command, event.cwd).unread:
                return f"not analysed to its end: a shell line of {len(command)} characters"
    return ""
