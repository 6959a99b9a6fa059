"""Session and analysed event to the next Session: pure, total and bounded.

Order is the order of the calls. What a tool call, a human message and a message of the agent change stands in the
modules beside this one; here is which of them an event concerns.
"""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from leeboard.model.contract import Contract
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    FilesChanged,
    MessageSaid,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ThoughtShown,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.ledger import Mention, Met
from leeboard.model.session import (
    AGENT_WINDOW,
    CALL_WINDOW,
    EARLY_WINDOW,
    GOAL_WINDOW,
    MARK_WINDOW,
    OPEN_CALL_WINDOW,
    PENDING_WINDOW,
    PROMPT_WINDOW,
    WAITING_WINDOW,
    AgentState,
    Goal,
    Mark,
    OpenCall,
    Session,
    fitting,
    outlasted,
    short,
    slim,
    tried_on,
    with_closing,
    with_let_stand,
    with_small_goals,
)
from leeboard.model.workspace import is_inside
from leeboard.model.world import Analysis, PromptIntent, standing_limits, without_flagged

LAST_TEXT = 600
LAST_THOUGHT = 240

_RANK = {"": 0, "transcript": 1, "wire": 2, "hook": 3}


def counts(session: Session, event: Event) -> bool:
    """Whether the event is to be folded: one without an id counts from the session's best source alone."""
    if event.key or _RANK[event.source] >= _RANK[session.live]:
        return not _heard_before(session, event)
    return False


def _heard_before(session: Session, event: Event) -> bool:
    """A prompt whose id only one source knows is recognised by its words."""
    return (
        isinstance(event, PromptGiven) and _RANK[event.source] < _RANK[session.live] and event.digest in session.prompts
    )


def fold(session: Session, analysis: Analysis) -> tuple[Session, tuple[Mention, ...]]:
    """The session after the event, and the ledger rows it adds."""
    event = analysis.event
    session = _counted(session, event)
    before = session.agent(event.agent)
    agent = advance_turn(session, before, event)
    if agent.turn != before.turn:
        session = outlasted(replace(session, turns=session.turns + agent.turn - before.turn))
    mentions = analysis.mentions
    match event:
        case PromptGiven():
            mentions = (*mentions, *(Mention(path, Met.EDITED) for path in _let_stand(session, agent, analysis.intent)))
            session, agent = prompted(session, replace(_rested(agent), calls=()), event, analysis.intent)
        case ToolProposed():
            looks = event.call.action == "read" and not analysis.modified
            agent = opened(tried_on(agent, looks=looks), analysis, event.call, session.exchange)
        case ToolFinished():
            session, agent, mentions = closed(session, agent, analysis, event)
        case FilesChanged() if event.lost:
            session, agent = _lived_on(session, _unsaid(agent, event), analysis)
        case AgentEnded() if event.agent:
            return _hand_over(session, agent), mentions
        case _:
            session, agent = _lived_on(session, agent, analysis)
    return put_agent(session, agent), mentions


def _unsaid(agent: AgentState, event: FilesChanged) -> AgentState:
    """What was put back and is lost once more is another loss, and is said again."""
    names = {one.name for one in event.lost}
    return replace(agent, said=tuple(mark for mark in agent.said if mark.partition(":")[2] not in names))


def _counted(session: Session, event: Event) -> Session:
    return replace(
        session,
        live=event.source if _RANK[event.source] > _RANK[session.live] else session.live,
        carried=session.carried or event.source == "wire",
        events=session.events + 1,
        started=session.started or event.time,
        updated=max(session.updated, event.time),
    )


def _lived_on(session: Session, agent: AgentState, analysis: Analysis) -> tuple[Session, AgentState]:
    """What is neither a call nor a human message."""
    match analysis.event:
        case TurnEnded(source="hook"):
            session = replace(session, batches=True)
        case MessageSaid():
            agent = with_closing(replace(agent, last_text=analysis.text[:LAST_TEXT]), analysis.closing)
        case Stopped():
            agent = with_closing(agent, analysis.closing)
        case ThoughtShown(source="wire"):
            agent = replace(agent, last_text="", last_thought=_end_of(analysis.text))
        case ContextCompacted():
            agent = _forgetful(session, agent)
        case SessionStarted(reason=reason):
            session = replace(session, status="active")
            agent = _forgetful(session, agent) if reason in {"resume", "fork"} else agent
        case SessionEnded():
            session = replace(session, status="completed")
        case _:
            pass
    return session, agent


