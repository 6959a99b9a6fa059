"""What a session looks like to a person: its goal and scope, what was allowed in it, and how each answer came about.

A view whose name ends in `View` has the very fields that programs are given; a `Page` holds one, and what people are
told beside it.
"""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from leeboard.app.allowances import committed_allowances, scope_rules
from leeboard.app.archive import known_archive, opened_archive
from leeboard.app.files_now import files_now
from leeboard.app.settings import policy_of
from leeboard.app.views.proxy import REQUESTS_READ, CarriedView, carried_view, is_told
from leeboard.app.views.said import SaidView, said_views
from leeboard.errors import ConfigError
from leeboard.io.clock import iso, now
from leeboard.io.places import database
from leeboard.judge.correction import block
from leeboard.model.contract import Allowance
from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.model.verdict import Correction, Finding, Verdict
from leeboard.report.detections import detections_of, markdown_of
from leeboard.rule import code_of, rule_named
from leeboard.store import paging
from leeboard.store.sqlite import SqliteStore

SESSIONS_SEARCHED = 500


class LimitView(msgspec.Struct, frozen=True):
    """A limit that the human set or the project has written down, and whether an action is ever judged by it."""

    text: str
    is_judged: bool
    source: str = ""
    """The file and line of one that the project has written down."""


class GoalView(msgspec.Struct, frozen=True, kw_only=True):
    """A session's goal as it was understood."""

    objective: str
    first_asked: str
    """What the session began with; empty where that is the objective still."""
    named: tuple[str, ...]
    """Places that the human's own words named, newest message first."""
    grown: tuple[str, ...]
    """Places that joined because the work led there."""
    areas: tuple[str, ...]
    limits: tuple[LimitView, ...]


def goal_view(session: Session) -> GoalView:
    contract = session.contract
    named = tuple(dict.fromkeys(entry for goal in reversed(session.goals) for entry in goal.scope))
    first = session.goals[0].text if session.goals else ""
    return GoalView(
        objective=contract.objective,
        first_asked=first if first != contract.objective else "",
        named=named,
        grown=tuple(entry for entry in contract.scope if entry not in named),
        areas=contract.areas,
        limits=tuple(LimitView(one.text, one.checkable, one.source) for one in contract.constraints),
    )


# What a person has let stand, and what the work may touch.


class AllowanceView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "allowance"
    id: str
    rule: str
    path: str
    fingerprint: str
    reason: str
    until: str | None
    by: str


class ScopeView(msgspec.Struct, frozen=True, kw_only=True):
    """What the work of a project's newest session may touch."""

    kind: str = "scope"
    project: str
    session: str | None
    goal: str
    named: tuple[str, ...]
    grown: tuple[str, ...]
    constraints: tuple[str, ...]
    limits: tuple[LimitView, ...]
    widened: tuple[AllowanceView, ...]


class ScopePage(msgspec.Struct, frozen=True, kw_only=True):
    scope: ScopeView
    limits: tuple[LimitView, ...]


def allowance_view(allowance: Allowance) -> AllowanceView:
    return AllowanceView(
        id=allowance.id,
        rule=allowance.rule,
        path=allowance.path,
        fingerprint=allowance.fingerprint,
        reason=allowance.reason,
        until=iso(allowance.until) if allowance.until else None,
        by=allowance.by,
    )


def allowed_here(root: str) -> tuple[AllowanceView, ...]:
    with opened_archive() as store:
        return tuple(map(allowance_view, (*store.allowances(root, "", now()), *committed_allowances(root))))


def scope_page(root: str) -> ScopePage:
    session, allowed = _newest(root)
    goal = (
        goal_view(session)
        if session
        else GoalView(objective="", first_asked="", named=(), grown=(), areas=(), limits=())
    )
    scope = ScopeView(
        project=root,
        session=session.id if session else None,
        goal=goal.objective,
        named=goal.named,
        grown=goal.grown,
        constraints=tuple(limit.text for limit in goal.limits),
        limits=goal.limits,
        widened=tuple(map(allowance_view, allowed)),
    )
    return ScopePage(scope=scope, limits=goal.limits)


