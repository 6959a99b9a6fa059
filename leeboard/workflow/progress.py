"""Whether anything moved since the last answer: a working action that changes nothing is halted, waiting never is."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from leeboard.model.digest import digest
from leeboard.model.plan import Clue, LastAction, Plan
from leeboard.workflow.advance import clue as told
from leeboard.workflow.look import looking

MOST_REPEATS = 3
"""How often an action may be given again while nothing moves."""


def signature(plan: Plan) -> str:
    """Digest of everything that may move; how often it was looked at is no part of it."""
    moving = replace(plan, tick=0, last=None, studio=None, studios=())
    return digest(repr(moving), 16)


def counted(plan: Plan, clue: Clue, now: str) -> tuple[Clue, LastAction]:
    """The clue as it is answered, and what is to be kept of it: the same one again counts, and may become a halt."""
    mark = signature(plan)
    last = plan.last
    again = last is not None and last.name == clue.action and last.progress == mark
    repeats = last.repeats + 1 if last is not None and again else 0
    kept = LastAction(name=clue.action, at=now, progress=mark, repeats=repeats)
    if clue.waits:
        return replace(clue, payload={**clue.payload, "repeats": repeats}), kept
    return (_halted(plan, clue, repeats, now) if repeats >= MOST_REPEATS else clue), kept


def _halted(plan: Plan, clue: Clue, repeats: int, now: str) -> Clue:
    text = (
        f"{clue.action} was given {repeats + 1} times and nothing moved. It said: {clue.message} Tell the user what "
        "stands in the way; whatever changes the plan, or a word of the user, lets the work go on."
    )
    payload: dict[str, Any] = {"loop": "repeat", "halted_action": clue.action, "repeats": repeats}
    return told(looking(plan, now), "loop_halted", text, {**payload, "halted_payload": clue.payload}, "person")
