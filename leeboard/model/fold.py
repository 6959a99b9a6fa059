"""Session and analysed event to the next Session: pure, total and bounded.

Order is the order of the calls. A tool call only moves forward: proposed, then denied, failed or done. Only the best
source of a session advances its turns, so a run seen through hooks counts the same turns as its transcript; what a
weaker source adds joins the turn it belongs to.
"""

from __future__ import annotations

import hashlib
import posixpath

from msgspec.structs import replace

from leeboard.model import session as windows
from leeboard.model.analysis import Analysis, Intent
from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ThoughtShown,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.glob import matches
from leeboard.model.ledger import Mention, Met
from leeboard.model.session import AgentState, Goal, Mark, OpenCall, Session

SCOPE_WINDOW = 60
KEYWORD_WINDOW = 240
CONSTRAINT_WINDOW = 16
LAST_TEXT = 600

_RANK = {"": 0, "transcript": 1, "hook": 2}


def counts(session: Session, event: Event) -> bool:
    """Whether the event is to be folded: one without an id counts from the session's best source alone."""
    if event.key or _RANK[event.source] >= _RANK[session.live]:
        return not _heard_before(session, event)
    return False


def _heard_before(session: Session, event: Event) -> bool:
    """A prompt whose id only one source knows is recognised by its words."""
    return (
        isinstance(event, PromptGiven)
        and event.source != session.live
        and session.live == "hook"
        and _prompt_digest(event) in session.prompts
    )


def fold(session: Session, analysis: Analysis) -> tuple[Session, tuple[Mention, ...]]:
    """The session after the event, and the ledger rows it adds."""
    event = analysis.event
    live = event.source if _RANK[event.source] > _RANK[session.live] else session.live
    session = replace(
        session,
        live=live,
        events=session.events + 1,
        started=session.started or event.time,
        updated=max(session.updated, event.time),
    )
    agent = _advance_turn(session, session.agent(event.agent), event)
    session = replace(session, turns=session.turns + agent.turn - session.agent(event.agent).turn)
    match event:
        case PromptGiven():
            return _prompted(session, agent, analysis)
        case ToolProposed():
            agent = _opened(agent, analysis)
        case ToolFinished():
            return _closed(session, agent, analysis)
        case TurnEnded():
            session = replace(session, batches=session.batches or event.source == "hook")
        case MessageSaid():
            agent = replace(agent, last_text=analysis.text[:LAST_TEXT])
        case ContextCompacted():
            agent = _forgetful(session, agent)
        case SessionStarted(reason=reason):
            session = replace(session, status="active")
            agent = _forgetful(session, agent) if reason in {"resume", "fork"} else agent
        case SessionEnded():
            session = replace(session, status="completed")
        case AgentEnded():
            session = _hand_over(session, agent)
            return session, analysis.mentions
        case _:
            pass
    return put_agent(session, agent), analysis.mentions


def put_agent(session: Session, agent: AgentState) -> Session:
    """The session with this agent's state, the least recently active ones forgotten beyond the window."""
    others = [state for state in session.agents if state.id != agent.id]
    kept = [*others, agent]
    if len(kept) > windows.AGENT_WINDOW:
        oldest = next(state for state in kept if state.id)
        kept.remove(oldest)
    return replace(session, agents=tuple(kept))


def _advance_turn(session: Session, agent: AgentState, event: Event) -> AgentState:
    if event.source != session.live:
        return agent
    match event:
        case ToolProposed() | MessageSaid() | ThoughtShown():
            return _turn_of_message(session, agent, event)
        case Stopped() | AgentEnded() if event.source == "hook":  # no hook tells of a message that only says something
            return replace(agent, turn=agent.turn + 1, turn_open=False)
        case TurnEnded() if event.source == "hook":
            missed = event.calls and not agent.turn_open
            return replace(agent, turn=agent.turn + 1 if missed else agent.turn, turn_open=False)
        case PromptGiven() | AgentStarted():
            return replace(agent, turn_open=False)
        case _:
            return agent


