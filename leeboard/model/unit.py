"""A work item of a stage of a workflow, and the hats that were worn on it."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.studio import GateCommand

UnitStatus = Literal["pending", "active", "completed"]
PassResult = Literal["advance", "reject"]


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """One hat worn once."""

    hat: str
    started_at: str = ""
    completed_at: str = ""
    result: PassResult = "advance"
    reason: str = ""
    """Of an advance: why nothing had to change. Of a reject: what fell short."""
    changed: bool = False
    """Something had changed by then, as far as somebody looked."""
    work: str = ""
    """Of a reject: a name for what had been changed by then; empty: nothing, or nobody looked."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A work item of one stage; `id` is the stem of its file."""

    id: str
    stage: str
    title: str = ""
    type: str = ""
    depends_on: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    touch: tuple[str, ...] = ()
    """Globs it may change, where its author named some."""
    quality_gates: tuple[GateCommand, ...] = ()
    closes: tuple[str, ...] = ()
    model: str = ""
    status: UnitStatus = "pending"
    bolt: int = 0
    hat: str = ""
    started_at: str = ""
    hat_started_at: str = ""
    completed_at: str = ""
    passes: tuple[Pass, ...] = ()
    """`iterations` in the file."""
    criteria: tuple[tuple[str, bool], ...] = ()
    """What it has to meet, and whether it was ticked off."""
    body: str = ""
    problem: str = ""
    """Why its file can not be read as a unit."""

    @property
    def unmet(self) -> tuple[str, ...]:
        return tuple(text for text, done in self.criteria if not done)
