"""How long a task has been off course: persistence, not the number of calls.

Any check that is not green counts, whatever its kinds, but only where the tree changed or some time passed since the
last one that counted: three looks at one dirty tree within a second are one look. A green check ends the streak and
arms the pit stop again.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import Contract
from leeboard.model.task import DriftReport, TaskState

LEAST_SECONDS = 300.0
"""After which an unchanged tree counts again."""


class TreeCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One look at a task's tree."""

    report: DriftReport
    tree: str
    """Digest of the tree."""
    now: float
    stamp: str
    """The same moment as people read it."""


class StreakStep(msgspec.Struct, frozen=True, kw_only=True):
    """What a check changes."""

    state: TaskState
    counted: bool = False
    changed: bool = False
    """Score or kinds are others than those that were last written onto the task."""
    pit_stop_due: bool = False


def advance(state: TaskState, check: TreeCheck, contract: Contract | None) -> StreakStep:
    """The state after a check."""
    report = check.report
    drifting = report.score != "green"
    counted = _counts(state, check)
    moved = replace(
        state,
        score=report.score,
        kinds=report.kinds,
        updated_at=check.stamp,
        first_seen=state.first_seen or check.stamp,
        tree=check.tree if counted else state.tree,
        counted_at=check.now if counted or check.now < state.counted_at else state.counted_at,
    )
    if not drifting:
        moved = replace(moved, streak=0, pit_stop_created=False, last_green_at=check.stamp)
    elif counted:
        moved = replace(moved, streak=state.streak + 1)
    return StreakStep(
        state=moved,
        counted=counted,
        changed=signature(report) != state.logged,
        pit_stop_due=drifting and _is_due(moved, contract),
    )


def _counts(state: TaskState, check: TreeCheck) -> bool:
    """A clock that goes backwards lets no time pass."""
    if not state.counted_at or state.tree != check.tree:
        return True
    if state.score == "green" and check.report.score != "green":
        return True
    return check.now - state.counted_at >= LEAST_SECONDS


def _is_due(state: TaskState, contract: Contract | None) -> bool:
    """Only work in the mode `core` is called in; a task without a contract is such work."""
    contract = contract or Contract()
    wanted = contract.mode == "core" and contract.auto_followups and contract.pit_stop_after > 0
    return wanted and state.streak >= contract.pit_stop_after and not state.pit_stop_created


def is_stuck(state: TaskState, contract: Contract | None) -> bool:
    """Off course for twice as long as calls for a pit stop: that is red, whatever the findings are."""
    after = (contract or Contract()).pit_stop_after
    return after > 0 and state.streak >= 2 * after


def stopped(state: TaskState) -> TaskState:
    """The state once the pit stop was made."""
    return replace(state, pit_stop_created=True, pit_stops=state.pit_stops + 1)


def signature(report: DriftReport) -> str:
    return " ".join((report.score, *report.kinds))