def _forgetful(session: Session, agent: AgentState) -> AgentState:
    """A run that begins in the middle: what led to its files lies before our time."""
    return agent if session.scored or agent.turn else replace(agent, remembers=False)


def _turn_of_message(session: Session, agent: AgentState, event: Event) -> AgentState:
    if event.message:
        same = event.message == agent.message
        return agent if same else replace(agent, turn=agent.turn + 1, turn_open=True, message=event.message)
    goes_on = agent.turn_open and (session.batches or bool(agent.open_calls))
    return agent if goes_on else replace(agent, turn=agent.turn + 1, turn_open=True)


def _prompted(session: Session, agent: AgentState, analysis: Analysis) -> tuple[Session, tuple[Mention, ...]]:
    intent, event = analysis.intent, analysis.event
    assert intent is not None  # noqa: S101 - analyse() gives every prompt its intent
    session = replace(
        session,
        exchange=session.exchange + 1,
        prompts=(*session.prompts, _prompt_digest(event))[-windows.PROMPT_WINDOW :],
        batches=session.batches or (event.source == "hook" and bool(event.key)),
    )
    if session.mode == "FORCED":
        session = replace(session, mode="NORMAL", forced="")
    if intent.steers:
        session = _reanchored(session, intent)
        agent = replace(agent, edits=0, strays=(), corrected=False)
    return put_agent(session, agent), analysis.mentions


def _reanchored(session: Session, intent: Intent) -> Session:
    goal = Goal(
        text=intent.text,
        exchange=session.exchange,
        keywords=intent.keywords[:40],
        scope=intent.scope,
        areas=intent.areas,
    )
    first, later = session.goals[:1], session.goals[1:]
    goals = (*first, *(*later, goal)[-(windows.GOAL_WINDOW - 1) :]) if first else (goal,)
    old = session.contract
    contract = Contract(
        objective=intent.text,
        scope=_newest_first(intent.scope, old.scope, SCOPE_WINDOW),
        constraints=(*_still_standing(old.constraints, intent), *intent.constraints)[-CONSTRAINT_WINDOW:],
        keywords=_newest_first(intent.keywords, old.keywords, KEYWORD_WINDOW),
        areas=_newest_first(intent.areas, old.areas, 16),
        wide=intent.wide,
        version=old.version + 1,
    )
    return replace(session, goals=goals, contract=contract)


def _still_standing(constraints: tuple[Constraint, ...], intent: Intent) -> tuple[Constraint, ...]:
    """The human's newest word wins: asking for what was forbidden ends the ban."""
    return tuple(
        constraint
        for constraint in constraints
        if not set(constraint.programs) & set(intent.lifts)
        and not set(constraint.areas) & set(intent.lifts)
        and not (constraint.kind == "forbid" and any(matches(path, constraint.patterns) for path in intent.scope))
        and not (constraint.kind == "only" and intent.scope)
    )


def _newest_first(new: tuple[str, ...], old: tuple[str, ...], window: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*new, *old)))[:window]


def _opened(agent: AgentState, analysis: Analysis) -> AgentState:
    event = analysis.event
    assert isinstance(event, ToolProposed)  # noqa: S101 - narrowed by the caller's match
    call = OpenCall(
        id=event.call.id,
        action=event.call.action,
        turn=agent.turn,
        modifies=analysis.modified[:16],
        opaque=analysis.opaque,
        digest=analysis.digest,
        reverse=analysis.reverse,
        words=analysis.subjects[:36],
    )
    others = tuple(known for known in agent.open_calls if known.id != call.id)
    return replace(agent, open_calls=(*others, call)[-windows.OPEN_CALL_WINDOW :])


