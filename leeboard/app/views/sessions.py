"""Sessions as people look at them: a list of all, and one with its events as they come. Always a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from posixpath import basename, exists

import msgspec

from leeboard.app.archive import known_archive, opened_archive
from leeboard.app.settings import policy_of
from leeboard.app.views.projects import project_key
from leeboard.app.views.session import AllowanceView, GoalView, allowance_view, goal_view
from leeboard.app.views.why import SignalView, signal_view
from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.judge.urgency import shown as shown_urgency
from leeboard.model.outcome import Step
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Finding, Level
from leeboard.rule import code_of, discover
from leeboard.store import paging
from leeboard.store.paging import PlacedVerdict, SessionFilter, SessionPlace
from leeboard.store.sqlite import SqliteStore

SESSIONS, EVENTS, SIGNALS = 50, 200, 100
"""On one page."""
RUNNING_SECONDS = 900.0
"""A session that was heard so lately runs still, unless it said that it ended."""
_EVENT_WORDS = {
    "SessionStarted": "session began",
    "PromptGiven": "prompt",
    "MessageSaid": "said",
    "ThoughtShown": "thought",
    "ToolProposed": "proposed",
    "ToolFinished": "done",
    "TodosUpdated": "to-do list",
    "FilesChanged": "files changed",
    "TurnEnded": "turn ended",
    "Stopped": "stopped",
    "AgentStarted": "agent began",
    "AgentEnded": "agent ended",
    "ContextCompacted": "context compacted",
    "SessionEnded": "session ended",
}


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session as a line of the list shows it."""

    id: str
    key: str
    """The project's, as in `ShownProject`."""
    project: str
    name: str
    goal: str
    status: str
    is_running: bool
    mode: str
    last_score: int
    turns: int
    events: int
    scored: int
    drifted: int
    spoken: int
    denied: int
    halts: int
    queued: int
    started: float
    updated: float
    scores: tuple[int, ...]
    """The newest few, oldest first."""


class SessionsPage(msgspec.Struct, frozen=True, kw_only=True):
    rows: tuple[SessionRow, ...]
    unreadable: int = 0
    following: SessionPlace | None = None


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a session, and what was answered to it."""

    row: int
    time: float
    turn: int
    agent: str
    event: str
    """In a word or two."""
    action: str
    """What the tool does: read, edit, bash and the like; empty for what is no call."""
    subject: str
    """The file or the command."""
    answer: str
    score: int
    level: Level
    verdict: str
    rules: tuple[tuple[str, str], ...]
    """Id and code."""
    paths: tuple[str, ...]
    message: str
    trace: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def is_quiet(self) -> bool:
        """Nothing was scored, found or said."""
        return not (self.score or self.rules or self.message) and self.event not in {"prompt", "session began"}


class QueuedWord(msgspec.Struct, frozen=True, kw_only=True):
    """What waits to be said to an agent."""

    id: str
    agent: str
    text: str


class Inspected(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked at, so that silence is worth something."""

    events: int
    turns: int
    scored: int
    reads: int
    rules: int


class SessionPage(msgspec.Struct, frozen=True, kw_only=True):
    row: SessionRow
    goal: GoalView
    inspected: Inspected
    history: tuple[Drift, ...]
    """The newest checks, oldest first."""
    budget: int
    budget_of: int
    escalation: int
    queue: tuple[QueuedWord, ...]
    signals: tuple[SignalView, ...]
    older_signals: int
    """The place of the next page of them; zero: there is none."""
    allowances: tuple[AllowanceView, ...]
    events: tuple[ShownEvent, ...]
    """Newest first."""
    quiet: int
    """How many of this page nothing was found in."""
    older: int
    """The place of the next page; zero: there is none."""
    newest: int


def sessions_page(wanted: SessionFilter, after: SessionPlace | None = None, limit: int = SESSIONS) -> SessionsPage:
    """Asking leaves no trace where nothing was ever recorded."""
    if not exists(database()):
        return SessionsPage(rows=())
    with opened_archive() as store:
        found = paging.session_slice(store.pages, wanted, after, limit)
    rows = tuple(map(session_row, found.sessions))
    return SessionsPage(rows=rows, unreadable=found.unreadable, following=found.following)


def session_row(session: Session) -> SessionRow:
    return SessionRow(
        id=session.id,
        key=project_key(session.root),
        project=session.root,
        name=basename(session.root) or session.root,
        goal=session.contract.objective,
        status=session.status,
        is_running=session.status == "active" and now() - session.updated < RUNNING_SECONDS,
        mode=session.mode,
        last_score=session.last_score,
        turns=session.turns,
        events=session.events,
        scored=session.scored,
        drifted=session.drifted,
        spoken=session.spoken,
        denied=session.denied,
        halts=session.halts,
        queued=sum(len(agent.pending) + len(agent.waiting) for agent in session.agents),
        started=session.started,
        updated=session.updated,
        scores=tuple(check.score for check in session.history[-24:]),
    )


