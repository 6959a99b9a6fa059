"""An agent about to end, with all that decides whether it may."""

from __future__ import annotations

import msgspec

from leeboard.model.event import Event
from leeboard.model.gate import GateRun
from leeboard.model.unit import Unit


class WorkedOn(msgspec.Struct, frozen=True, kw_only=True):
    """A unit an agent worked on, as it is now, and how it stood when the agent last set to work on it."""

    unit: Unit
    hat: str
    bolt: int
    passes: int

    @property
    def is_recorded(self) -> bool:
        """Whether the hat was passed on or sent back since, or another bolt begun."""
        unit = self.unit
        return unit.status != "active" or (unit.hat, unit.bolt, len(unit.passes)) != (self.hat, self.bolt, self.passes)


class StopProposed(Event, frozen=True, kw_only=True):
    """It may still be kept going. `Stopped` and `AgentEnded` follow once it is let go."""

    already_blocked: bool = False
    """The client says that a stop hook has already kept the agent going."""
    text: str = ""
    worked_on: tuple[WorkedOn, ...] = ()
    gate_runs: tuple[GateRun, ...] = ()
    """Quality gates of what it worked on, over the tree as it leaves it; none where its hat need not meet them yet."""
