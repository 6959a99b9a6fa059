"""The client's own plan mode, while a workflow on disk does the planning.

## What it catches
The tool `EnterPlanMode`, while a workflow is active.

## Why it matters
Two plans are none. What is planned in plan mode lives in the conversation, is lost with it, and nobody's gate holds
for it.

## Example
In the middle of a stage the agent calls `EnterPlanMode` to think about the next units.

## Known limits
Only the tool counts: a person who switches plan mode on is not stopped, and leaving it is always fine. Clients without
such a tool have nothing to route.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.plan.guards.words import next_call, standing_of
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-G004",
    channel="guard",
    denies=True,
    summary="the client's own plan mode, while a workflow on disk does the planning",
)

FIRES = (
    Sample(name="while elaborating", lines=('plan phase = "elaborate"', "tool EnterPlanMode")),
    Sample(name="in the middle of a unit", lines=('plan phase = "execute"', "tool EnterPlanMode")),
)
SILENT = (
    Sample(name="no workflow", lines=("@ plan it", "tool EnterPlanMode")),
    Sample(name="leaving it", lines=('plan phase = "elaborate"', "tool ExitPlanMode | # the plan")),
)


def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
    """One finding, with the call that belongs in its place."""
    if world.plan is None or event.call.tool.lower() != "enterplanmode":
        return
    text = f"planning happens in the workflow ({standing_of(world.plan)}), not in plan mode"
    yield Finding(
        rule="plan_mode",
        subject=event.call.tool,
        evidence=(Evidence(text, -8),),
        cap=2,
        message=f"Plan mode is not used here: {text}.",
        remedy=f"{next_call(world.plan)}; units are planned as files of the stage while it elaborates",
    )
