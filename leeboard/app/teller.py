"""Whose word a hook is. Only the client's own process tells what happened and what the user said.

The hook is a program like any other: an agent can run it with a prompt of its own making, or with a result that never
was. What an agent's shell or a gate tells is therefore taken for what it is, a call of the agent that runs the hook:
recorded and found, and nothing in it is believed.
"""

from __future__ import annotations

from leeboard.clients.call import Call
from leeboard.model.digest import digest
from leeboard.model.event import Event, PromptGiven, ToolCall, ToolFinished, ToolProposed

OUTCOME = "self_allowance"
"""Of the receipt: `status` and `report` show it to the person."""

MADE_UP = "a prompt in the transcript that the client did not write: it was not believed"


def attempt(call: Call, now: float) -> tuple[Event, ...]:
    """What the agent really did that told such a hook, as events of its session."""
    line = f"leeboard hook < {call.name}.json"
    name = f"forged-{digest(f'{call.name} {now}', 6)}"
    return _refused(call, now, ToolCall(id=name, tool="Bash", action="bash", command=line))


def written(call: Call, prompt: PromptGiven) -> tuple[Event, ...]:
    """The same of one that wrote a prompt into the transcript."""
    name = f"forged-{digest(prompt.key or prompt.text, 6)}"
    return _refused(call, prompt.time, ToolCall(id=name, tool="Write", action="write", paths=(call.transcript,)))


def _refused(call: Call, now: float, ran: ToolCall) -> tuple[Event, ...]:
    """It has ended, so that nothing waits for it, and nothing came of it."""
    session, cwd = call.session, call.cwd
    proposed = ToolProposed(session=session, key=f"call:{ran.id}", cwd=cwd, time=now, call=ran)
    key = f"result:{ran.id}"
    return proposed, ToolFinished(session=session, key=key, cwd=cwd, time=now, call=ran, outcome="denied")


def note(call: Call) -> str:
    return f"a {call.name} that an agent's shell told, and not the client: nothing in it was believed"
