"""An agent that ends without saying how its hat came out.

## What it catches
An agent, or a sub-agent, that worked on a unit and stops while the unit still stands exactly as it did when the work
began: same hat, same bolt, no pass recorded. It is kept going until the hat is passed on, sent back, or another bolt
is begun.

## Why it matters
A pass nobody recorded never happened. The next agent starts the same hat again, with nothing to say what was tried.

## Example
A builder edits files in the work tree of its unit and ends with "done", without calling `haiku_unit_advance_hat`.

## Known limits
An agent's unit is known by the files it wrote for it; one that only read is let go. So is the main agent when it wrote
nothing since the user spoke last, because then it only answers; and when it has been kept going already and ends with a
question, because it may have to ask. A client lets any agent end after a number of attempts of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.unit import StopProposed, Unit
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-G008",
    channel="guard",
    summary="an agent that ends without reporting the result of its hat",
)

FIRES = (
    Sample(name="nothing recorded", lines=('plan phase = "execute"', "plan worked = true", "leave Done.")),
    Sample(
        name="kept going once and still nothing",
        lines=('plan phase = "execute"', "plan worked = true", "leave again Done."),
    ),
)
SILENT = (
    Sample(name="no workflow", lines=("leave Done.",)),
    Sample(
        name="the hat was passed on",
        lines=('plan phase = "execute"', "plan worked = true", 'plan passed = "reviewer"', "leave Done."),
    ),
    Sample(name="somebody else's unit", lines=('plan phase = "execute"', "leave Done.")),
    Sample(
        name="it has to ask",
        lines=('plan phase = "execute"', "plan worked = true", "leave again Which of the two APIs is meant?"),
    ),
)


def detect(event: StopProposed, world: World) -> Iterator[Finding]:
    """One finding for each unit that is owed its result."""
    asks = not event.agent and event.already_blocked and event.text.rstrip().endswith(("?", "？", "؟"))
    if world.plan is None or asks:
        return
    for worked in event.worked_on:
        if not worked.is_recorded:
            yield _finding(worked.unit)


def _finding(unit: Unit) -> Finding:
    text = f"{unit.id} stands as before: hat {unit.hat}, bolt {unit.bolt}, and no result of this pass"
    return Finding(
        rule="iteration_owed",
        subject=unit.id,
        evidence=(Evidence(text, -8),),
        message=f"The pass of {unit.id} has no result yet (hat {unit.hat}, bolt {unit.bolt}), so it can not end here.",
        remedy=(
            f'call `haiku_unit_advance_hat` with unit "{unit.id}", hat "{unit.hat}" and bolt {unit.bolt} if the hat\'s '
            "work is done, "
            "`haiku_unit_reject_hat` with the reason if it goes back, or `haiku_unit_increment_bolt` for another round"
        ),
    )
