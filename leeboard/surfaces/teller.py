"""Whose word a hook is. Only the client's own process tells what happened and what the user said.

The hook is a program like any other: an agent can run it with a prompt of its own making, or with a result that never
was. What an agent's shell or a gate tells is therefore taken for what it is, a call of the agent that runs the hook:
recorded and found, and nothing in it is believed.
"""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.model.digest import digest
from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed
from leeboard.surfaces.agent_marks import told_by_agent
from leeboard.wire.claude_hooks import HookCall

OUTCOME = "self_allowance"
"""Of the receipt: `status` and `report` show it to the person."""


def is_forged(env: Mapping[str, str], process: int) -> bool:
    """Whether somebody else than the client tells it. `process` is the hook's, `env` its environment."""
    return told_by_agent(env, process)


def attempt(call: HookCall, now: float) -> tuple[Event, ...]:
    """What the agent really did, as events of its session."""
    line = f"leeboard hook < {call.name}.json"
    name = f"forged-{digest(f'{call.name} {now}', 6)}"
    ran = ToolCall(id=name, tool="Bash", action="bash", command=line)
    proposed = ToolProposed(session=call.session, key=f"call:{name}", cwd=call.cwd, time=now, call=ran)
    ended = ToolFinished(session=call.session, key=f"result:{name}", cwd=call.cwd, time=now, call=ran, outcome="denied")
    return proposed, ended


def note(call: HookCall) -> str:
    return f"a {call.name} that an agent's shell told, and not the client: nothing in it was believed"
