"""What a session looks like to a person: its goal and scope, what was allowed in it, and how each answer came about.

A view whose name ends in `View` has the very fields that programs are given; a `Page` holds one, and what people are
told beside it.
"""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from leeboard.app.allowances import committed_allowances, scope_rules
from leeboard.app.archive import opened_archive
from leeboard.app.files_now import files_now
from leeboard.app.settings import policy_of
from leeboard.app.views.proxy import REQUESTS_READ, CarriedView, carried_view, is_told
from leeboard.app.views.said import SaidView, said_views
from leeboard.app.views.why import SignalPage, signal_page
from leeboard.io.clock import iso, now
from leeboard.io.places import database
from leeboard.model.contract import Allowance, Constraint
from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict
from leeboard.report.detections import detections_of, markdown_of
from leeboard.rule import rule_named
from leeboard.store import paging
from leeboard.store.sqlite import SqliteStore
from leeboard.store.team.outbox import shared_from_here
from leeboard.text.words import counted


class LimitView(msgspec.Struct, frozen=True):
    """A limit that the human set or the project has written down, and whether an action is ever judged by it."""

    text: str
    is_judged: bool
    source: str = ""
    """The file and line of one that the project has written down."""
    lifted_for: tuple[str, ...] = ()
    """Files that it holds for no longer, since the human said yes to a refusal."""


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
    let_stand: tuple[str, ...] = ()
    """Places that no message named: the human said yes to them."""


def paused_text(session: Session) -> str:
    """How much was done while a person had paused the guard; empty where nothing was."""
    if not session.paused:
        return ""
    return f"{counted(session.paused, 'action')} let pass while the guard was paused: recorded, and not scored"


def goal_view(session: Session) -> GoalView:
    contract = session.contract
    newest = tuple(reversed(session.goals))
    named = tuple(dict.fromkeys(place for goal in newest for place in goal.scope if place not in goal.let_stand))
    agreed = tuple(dict.fromkeys(place for goal in newest for place in goal.let_stand if place not in named))
    first = session.goals[0].text if session.goals else ""
    return GoalView(
        objective=contract.objective,
        first_asked=first if first != contract.objective else "",
        named=named,
        grown=tuple(entry for entry in contract.scope if entry not in (*named, *agreed)),
        areas=contract.areas,
        limits=tuple(
            LimitView(one.text, one.checkable, one.source, _freed(one, agreed)) for one in contract.constraints
        ),
        let_stand=agreed,
    )


def _freed(limit: Constraint, agreed: tuple[str, ...]) -> tuple[str, ...]:
    sign = "" if limit.kind == "only" else "!"
    return tuple(place for place in agreed if f"{sign}{place}" in limit.patterns)


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
    session: str = ""
    """The one it holds in; empty: every session of the project."""
    origin: str = "here"
    """`here`: a person on this machine; `team`: shared by somebody else in the team; `project`: a committed file."""
    team: str = ""
    """Of one that was shared from here: `shared`, `waits` to be told, or `refused` to a role that may not share."""


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
    lifted: tuple[AllowanceView, ...]
    """What a person let stand though a limit rules it out."""
    let_stand: tuple[str, ...] = ()
    """Places that no message named: the human said yes to them."""


class ScopePage(msgspec.Struct, frozen=True, kw_only=True):
    scope: ScopeView
    limits: tuple[LimitView, ...]


def allowance_view(allowance: Allowance, origin: str = "") -> AllowanceView:
    return AllowanceView(
        origin=origin or ("team" if allowance.is_shared else "here"),
        id=allowance.id,
        rule=allowance.rule,
        path=allowance.path,
        fingerprint=allowance.fingerprint,
        reason=allowance.reason,
        until=iso(allowance.until) if allowance.until else None,
        by=allowance.by,
        session=allowance.session,
    )


def allowed_here(root: str) -> tuple[AllowanceView, ...]:
    with opened_archive() as store:
        told = shared_from_here(store.pages)
        found = store.allowances(root, None, now())
        own = (msgspec.structs.replace(allowance_view(one), team=told.get(one.id, "")) for one in found)
        committed = (allowance_view(one, "project") for one in committed_allowances(root))
        return (*own, *committed)


def scope_page(root: str) -> ScopePage:
    session, allowed = _newest(root)
    widened = _each_once(widenings(allowed))
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
        widened=tuple(map(allowance_view, widened)),
        lifted=tuple(allowance_view(one) for one in allowed if _lifts_limits(one)),
        let_stand=goal.let_stand,
    )
    return ScopePage(scope=scope, limits=goal.limits)


def widenings(allowances: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """The allowances among these that widen the scope."""
    return tuple(one for one in allowances if one.rule in scope_rules() and one.path)


def _newest(root: str) -> tuple[Session | None, tuple[Allowance, ...]]:
    """The newest session and what is allowed in it; asking leaves no trace where nothing was ever recorded."""
    if not Path(database()).exists():
        return None, ()
    with opened_archive() as store:
        session = next(iter(store.sessions(root, 1)), None)
        return session, store.allowances(root, session.id if session else "", now())


def _lifts_limits(allowance: Allowance) -> bool:
    rule = rule_named(allowance.rule or allowance.fingerprint.partition(":")[0])
    return rule is not None and rule.only_where == "constraint"


def _each_once(widened: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """One widening is an allowance for each of its rules; of several for one reason the one that lasts longest."""
    lasting = sorted(widened, key=lambda one: one.until or math.inf)
    return tuple({(one.path, one.reason): one for one in lasting}.values())


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
