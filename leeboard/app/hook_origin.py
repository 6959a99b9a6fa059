"""Whose word a hook is. Only the client's own process tells what happened and what the user said.

The hook is a program like any other: an agent can run it with a prompt of its own making, or with a result that never
was. What an agent's shell or a gate tells is therefore taken for what it is, a call of the agent that runs the hook:
recorded and found, and nothing in it is believed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain, islice, takewhile

from leeboard.clients import signs_of_all
from leeboard.clients.call import HookCall
from leeboard.io import parents
from leeboard.io.parents import GATE_MARK, LIMIT_MARK, Ancestor, limit_of
from leeboard.model.event import Event, PromptGiven, ToolCall, ToolFinished, ToolProposed
from leeboard.model.text import digest

OUTCOME = "self_allowance"
"""The outcome on the receipt: `status` and `report` show it to the person."""

MADE_UP = "a prompt in the transcript that the client did not write: it was not believed"


def attempt(call: HookCall, now: float) -> tuple[Event, ...]:
    """What the agent really did that told such a hook, as events of its session."""
    line = f"leeboard hook < {call.name}.json"
    name = f"forged-{digest(f'{call.name} {now}', 6)}"
    return _refused(call, now, ToolCall(id=name, tool="Bash", action="bash", command=line))


def written(call: HookCall, prompt: PromptGiven) -> tuple[Event, ...]:
    """The same of one that wrote a prompt into the transcript."""
    name = f"forged-{digest(prompt.key or prompt.text, 6)}"
    return _refused(call, prompt.time, ToolCall(id=name, tool="Write", action="write", paths=(call.transcript,)))


def _refused(call: HookCall, now: float, ran: ToolCall) -> tuple[Event, ...]:
    """It has ended, so that nothing waits for it, and nothing came of it."""
    session, cwd = call.session, call.cwd
    proposed = ToolProposed(session=session, key=f"call:{ran.id}", cwd=cwd, time=now, call=ran)
    key = f"result:{ran.id}"
    return proposed, ToolFinished(session=session, key=key, cwd=cwd, time=now, call=ran, outcome="denied")


def note(call: HookCall) -> str:
    return f"a {call.name} that an agent's shell told, and not the client: nothing in it was believed"


# How a process knows that an agent runs it: by its environment, and by those of the processes above it.
#
# A variable alone is thin proof, since a command may be started without it. The system keeps the environment each
# process was started with, so the shell of an agent is found above whatever it runs, also where the mark was taken away
# below it. The look goes up to the nearest client: a client starts its hooks itself and marks every shell of its agent,
# and whose shell it was started from in its turn says nothing about what it starts. For a hook the client is a witness;
# for what only a person decides it is an agent, since a program may take the place of the marked shell below it. Where
# the tie to the processes above was cut, the leader of the session is asked too: a shell of the agent's that lives on
# in another program's session. Our own gates and acceptance commands bear marks as well, one of which they can not take
# off: they run what the agent wrote. Where the system does not tell of processes the environment alone counts. A
# command of the agent's that cuts all ties (a daemon with a clean environment), or a copy of a shell under a client's
# name that runs a hook, is not found out here.


AGENT_MARKS = signs_of_all("mark")
"""Variables that coding agents set for the commands they run."""
CLIENTS = frozenset(signs_of_all("process"))
"""What the programs are called that start hooks."""
_PACKAGES = CLIENTS.union(signs_of_all("package"))
"""And the folders in which those lie that an interpreter runs."""
_GIVEN_TO_CLIENTS = signs_of_all("mark-of-client")
"""Marks that who starts a client may set for the client itself."""
_TOLD_TO_HOOKS = signs_of_all("project-variable")
"""Variables that clients set for their hooks, and not for the commands they run."""
_SPELLED = tuple(name.encode() for name in (*AGENT_MARKS, GATE_MARK))
_INTERPRETERS = frozenset({"node", "bun", "deno", "MainThread"})
"""What a client written in JavaScript is called by the system, unless it names itself."""


def agent_mark(env: Mapping[str, str]) -> str:
    """The first variable that shows we run inside an agent; empty when none does."""
    return next((name for name in AGENT_MARKS if env.get(name, "") not in {"", "0", "false"}), "")


def agent_above() -> str:
    """The same for this process, those above it and the leader of its session; also the name of a client that runs it,
    and the mark of a gate: what only a person decides is asked for with this.
    """
    return _any_mark(os.environ) or agent_around(os.getpid())


def agent_around(pid: int) -> str:
    """The mark, or the name of the client, by which a process is known to belong to an agent; empty: to none.

    Whatever a client starts is an agent's, also what bears no mark: a server of tools, a browser, a program that took
    the place of a marked shell; and also below a client that a person started.
    """
    for process in parents.lineage(pid):
        mark = _any_mark(process.env_with(_SPELLED))
        if mark or _is_client(process):
            return mark or process.name
    try:
        leaders = tuple(parents.lineage(os.getsid(pid)))[:1]
    except OSError:
        leaders = ()
    return next((_any_mark(leader.env_with(_SPELLED)) for leader in leaders), "") or _limit_mark(pid)


def _limit_mark(pid: int) -> str:
    return LIMIT_MARK if limit_of(pid) else ""


def _any_mark(env: Mapping[str, str]) -> str:
    return GATE_MARK if env.get(GATE_MARK) else agent_mark(env)


def in_agent_shell(env: Mapping[str, str]) -> bool:
    """Whether a command of an agent runs us. Clients mark their hooks too, and tell those alone of the project."""
    return bool(agent_mark(env)) and not any(map(env.get, _TOLD_TO_HOOKS))


def told_by_agent(env: Mapping[str, str], pid: int) -> bool:
    """Whether the hook with this environment and process was started from an agent's shell or by a gate, and not by its
    client.
    """
    marked = in_agent_shell(env) or bool(env.get(GATE_MARK))
    return marked or any(_is_agent_shell(process) for process in _below_client(pid)) or _has_left_gate(pid)


def _has_left_gate(pid: int) -> bool:
    """Whether a gate runs it with no client between: the hooks of a client that a gate runs are that client's."""
    return bool(limit_of(pid)) and not any(map(_is_client, parents.lineage(pid)))


def _is_agent_shell(process: Ancestor) -> bool:
    env = process.env_with(_SPELLED)
    given = {name: value for name, value in env.items() if name not in _GIVEN_TO_CLIENTS}
    return in_agent_shell(given) or bool(given.get(GATE_MARK))


def _below_client(pid: int) -> Iterator[Ancestor]:
    return takewhile(lambda process: not _is_client(process), parents.lineage(pid))


def is_of_agent(pid: int) -> bool:
    """Whether an agent's shell or a gate has started a process, whatever that calls itself: a name is anybody's. It
    bears a mark, or one does that started it, up to the next client above.
    """
    above = parents.lineage(pid)
    own = islice(above, 1)
    return any(map(_is_marked, chain(own, takewhile(lambda process: not _is_client(process), above))))


def _is_marked(process: Ancestor) -> bool:
    env = process.env_with(_SPELLED)
    return bool(_any_mark({name: value for name, value in env.items() if name not in _GIVEN_TO_CLIENTS}))


def client_above(pid: int) -> int:
    """The client that runs a hook, or is the process itself; zero where there is none."""
    return next((process.pid for process in parents.lineage(pid) if _is_client(process)), 0)


def _is_client(process: Ancestor) -> bool:
    if process.name not in _INTERPRETERS:
        return process.name in CLIENTS
    return any(part in _PACKAGES for word in process.words for part in word.split("/"))
