"""The life of a tool call: proposed, then denied, failed or done. It only moves forward, whatever is told first."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from leeboard.model._bound import short, with_small_goals
from leeboard.model._goal import SCOPE_WINDOW
from leeboard.model.analysis import Analysis
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.ledger import Mention, Met
from leeboard.model.session import EARLY_WINDOW, MARK_WINDOW, OPEN_CALL_WINDOW, AgentState, Mark, OpenCall, Session
from leeboard.model.workspace import is_inside

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
