"""Whether anything moved since the last answer: a working action that changes nothing is halted, waiting never is."""

from __future__ import annotations

from typing import Any

from msgspec import msgpack
from msgspec.structs import replace

from leeboard.model.digest import digest
from leeboard.model.plan import Clue, LastAction, Plan
from leeboard.workflow.advance import clue as told
from leeboard.workflow.look import looking

MOST_REPEATS = 3
"""How often an action may be given again while nothing moves."""


ALONE = (1.0, 0.0)
"""Asked for after the last answer, whenever that was: nobody else asks."""


def signature(plan: Plan) -> str:
    """Digest of everything that may move; how often it was looked at is no part of it."""
    truth = replace(plan.truth, dispatch=None) if plan.truth else None  # the question itself is no answer to it
    moving = replace(plan, tick=0, last=None, studio=None, studios=(), truth=truth)
    try:
        return digest(msgpack.encode(moving), 16)
    except (ValueError, TypeError, OverflowError):  # bytes that are no text, numbers that are too large
        return digest(repr(moving), 16)


def counted(plan: Plan, given: Clue, now: str, span: tuple[float, float] = ALONE) -> tuple[Clue, LastAction]:
    """The clue as it is answered, and what is to be kept of it: the same one again counts, and may become a halt.

    It counts for who could have known it. A tick that had begun before the answer was there gets the same one, as if
    both had asked together. `span` is when this one was asked for, and when it is answered.
    """
    mark = signature(plan)
    last = plan.last
    repeats = 0
    if last is not None and last.name == given.action and last.progress == mark:
        repeats = last.repeats + (span[0] > last.answered)
    kept = LastAction(name=given.action, at=now, progress=mark, repeats=repeats, answered=span[1])
    if given.waits:
        return replace(given, payload={**given.payload, "repeats": repeats}), kept
    return (_halted(plan, given, repeats, now) if repeats >= MOST_REPEATS else given), kept


def _halted(plan: Plan, given: Clue, repeats: int, now: str) -> Clue:
    said = given.message.removesuffix("Then call haiku_run_next again.").rstrip()  # that alone moved nothing
    text = (
        f"{given.action} was given {repeats + 1} times and nothing moved. It said: {said} Tell the user what "
        "stands in the way; whatever changes the plan, or a word of the user, lets the work go on."
    )
    payload: dict[str, Any] = {"loop": "repeat", "halted_action": given.action, "repeats": repeats}
    return told(looking(plan, now), "loop_halted", text, {**payload, "halted_payload": given.payload}, "person")