def widenings(allowances: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """The allowances among these that widen the scope."""
    return tuple(one for one in allowances if one.rule in scope_rules() and one.path)


def _newest(root: str) -> tuple[Session | None, tuple[Allowance, ...]]:
    """The newest session and what was widened; asking leaves no trace where nothing was ever recorded."""
    if not Path(database()).exists():
        return None, ()
    with opened_archive() as store:
        session = next(iter(store.sessions(root, 1)), None)
        return session, _each_once(widenings(store.allowances(root, "", now())))


def _each_once(widened: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """One widening is an allowance for each of its rules; of several for one reason the one that lasts longest."""
    lasting = sorted(widened, key=lambda one: one.until or math.inf)
    return tuple({(one.path, one.reason): one for one in lasting}.values())


# How a signal, a verdict, a correction or a finding came about.


class SignalView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "signal"
    id: str
    session: str
    agent: str
    turn: int
    rule: str
    code: str
    subclass: str
    urgency: str
    disposition: str
    state: str
    path: str
    line: int
    confidence: float
    message: str
    reason: str
    note: str
    trace: tuple[str, ...]


class SignalPage(msgspec.Struct, frozen=True, kw_only=True):
    signal: SignalView
    place: str
    """Its file and line, as far as they are known, else its subject."""
    spoken_turn: int
    """Negative where it was not said."""
    interrupt: str
    """What a person passes on to the agent."""

    @property
    def is_spoken(self) -> bool:
        return self.signal.state in {"fired", "delivered"}


class VerdictView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "verdict"
    session: str
    turn: int
    tool_use_id: str
    action: str
    score: int
    level: str
    confidence: str
    rules: tuple[str, ...]
    codes: tuple[str, ...]
    paths: tuple[str, ...]
    message: str
    id: str
    trace: tuple[str, ...]
    findings: tuple[Finding, ...]


class VerdictPage(msgspec.Struct, frozen=True, kw_only=True):
    verdict: VerdictView
    event: str
    """The kind of event that was judged."""


def signal_view(judged: Judged, session: str) -> SignalView:
    return SignalView(
        id=judged.id,
        session=session,
        agent=judged.agent,
        turn=judged.turn,
        rule=judged.rule,
        code=code_of(judged.rule),
        subclass=judged.subclass,
        urgency=judged.urgency,
        disposition=judged.disposition,
        state=judged.state,
        path=judged.path,
        line=judged.line,
        confidence=judged.confidence,
        message=judged.message,
        reason=judged.reason,
        note=judged.note,
        trace=judged.trace,
    )


def signal_page(judged: Judged, session: str) -> SignalPage:
    place = f"{judged.path}:{judged.line}" if judged.path and judged.line else judged.path or judged.subject
    return SignalPage(
        signal=signal_view(judged, session),
        place=place,
        spoken_turn=judged.spoken_turn,
        interrupt=block(judged),
    )


def how_it_came(id_: str, root: str) -> SignalPage | VerdictPage:
    """What an id of any kind leads to; ConfigError where it leads nowhere."""
    with known_archive() as store:
        signal = store.signal(id_) if id_.startswith("s") and ":" not in id_ else None
        if signal is not None:
            return signal_page(signal, _owner(store, signal))
        verdict = find_verdict(store, id_, root)
        return _verdict_page(verdict, store.findings(verdict.id))


def _verdict_page(verdict: Verdict, findings: tuple[Finding, ...]) -> VerdictPage:
    view = VerdictView(
        session=verdict.session,
        turn=verdict.turn,
        tool_use_id=verdict.tool_use_id,
        action=verdict.action.name,
        score=verdict.score,
        level=verdict.level,
        confidence=verdict.confidence,
        rules=verdict.rules,
        codes=tuple(filter(None, map(code_of, verdict.rules))),
        paths=verdict.paths,
        message=verdict.message,
        id=verdict.id,
        trace=verdict.trace,
        findings=findings,
    )
    return VerdictPage(verdict=view, event=verdict.event)


def find_verdict(store: SqliteStore, id_: str, root: str) -> Verdict:
    """The verdict that an id of any kind leads to; ConfigError where it leads nowhere."""
    if ":" in id_:
        found = _by_finding(store, with_rule_id(id_), root)
    else:
        found = _by_verdict(store, id_) or _by_correction(store, id_) or _by_path(store, id_, root)
    if found is None:
        raise ConfigError(f"nothing is known of {id_!r}; `leeboard report` shows the ids of a session")
    return found


def _by_verdict(store: SqliteStore, id_: str) -> Verdict | None:
    """The verdict itself; of one that only passed on what waited, the one on the action that the words were about."""
    found = store.verdict(id_)
    if found is None or not found.message or store.findings(found.id):
        return found
    passed_on = (one.correction for one in store.corrections(found.session) if one.correction.text == found.message)
    about = next(passed_on, None)
    return (_origin(store.verdicts(found.session), about) if about else _by_subject(store, found)) or found


def _by_subject(store: SqliteStore, said: Verdict) -> Verdict | None:
    """The newest earlier verdict that has a finding of the rule and the file that the words name."""
    for verdict in reversed(store.verdicts(said.session)):
        if {*verdict.rules} & {*said.rules} and verdict.id != said.id:
            found = (one.subject for one in store.findings(verdict.id) if one.rule in said.rules)
            if any(not said.paths or any(subject.startswith(path) for path in said.paths) for subject in found):
                return verdict
    return None


def with_rule_id(fingerprint: str) -> str:
    """A finding as rule:subject, with the rule's id where its code was given."""
    name, colon, subject = fingerprint.partition(":")
    rule = rule_named(name)
    return f"{rule.id if rule else name}{colon}{subject}"


def _by_path(store: SqliteStore, path: str, root: str) -> Verdict | None:
    """The newest verdict of this project that found something about a file."""
    for session in store.sessions(root, SESSIONS_SEARCHED):
        for verdict in reversed(store.verdicts(session.id)):
            if path in verdict.paths and verdict.rules and store.findings(verdict.id):
                return verdict
    return None


def _owner(store: SqliteStore, signal: Judged) -> str:
    """The session it belongs to."""
    sessions = (session.id for session in store.sessions(None, SESSIONS_SEARCHED))
    return next((id_ for id_ in sessions if any(one.id == signal.id for one in store.signals(id_))), "")


def _by_correction(store: SqliteStore, start: str) -> Verdict | None:
    for session in store.sessions(None, SESSIONS_SEARCHED):
        for offer in store.corrections(session.id):
            if offer.correction.id.startswith(start):
                return _origin(store.verdicts(session.id), offer.correction)
    return None


def _origin(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """The verdict on the action that the words were about; else the one that said them."""
    by_call = (v for v in verdicts if v.tool_use_id == correction.tool_use_id and v.trace and correction.tool_use_id)
    by_words = (v for v in verdicts if v.message == correction.text)
    return next(by_call, None) or _by_script(verdicts, correction) or next(by_words, None)


def _by_script(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """What a script changed belongs to no call: the verdict of that turn that shares most of paths and rules."""
    if correction.tool_use_id:
        return None
    same = [v for v in verdicts if v.event == "FilesChanged" and v.trace and v.turn == correction.turn]
    shared = [v for v in same if {*v.paths} & {*correction.paths} and {*v.rules} & {*correction.rules}]
    return max(shared, key=lambda v: len({*v.paths} & {*correction.paths}), default=None)


def _by_finding(store: SqliteStore, fingerprint: str, root: str) -> Verdict | None:
    """The newest verdict of this project with that finding."""
    for session in store.sessions(root, SESSIONS_SEARCHED):
        for verdict in reversed(store.verdicts(session.id)):
            if any(finding.fingerprint == fingerprint for finding in store.findings(verdict.id)):
                return verdict
    return None


# The sessions of a project as they go on.


class ReportText(msgspec.Struct, frozen=True, kw_only=True):
    """The report on a session whose work is said to be done."""

    kind: str = "report"
    session: str
    text: str


class SaidPage(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that was said, and the signal behind it where there is one."""

    said: SaidView
    signal: SignalPage | None = None


WatchNews = SaidPage | SignalPage | ReportText | CarriedView
SAID_AT_ONCE = 500
"""Verdicts that are read in one go."""


def _behind(said: SaidView, pages: list[SignalPage]) -> SignalPage | None:
    marks = _marks_of(said)
    spoken = (page for page in pages if page.is_spoken)
    return next((page for page in spoken if f"{page.signal.rule} {page.signal.path}" in marks), None)


def _marks_of(said: SaidView) -> set[str]:
    return {f"{rule} {path}" for rule in said.rules for path in (said.paths or ("",))}


class SessionWatch:
    """One project, and what of it was told already."""

    def __init__(self, root: str, since: float, session: str, *, everything: bool) -> None:
        self.root = root
        self._since, self._session, self._everything = since, session, everything
        self._seen: set[tuple[str, str]] = set()
        self._rows: dict[str, int] = {}
        """Up to which verdict each session was told."""
        self._versions: dict[str, int] = {}

    def look(self, *, once: bool) -> list[WatchNews]:
        """What is new, session by session. Asking leaves no trace where nothing is recorded."""
        if not Path(database()).exists():
            return []
        with opened_archive() as store:
            fresh = self._new(store)
            carried = self._carried(store)
            sessions = [one for one in reversed(store.sessions(self.root, 8)) if one.id.startswith(self._session)]
            said = {one.id: self._said(store, one.id) for one in sessions}
            reports = {one.id: self._report(store, one) for one in sessions if self._is_due(one, fresh, once=once)}
        # Of several sessions the one that is at work comes last, and a report behind all that was said before it.
        order = {one.id: number for number, one in enumerate(sessions)}
        news: list[WatchNews] = []
        for owner in sorted({*fresh, *reports, *carried, *said}, key=lambda owner: order.get(owner, -1)):
            news += carried.get(owner, ())
            pages = [signal_page(judged, owner) for judged in fresh.get(owner, ())]
            told = [SaidPage(said=one, signal=_behind(one, pages)) for one in said.get(owner, ())]
            self._seen |= {(owner, mark) for one in told for mark in _marks_of(one.said)}
            news += told
            news += [page for page in pages if self._is_news(page, owner)]
            news += [ReportText(session=owner, text=reports[owner])] if owner in reports else []
        return news

    def _said(self, store: SqliteStore, owner: str) -> tuple[SaidView, ...]:
        """What was said since it was last looked at."""
        row, found = self._rows.get(owner, 0), list[Verdict]()
        while placed := paging.verdicts_after(store.pages, owner, row, SAID_AT_ONCE):
            row = placed[-1].row
            found += [one.verdict for one in placed if one.time >= self._since]
        self._rows[owner] = row
        return said_views(found)

    def _is_news(self, page: SignalPage, owner: str) -> bool:
        """What was said stands in the correction; under `observe` nobody said it, and a person may."""
        if not page.is_spoken:
            return self._everything
        return (owner, f"{page.signal.rule} {page.signal.path}") not in self._seen

    def _carried(self, store: SqliteStore) -> dict[str, list[CarriedView]]:
        """What the proxy has changed, or let pass unchecked, since it was last looked at, by session."""
        fresh: dict[str, list[CarriedView]] = {}
        for one in reversed(store.traffic.carried_for(self.root, REQUESTS_READ)):
            mark = (one.session, f"carried {one.ts}")
            ours = one.ts >= self._since and one.session.startswith(self._session)
            if ours and is_told(one) and mark not in self._seen:
                self._seen.add(mark)
                fresh.setdefault(one.session, []).append(carried_view(one))
        return fresh

    def _new(self, store: SqliteStore) -> dict[str, list[Judged]]:
        """What was judged or has changed since it was last looked at, by session."""
        fresh: dict[str, list[Judged]] = {}
        for owner, judged in store.recent_signals(self.root, self._since):
            mark = (judged.id, judged.state)
            if owner.startswith(self._session) and mark not in self._seen:
                self._seen.add(mark)
                fresh.setdefault(owner, []).append(judged)
        return fresh

    def _is_due(self, one: Session, fresh: dict[str, list[Judged]], *, once: bool) -> bool:
        """The work was said to be done, or the session ended; and nothing follows: an interrupt may keep it going."""
        quiet = self._versions.get(one.id) == one.version and one.id not in fresh and one.finished >= one.turns
        self._versions[one.id] = one.version
        mark = (one.id, f"finished {one.finished}")
        if not one.finished or one.updated < self._since or mark in self._seen or not (quiet or once):
            return False
        self._seen.add(mark)
        return True

    def _report(self, store: SqliteStore, one: Session) -> str:
        judged = store.signals(one.id)
        budget = policy_of(self.root).interrupt_budget
        return markdown_of(detections_of(one, judged, budget, files_now(store, one, judged)))