def _closed(session: Session, agent: AgentState, analysis: Analysis) -> tuple[Session, tuple[Mention, ...]]:
    event = analysis.event
    assert isinstance(event, ToolFinished)  # noqa: S101 - narrowed by the caller's match
    call = next((known for known in agent.open_calls if known.id == event.call.id), None)
    agent = replace(agent, open_calls=tuple(known for known in agent.open_calls if known.id != event.call.id))
    if event.outcome == "denied":
        return put_agent(session, agent), ()
    if event.outcome == "failed" and event.call.action != "bash":
        return put_agent(session, agent), ()
    mentions = analysis.mentions
    modified = call.modifies if call else analysis.modified
    if not agent.edits:
        mentions = tuple(Mention(m.term, m.met | Met.EXPLORED) if m.met & Met.READ else m for m in mentions)
    if modified and event.outcome == "done":
        agent, changed = _changed(agent, call, modified)
        mentions = (*mentions, *changed)
        session = _grown(session, modified) if call is None or (call.aligned and call.seeds) else session
    elif analysis.digest:
        agent = _marked(agent, Mark(kind="failure", digest=analysis.digest))
    if any(touch.kind == "read" for touch in analysis.touches):
        session = replace(session, reads=session.reads + 1)
    session = _released(session, analysis)
    return put_agent(session, agent), mentions


def _changed(agent: AgentState, call: OpenCall | None, modified: tuple[str, ...]) -> tuple[AgentState, list[Mention]]:
    """An edit that was on course becomes part of the work; one that was not leaves only the trace that it strayed."""
    aligned = call is None or call.aligned
    mentions: list[Mention] = []
    for path in modified:
        agent = _marked(
            agent,
            Mark(kind="edit", path=path, digest=call.digest if call else "", reverse=call.reverse if call else ""),
        )
        if not aligned:
            mentions.append(Mention(path, Met.STRAYED))
            continue
        if call is not None and not call.seeds:
            mentions.append(Mention(path, Met.EDITED))
            continue
        name, folder = posixpath.basename(path), posixpath.dirname(path)
        bare = name.split(".", 1)[0].lower()
        mentions += [
            Mention(path, Met.EDITED),
            Mention(f"name:{name}", Met.EDITED),
            Mention(f"name:{bare}", Met.EDITED),
        ]
        while folder.strip("/"):
            mentions.append(Mention(folder + "/", Met.EDITED))
            folder = posixpath.dirname(folder)
    if aligned:
        mentions += [Mention(word, Met.WROTE) for word in (call.words if call and call.seeds else ())]
        agent = replace(agent, edits=agent.edits + 1, last_good=modified[0], corrected=False)
    return agent, mentions


def _grown(session: Session, modified: tuple[str, ...]) -> Session:
    """Scope grows from evidence: the folders of work that was on course join what is expected."""
    inside = [path for path in modified if not path.startswith(("/", "~", ".."))]
    new = [posixpath.dirname(path) + "/" if "/" in path else path for path in inside]
    scope = session.contract.scope
    fresh = tuple(entry for entry in dict.fromkeys(new) if entry not in scope)
    if not fresh:
        return session
    return replace(session, contract=replace(session.contract, scope=(*scope, *fresh)[:SCOPE_WINDOW]))


def _released(session: Session, analysis: Analysis) -> Session:
    """FORCED ends when the forced action was executed: its result came back done."""
    event = analysis.event
    if session.mode != "FORCED" or not isinstance(event, ToolFinished) or event.outcome != "done":
        return session
    if session.forced:
        executed = any(touch.path == session.forced for touch in analysis.touches)
    else:
        executed = bool({"git diff", "git status"} & set(analysis.programs))
    return replace(session, mode="NORMAL", forced="", escalation=0, uncorrected=0) if executed else session


def _marked(agent: AgentState, mark: Mark) -> AgentState:
    return replace(agent, marks=(*agent.marks, mark)[-windows.MARK_WINDOW :])


def _hand_over(session: Session, agent: AgentState) -> Session:
    """What an ended agent was still to hear goes to its parent."""
    others = tuple(state for state in session.agents if state.id != agent.id)
    main = next((state for state in others if not state.id), AgentState())
    heirs = tuple(replace(correction, agent="") for correction in agent.waiting)
    main = replace(main, waiting=(*main.waiting, *heirs)[-windows.WAITING_WINDOW :])
    return put_agent(replace(session, agents=others), main)


def _prompt_digest(event: PromptGiven | Event) -> str:
    text = event.text if isinstance(event, PromptGiven) else ""
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
