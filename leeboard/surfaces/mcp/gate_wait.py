"""Waiting for a person at a gate: no lock is held, nothing is written, and a decision is seen by its file.

A decision that falls between the tick and the waiting is not missed: what the files looked like is taken down before
the tick.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from leeboard.io.clock import monotonic
from leeboard.surfaces.mcp.calls import Call

SECONDS, MOST_SECONDS = 25.0, 1500.0
"""Clients give up a call that says nothing: at the longest after half an hour."""
LOOK_EVERY, TELL_EVERY = 0.2, 5.0
_WATCHED = ("rulings.jsonl", "state.json", "feedback")

Sight = tuple[tuple[str, int, int], ...]


def allowed_seconds(env: Mapping[str, str]) -> float:
    """How long one call may wait."""
    try:
        given = float(env.get("LEEBOARD_GATE_SECONDS", ""))
    except ValueError:
        return SECONDS
    return min(max(given, 0.0), MOST_SECONDS) if given == given else SECONDS  # noqa: PLR0124 - NaN is not itself


def seen(intent_folder: str) -> Sight:
    """What a person's word changes: the rulings of every stage, their state, and the findings filed there."""
    stages = os.path.join(intent_folder, "stages")  # noqa: PTH118 - the folder's names pass through as they are
    try:
        names = sorted(os.listdir(stages))  # noqa: PTH208 - as above
    except OSError:
        return ()
    paths = (f"{intent_folder}/feedback", *(f"{stages}/{name}/{file}" for name in names for file in _WATCHED))
    return tuple(mark for path in paths if (mark := _mark(path)))


def wait_for_change(before: Sight, look: Callable[[], Sight], call: Call, seconds: float) -> bool:
    """Whether something changed; False when the time is over or the call was ended."""
    began = monotonic()
    told = 0
    while look() == before:
        passed = monotonic() - began
        if passed // TELL_EVERY >= told:
            told += 1
            call.tell(f"waiting for a person's decision ({passed:.0f} s)")
        if passed >= seconds or not call.wait(min(LOOK_EVERY, seconds - passed)):
            return False
    return True


def _mark(path: str) -> tuple[str, int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return path, found.st_mtime_ns, found.st_size
