"""What keeps a session small, whatever a run brings: rooms in bytes of its stored form.

History takes at most 16 KB by its window. Agents and goals are weighed, and the oldest part of what is too heavy is
forgotten first.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import PATH_ROOM, AgentState, OpenCall, Session

AGENT_ROOM = 15_000
AGENTS_ROOM = 30_000
GOAL_ROOM = 14_000

_ENCODER = msgspec.json.Encoder()


def weight(value: object) -> int:
    """Bytes of the stored form."""
    try:
        return len(_ENCODER.encode(value))
    except UnicodeEncodeError:  # half a surrogate pair, which the store replaces
        return 4 * len(repr(value))


def short(paths: tuple[str, ...], window: int) -> tuple[str, ...]:
    """The first few paths that are worth remembering."""
    return tuple(path for path in paths if len(path) <= PATH_ROOM)[:window]


def slim(agent: AgentState) -> AgentState:
    """The agent within its room."""
    if weight(agent) <= AGENT_ROOM:
        return agent
    halved = replace(
        agent,
        open_calls=tuple(_light(call) for call in agent.open_calls[-24:]),
        marks=agent.marks[-12:],
        said=agent.said[-16:],
        waiting=agent.waiting[-2:],
        pending=agent.pending[-3:],
        strays=agent.strays[-4:],
        early=agent.early[-4:],
    )
    return halved if weight(halved) <= AGENT_ROOM else _bare(agent)


def fitting(agents: tuple[AgentState, ...]) -> tuple[AgentState, ...]:
    """All agents within their common room, the newest last: the least recently active are stripped first."""
    if len(agents) * AGENT_ROOM <= AGENTS_ROOM or weight(agents) <= AGENTS_ROOM:
        return agents
    order = sorted(range(len(agents)), key=lambda at: (not agents[at].id, at))
    kept = list(agents)
    for at in order:
        kept[at] = _bare(kept[at])
        if weight(kept) <= AGENTS_ROOM:
            break
    return tuple(kept)


def with_small_goals(session: Session) -> Session:
    """The session with goals and contract within their room."""
    if weight((session.goals, session.contract)) <= GOAL_ROOM:
        return session
    older = tuple(replace(goal, keywords=goal.keywords[:8], scope=goal.scope[:8]) for goal in session.goals[:-1])
    contract = session.contract
    less = replace(
        session,
        goals=(*older, *session.goals[-1:]),
        contract=replace(
            contract, scope=contract.scope[:20], keywords=contract.keywords[:80], constraints=contract.constraints[-8:]
        ),
    )
    return less if weight((less.goals, less.contract)) <= GOAL_ROOM else _goals_in_words(session)


def _goals_in_words(session: Session) -> Session:
    bare = tuple(replace(goal, text=goal.text[:400], keywords=(), scope=(), areas=()) for goal in session.goals)
    old = session.contract
    limits = _newest_within(old.constraints, GOAL_ROOM // 2)
    contract = Contract(objective=old.objective[:400], constraints=limits, wide=old.wide, version=old.version)
    return replace(session, goals=(*bare[:1], *bare[1:][-1:]), contract=contract)


def _newest_within(constraints: tuple[Constraint, ...], room: int) -> tuple[Constraint, ...]:
    """Limits are the last thing to be forgotten."""
    kept: list[Constraint] = []
    for constraint in reversed(constraints):
        room -= weight(constraint)
        if room < 0:
            break
        kept.append(constraint)
    return tuple(reversed(kept))


def _light(call: OpenCall) -> OpenCall:
    return replace(call, modifies=call.modifies[:4], words=(), added=None)


def _bare(agent: AgentState) -> AgentState:
    """Who it is, where it stands and what it last heard."""
    return AgentState(
        id=agent.id[:200],
        turn=agent.turn,
        turn_open=agent.turn_open,
        message=agent.message[:200],
        spoken_turn=agent.spoken_turn,
        corrected=agent.corrected,
        fired_turn=agent.fired_turn,
        edits=agent.edits,
        remembers=agent.remembers,
    )