def _end_of(thought: str) -> str:
    """What is kept of a thought: its end, and never all of it."""
    room = min(LAST_THOUGHT, len(thought) // 2)
    return thought[-room:].partition(" ")[2].strip() if room else ""


def put_agent(session: Session, agent: AgentState) -> Session:
    """The session with this agent's state, the least recently active ones forgotten beyond the window."""
    if session.agents and session.agents[-1] is agent:
        return session  # as it was weighed before
    kept = [*(state for state in session.agents if state.id != agent.id), slim(agent)]
    if len(kept) > AGENT_WINDOW:
        kept.remove(next(state for state in kept if state.id))
    return replace(session, agents=fitting(tuple(kept)))


def _forgetful(session: Session, agent: AgentState) -> AgentState:
    """A run that begins in the middle: what led to its files lies before our time."""
    return agent if session.scored or agent.turn else replace(agent, remembers=False)


def _hand_over(session: Session, agent: AgentState) -> Session:
    """What an ended agent was still to hear goes to its parent."""
    others = tuple(state for state in session.agents if state.id != agent.id)
    main = next((state for state in others if not state.id), AgentState())
    heirs = tuple(replace(correction, agent="") for correction in agent.waiting)
    main = replace(
        main,
        waiting=(*main.waiting, *heirs)[-WAITING_WINDOW:],
        pending=(*main.pending, *(replace(p, turn=main.turn) for p in agent.pending))[:PENDING_WINDOW],
    )
    return put_agent(replace(session, agents=others), main)


# The life of a tool call: proposed, then denied, failed or done. It only moves forward, whatever is told first.


MODIFIES_WINDOW = 16
WORD_WINDOW = 36


def opened(agent: AgentState, analysis: Analysis, call: ToolCall, exchange: int = 0) -> AgentState:
    """The agent with the call open, unless its result is known already."""
    if call.id in agent.early:
        return replace(agent, early=tuple(known for known in agent.early if known != call.id))
    new = OpenCall(
        id=call.id,
        action=call.action,
        turn=agent.turn,
        modifies=short(analysis.modified, MODIFIES_WINDOW),
        opaque=analysis.opaque,
        unsure=analysis.unsure,
        exchange=exchange,
        digest=analysis.digest,
        reverse=analysis.reverse,
        words=analysis.subjects[:WORD_WINDOW],
        began=analysis.event.time,
    )
    others = tuple(known for known in agent.open_calls if known.id != call.id)
    return replace(agent, open_calls=(*others, new)[-OPEN_CALL_WINDOW:])


def closed(
    session: Session, agent: AgentState, analysis: Analysis, event: ToolFinished
) -> tuple[Session, AgentState, tuple[Mention, ...]]:
    """Session and agent after a result, and what it adds to the ledger: nothing where nothing was carried out."""
    call = next((known for known in agent.open_calls if known.id == event.call.id), None)
    agent = _without(agent, event.call.id, known=call is not None)
    if analysis.echo:
        agent = replace(agent, calls=(*agent.calls, analysis.echo)[-CALL_WINDOW:])
    if event.outcome == "denied" or (event.outcome == "failed" and event.call.action != "bash"):
        return session, agent, ()
    mentions = analysis.mentions
    modified = call.modifies if call else short(analysis.modified, MODIFIES_WINDOW)
    if not agent.edits:
        mentions = tuple(Mention(m.term, m.met | Met.EXPLORED) if m.met & Met.READ else m for m in mentions)
    if modified and event.outcome == "done":
        removed = {touch.path for touch in analysis.touches if touch.kind == "delete"}
        agent, changed = _changed(agent, call, modified, removed)
        session, agent = _followed(session, agent, modified, removed)
        mentions = (*mentions, *changed)
        session = _grown(session, modified) if call is None or (call.aligned and call.seeds) else session
    elif analysis.digest:
        agent = _marked(agent, Mark(kind="failure", digest=analysis.digest))
    if any(touch.kind == "read" for touch in analysis.touches):
        session = replace(session, reads=session.reads + 1)
    if event.outcome == "done" and (agent.corrected or session.doubts):
        session, agent = _put_back(
            session, agent, {touch.path for touch in analysis.touches if touch.kind == "restore"}
        )
    if event.outcome == "done" and not _KEEPS.isdisjoint(analysis.programs):
        agent = _rested(agent)
    return _released(session, analysis, event), agent, mentions


def _without(agent: AgentState, call_id: str, *, known: bool) -> AgentState:
    if not known:
        return replace(agent, early=(*agent.early, call_id)[-EARLY_WINDOW:])
    return replace(agent, open_calls=tuple(call for call in agent.open_calls if call.id != call_id))


def _changed(
    agent: AgentState, call: OpenCall | None, modified: tuple[str, ...], removed: set[str]
) -> tuple[AgentState, list[Mention]]:
    """An edit that was on course becomes part of the work; one that was not leaves only the trace that it strayed."""
    aligned, seeds = (call.aligned, call.seeds) if call else (True, True)
    digest, reverse = (call.digest, call.reverse) if call else ("", "")
    taken_back = {mark.path for mark in agent.marks if digest and mark.reverse == digest != mark.digest}
    for path in modified:
        agent = _marked(agent, Mark(kind="edit", path=path, digest=digest, reverse=reverse))
    if not aligned:
        return agent, [Mention(path, Met.STRAYED) for path in modified]
    # A scratch file elsewhere is nothing to come back to.
    good = next((p for p in modified if is_inside(p) and p not in taken_back and p not in removed), agent.last_good)
    agent = replace(agent, edits=agent.edits + 1, last_good=good, corrected=False)
    if not seeds:
        return agent, [Mention(path, Met.EDITED) for path in modified if path not in taken_back]
    worked = [mention for path in modified for mention in _worked_on(path)]
    return agent, [*worked, *(Mention(word, Met.WROTE) for word in (call.words if call else ()))]


def _put_back(session: Session, agent: AgentState, restored: set[str]) -> tuple[Session, AgentState]:
    """A stray that git gave its old state back is no doubt any longer; who undid all of them has listened."""
    if not restored:
        return session, agent
    strays = tuple(path for path in agent.strays if path not in restored)
    listened = agent.corrected and strays != agent.strays and not strays
    doubts = tuple(doubt for doubt in session.doubts if doubt.path not in restored)
    return replace(session, doubts=doubts), replace(agent, strays=strays, corrected=agent.corrected and not listened)


def _followed(
    session: Session, agent: AgentState, modified: tuple[str, ...], removed: set[str]
) -> tuple[Session, AgentState]:
    """The way back goes along when its file is moved; when it is removed there is none by that name."""
    if not removed & {agent.last_good, session.forced}:
        return session, agent
    new = next((path for path in modified if path not in removed and is_inside(path)), "")
    if agent.last_good in removed:
        agent = replace(agent, last_good=new)
    return (replace(session, forced=new) if session.forced in removed else session), agent


def _worked_on(path: str) -> list[Mention]:
    """Rows for the path, its name and every folder above it."""
    name, folder = posixpath.basename(path), posixpath.dirname(path)
    bare = name.split(".", 1)[0].lower()
    terms = [path, f"name:{name}", f"name:{bare}"]
    while folder.strip("/"):
        terms.append(folder + "/")
        folder = posixpath.dirname(folder)
    return [Mention(term, Met.EDITED) for term in terms]


def _grown(session: Session, modified: tuple[str, ...]) -> Session:
    """Scope grows from evidence: the folders of work that was on course join what is expected."""
    inside = [path for path in modified if is_inside(path)]
    new = [posixpath.dirname(path) + "/" if "/" in path else path for path in inside]
    scope = session.contract.scope
    fresh = tuple(entry for entry in dict.fromkeys(new) if entry not in scope)
    if not fresh:
        return session
    contract = replace(session.contract, scope=(*scope, *fresh)[:SCOPE_WINDOW])
    return with_small_goals(replace(session, contract=contract))


def _released(session: Session, analysis: Analysis, event: ToolFinished) -> Session:
    """FORCED ends when the forced action was executed: its result came back done."""
    if session.mode != "FORCED" or event.outcome != "done":
        return session
    if session.forced:
        executed = any(touch.path == session.forced for touch in analysis.touches)
    else:
        executed = bool({"git diff", "git status"} & set(analysis.programs))
    return replace(session, mode="NORMAL", forced="", escalation=0, uncorrected=0) if executed else session


def _marked(agent: AgentState, mark: Mark) -> AgentState:
    return replace(agent, marks=(*agent.marks, mark)[-MARK_WINDOW:])


_KEEPS = frozenset({"git commit", "git stash"})
"""Programs that keep what was done so far: an edit made again after one of them starts from there."""


def _rested(agent: AgentState) -> AgentState:
    """One rest is as good as several in a row."""
    return agent if not agent.marks or agent.marks[-1].kind == "rest" else _marked(agent, Mark(kind="rest"))


# When a turn begins: one assistant message with its calls.
#
# Only the best source of a session advances its turns, so a run seen through hooks counts the same turns as its
# transcript; what a weaker source adds joins the turn it belongs to.


def advance_turn(session: Session, agent: AgentState, event: Event) -> AgentState:
    """The agent, in a new turn where the event opens one. Only the session's best source counts turns."""
    if event.source != session.live and not _opens_first(session, event):
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


def _opens_first(session: Session, event: Event) -> bool:
    """A call is on the wire before its hook asks about it, and the hook's own report of it is no news then."""
    return session.live == "hook" and event.source == "wire" and isinstance(event, ToolProposed)


def _turn_of_message(session: Session, agent: AgentState, event: Event) -> AgentState:
    if event.message:
        same = event.message == agent.message
        return agent if same else replace(agent, turn=agent.turn + 1, turn_open=True, message=event.message)
    goes_on = agent.turn_open and (session.batches or bool(agent.open_calls))
    return agent if goes_on else replace(agent, turn=agent.turn + 1, turn_open=True)


# What a human message changes: the goal stack and the contract. The newest word wins.


SCOPE_WINDOW = 60
KEYWORD_WINDOW = 240
AREA_WINDOW = 16


def prompted(
    session: Session, agent: AgentState, event: PromptGiven, intent: PromptIntent | None
) -> tuple[Session, AgentState]:
    """Session and agent after the human spoke. A command without words (`/compact`) says nothing about the work."""
    session = replace(
        session,
        exchange=session.exchange + 1,
        prompts=(*session.prompts, event.digest)[-PROMPT_WINDOW:],
        batches=session.batches or (event.source == "hook" and bool(event.key)),
        status="active",
    )
    if session.mode == "FORCED" and (event.text.strip() or not event.command):
        session = replace(session, mode="NORMAL", forced="")
    agent = replace(agent, edits_asked=agent.edits)
    if intent is not None:
        session, agent = _answered(session, agent, intent)
    if intent is not None and _is_leave(session, intent):
        session, agent = _granted(session, intent), replace(agent, corrected=False, unheard=False)
    elif intent is not None and (intent.steers or (intent.constraints and not session.goals)):
        session = replace(reanchored(session, intent), doubts=())
        agent = replace(agent, edits=0, strays=(), refused=(), corrected=False, unheard=False)
    elif intent is not None:
        session = with_small_goals(replace(session, contract=_remarked(session.contract, intent)))
    return session, agent


def _is_leave(session: Session, intent: PromptIntent) -> bool:
    """Whether it only ends a limit on the work that goes on."""
    limits = session.contract.constraints
    return intent.grants and bool(session.goals and limits) and standing_limits(session.contract, intent) != limits


def _granted(session: Session, intent: PromptIntent) -> Session:
    """The same goal, with what was let in as a part of where it lies."""
    goal, old, scope = session.goals[-1], _remarked(session.contract, intent), short(intent.scope, SCOPE_WINDOW)
    let_stand = tuple(path for path in goal.let_stand if path not in scope)
    goal = replace(goal, scope=_newest_first(scope, goal.scope, SCOPE_WINDOW), let_stand=let_stand)
    contract = replace(old, scope=_newest_first(scope, old.scope, SCOPE_WINDOW))
    return with_small_goals(replace(session, goals=(*session.goals[:-1], goal), contract=contract))


def _let_stand(session: Session, agent: AgentState, intent: PromptIntent | None) -> tuple[str, ...]:
    """What the human has heard of, once they say that it may stay: it is part of the work from here on."""
    if intent is None or not intent.permits:
        return ()
    said = {mark.partition(":")[2] for mark in agent.said}
    told = (*(path for path in agent.strays if path in said), *(doubt.path for doubt in session.doubts if doubt.told))
    open_ones = (path for path in told if path not in agent.refused)
    return tuple(dict.fromkeys((*_flagged(agent, intent), *open_ones)))


def _flagged(agent: AgentState, intent: PromptIntent) -> tuple[str, ...]:
    """What the last correction was about, unless the agent has heeded it. What was refused takes an answer to that."""
    if not agent.corrected or agent.correction is None:
        return ()
    return tuple(path for path in agent.correction.paths if intent.answers or path not in agent.refused)


def _answered(session: Session, agent: AgentState, intent: PromptIntent) -> tuple[Session, AgentState]:
    """What was just flagged, once the human says that it may stand, or has it taken back: nobody is held to it."""
    flagged = _flagged(agent, intent)
    settled = (*flagged, *agent.strays) if intent.undoes else _let_stand(session, agent, intent)
    if not settled:
        return session, agent
    goals = session.goals
    nowhere = flagged if agent.by_word else ()
    placed = tuple(path for path in settled if path not in nowhere)
    if goals and placed:
        goals = (*goals[:-1], with_let_stand(goals[-1], placed, SCOPE_WINDOW))
    lifts = bool(flagged) and (intent.answers or intent.undoes)
    words = agent.correction.text if lifts and agent.correction else ""
    limits = (without_flagged(limit, flagged, words) for limit in session.contract.constraints)
    contract = replace(session.contract, constraints=tuple(limit for limit in limits if limit is not None))
    doubts = tuple(doubt for doubt in session.doubts if doubt.path not in settled)
    strays = tuple(path for path in agent.strays if path not in settled)
    agent = replace(agent, strays=strays, corrected=False, unheard=False)
    return replace(session, doubts=doubts, goals=goals, contract=contract, uncorrected=0), agent


def _remarked(old: Contract, intent: PromptIntent) -> Contract:
    """A remark is no new direction; the limits it sets or ends and the words it speaks of still count."""
    constraints = standing_limits(old, intent)
    return replace(
        old,
        constraints=constraints,
        keywords=_newest_first(intent.keywords, old.keywords, KEYWORD_WINDOW),
        areas=_newest_first(intent.areas, old.areas, AREA_WINDOW),
        version=old.version + (constraints != old.constraints),
    )


def reanchored(session: Session, intent: PromptIntent) -> Session:
    """The session with a new goal on the stack; the first one always stays."""
    scope = short(intent.scope, SCOPE_WINDOW)
    goal = Goal(
        text=intent.text, exchange=session.exchange, keywords=intent.keywords[:40], scope=scope, areas=intent.areas
    )
    first, later = session.goals[:1], session.goals[1:]
    goals = (*first, *(*later, goal)[-(GOAL_WINDOW - 1) :]) if first else (goal,)
    old = session.contract
    contract = Contract(
        objective=intent.text,
        scope=_newest_first(scope, old.scope, SCOPE_WINDOW),
        constraints=standing_limits(old, intent),
        keywords=_newest_first(intent.keywords, old.keywords, KEYWORD_WINDOW),
        areas=_newest_first(intent.areas, old.areas, AREA_WINDOW),
        wide=intent.wide,
        version=old.version + 1,
        base=old.base,
    )
    return with_small_goals(replace(session, goals=goals, contract=contract))


def _newest_first(new: tuple[str, ...], old: tuple[str, ...], window: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*new, *old)))[:window]