def session_page(session_id: str, before: int = 0, signals_before: int = 0) -> SessionPage:
    """A session with its newest events, or those before a place; ConfigError where no session has this id."""
    with known_archive() as store:
        session = store.session(session_id)
        if session is None:
            raise ConfigError(f"no session {session_id!r} was recorded here")
        placed = paging.verdicts_before(store.pages, session.id, before, EVENTS + 1)
        events = tuple(shown_events(store, session.id, placed[:EVENTS]))
        signals = paging.signals_before(store.pages, session.id, signals_before, SIGNALS + 1)
        allowed = store.allowances(session.root, session.id, now())
    return SessionPage(
        row=session_row(session),
        goal=goal_view(session),
        inspected=_inspected(session),
        history=_checks(events) if before else session.history,
        budget=session.interrupt_budget,
        budget_of=policy_of(session.root).interrupt_budget,
        escalation=session.escalation,
        queue=tuple(_queue(session)),
        signals=tuple(signal_view(judged, session.id) for judged, _ in signals[:SIGNALS]),
        older_signals=signals[SIGNALS - 1][1] if len(signals) > SIGNALS else 0,
        allowances=tuple(map(allowance_view, allowed)),
        events=events,
        quiet=sum(event.is_quiet for event in events),
        older=placed[EVENTS - 1].row if len(placed) > EVENTS else 0,
        newest=placed[0].row if placed and not before else 0,
    )


def _checks(events: Iterable[ShownEvent]) -> tuple[Drift, ...]:
    """What was scored on a page of older events: a session keeps the newest checks alone."""
    scored = (event for event in events if event.score and event.event != _EVENT_WORDS["ToolFinished"])
    return tuple(Drift(event.score, event.level, event.time) for event in scored)[::-1]


def _inspected(session: Session) -> Inspected:
    return Inspected(
        events=session.events,
        turns=session.turns,
        scored=session.scored,
        reads=session.reads,
        rules=len(discover()),
    )


def _queue(session: Session) -> Iterator[QueuedWord]:
    for agent in session.agents:
        for one in agent.pending:
            said = one.finding.message or one.finding.subject
            yield QueuedWord(
                id=one.id, agent=agent.id, text=f"{one.finding.rule}, urgency {shown_urgency(one.urgency)}: {said}"
            )
        for correction in agent.waiting:
            yield QueuedWord(
                id=correction.id, agent=agent.id, text=f"{correction.level} about {', '.join(correction.paths[:3])}"
            )


def shown_events(store: SqliteStore, session_id: str, placed: Iterable[PlacedVerdict]) -> Iterator[ShownEvent]:
    """With what each call was about, and what was found in it."""
    rows = tuple(placed)
    calls = {each.verdict.tool_use_id for each in rows if each.verdict.tool_use_id}
    steps = paging.steps_named(store.pages, [f"{session_id}:{call}" for call in calls])
    found = paging.findings_named(store.pages, [each.verdict.id for each in rows if each.verdict.rules])
    for each in rows:
        step = steps.get(f"{session_id}:{each.verdict.tool_use_id}")
        yield _event(each, step, found.get(each.verdict.id, ()))


def _event(placed: PlacedVerdict, step: Step | None, findings: tuple[Finding, ...]) -> ShownEvent:
    verdict = placed.verdict
    subject = (", ".join(step.files) or step.command or "") if step else ", ".join(verdict.paths)
    return ShownEvent(
        row=placed.row,
        time=placed.time,
        turn=verdict.turn,
        agent=verdict.agent,
        event=_EVENT_WORDS.get(verdict.event, verdict.event),
        action=step.action_type if step else "",
        subject=subject,
        answer=Action(verdict.action).name,
        score=verdict.score,
        level=verdict.level,
        verdict=verdict.id,
        rules=tuple((rule, code_of(rule)) for rule in verdict.rules),
        paths=verdict.paths,
        message=verdict.message,
        trace=verdict.trace,
        findings=findings,
    )


# What came since, for whoever watches.


class SessionNews(msgspec.Struct, frozen=True, kw_only=True):
    row: SessionRow
    history: tuple[Drift, ...]
    events: tuple[ShownEvent, ...]
    """Oldest first."""
    more: bool
    """There are others after these."""


def session_news(store: SqliteStore, session_id: str, after: int) -> SessionNews | None:
    """None where there is no such session, or it can not be read."""
    session = store.session(session_id)
    if session is None:
        return None
    placed = paging.verdicts_after(store.pages, session_id, after, EVENTS + 1)
    return SessionNews(
        row=session_row(session),
        history=session.history,
        events=tuple(shown_events(store, session_id, placed[:EVENTS])),
        more=len(placed) > EVENTS,
    )
