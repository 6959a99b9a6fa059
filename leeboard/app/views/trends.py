"""What was found over many sessions: by rule and by day, what became of it, how right it was as people judged it.

A session is counted once and known again by its version, so that looking a second time costs what has changed.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from posixpath import basename, exists

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.backtest.opinions import said_of_rules
from leeboard.app.backtest.tally import RuleTally
from leeboard.app.settings import policy_of
from leeboard.app.views.projects import project_key
from leeboard.io.clock import iso
from leeboard.io.places import database
from leeboard.model.contract import Allowance
from leeboard.model.session import Session
from leeboard.model.verdict import Action
from leeboard.rule import code_of
from leeboard.store import paging
from leeboard.store.paging import PlacedVerdict, SessionFilter, SessionPlace
from leeboard.store.sqlite import SqliteStore

SESSIONS = 500
"""Counted on one page."""
MOST_ROWS = 20_000
"""Judged events of one session that are counted; what is beyond is said."""
_KEPT = 20_000
_EVER = 0.0
"""A moment at which nothing has run out yet: what people said counts when it is over, too."""


class SessionCount(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a session that the trend of its day is summed up from."""

    day: str
    project: str
    scored: int
    drifted: int
    halts: int
    found: dict[str, int]
    """Findings by rule."""
    spoken: dict[str, int]
    """Times a rule was heard by the agent."""
    fixed: dict[str, int]
    """Times the next action after that was on course."""
    cut: bool = False


class RuleTrend(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    code: str
    found: int
    spoken: int
    fixed: int
    accepted: int
    """Findings of it that people let stand, each by its id."""
    overruled: int
    """Times that people let stand whatever it finds, at a path or anywhere."""
    right: int
    wrong: int
    precision: float | None
    between: tuple[float, float] | None
    days: tuple[int, ...]
    """Findings on each day of the page, oldest first."""


class ProjectTrend(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    project: str
    name: str
    sessions: int
    scored: int
    drifted: int
    halts: int

    @property
    def share(self) -> float:
        return self.drifted / self.scored if self.scored else 0.0


class TrendsPage(msgspec.Struct, frozen=True, kw_only=True):
    sessions: int
    days: tuple[str, ...]
    rules: tuple[RuleTrend, ...]
    projects: tuple[ProjectTrend, ...]
    cut: int
    """Sessions too long to be counted to their end."""
    following: SessionPlace | None


class TrendCounter:
    """Counts sessions, and remembers them."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, SessionCount]] = OrderedDict()

    def page(self, after: SessionPlace | None = None) -> TrendsPage:
        """The newest sessions, or those before a place."""
        if not exists(database()):
            return _summed([], (), None)
        with opened_archive() as store:
            found = paging.session_slice(store.pages, SessionFilter(), after, SESSIONS)
            counts = [self._count(store, session) for session in found.sessions]
            roots = {session.root for session in found.sessions}
            allowed = [one for root in roots for one in store.allowances(root, None, _EVER)]
        return _summed(counts, allowed, found.following)

    def _count(self, store: SqliteStore, session: Session) -> SessionCount:
        known = self._known.get(session.id)
        if known is None or known[0] != session.version:
            rows = paging.judged_verdicts(store.pages, session.id, MOST_ROWS)
            known = (session.version, count_session(session, rows, policy_of(session.root).speak_below))
            self._known[session.id] = known
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return known[1]


def count_session(session: Session, rows: Iterable[PlacedVerdict], on_course: int) -> SessionCount:
    found, spoken, fixed = Counter[str](), Counter[str](), Counter[str]()
    open_rules: dict[str, tuple[str, ...]] = {}
    many = 0
    for placed in rows:
        verdict, many = placed.verdict, many + 1
        if verdict.score >= on_course and verdict.event == "ToolProposed" and open_rules.get(verdict.agent):
            fixed.update(open_rules.pop(verdict.agent))
        if verdict.event in {"ToolProposed", "FilesChanged"} or verdict.action >= Action.DENY:
            found.update(verdict.rules)
        if verdict.message and verdict.action >= Action.INJECT:
            spoken.update(verdict.rules)
            open_rules[verdict.agent] = verdict.rules
    found |= spoken  # what is found at the end of the work is said there and then
    return SessionCount(
        day=iso(session.updated)[:10],
        project=session.root,
        scored=session.scored,
        drifted=session.drifted,
        halts=session.halts,
        found=dict(found),
        spoken=dict(spoken),
        fixed=dict(fixed),
        cut=many >= MOST_ROWS,
    )


def _summed(counts: list[SessionCount], allowed: Iterable[Allowance], following: SessionPlace | None) -> TrendsPage:
    days = tuple(sorted({count.day for count in counts}))
    found, spoken, fixed = (_total(counts, name) for name in ("found", "spoken", "fixed"))
    words = tuple(allowed)
    accepted = Counter(one.fingerprint.partition(":")[0] for one in words if one.fingerprint)
    overruled = Counter(one.rule for one in words if one.rule and not one.fingerprint)
    figures, opinions = (found, spoken, fixed, accepted, overruled), said_of_rules()
    names = sorted({*found, *spoken, *accepted, *overruled, *opinions}, key=lambda rule: (-found[rule], rule))
    rules = (_rule(rule, tuple(each[rule] for each in figures), opinions, _days(counts, rule, days)) for rule in names)
    return TrendsPage(
        sessions=len(counts),
        days=days,
        rules=tuple(rules),
        projects=_projects(counts),
        cut=sum(count.cut for count in counts),
        following=following,
    )


def _total(counts: list[SessionCount], name: str) -> Counter[str]:
    total = Counter[str]()
    for count in counts:
        total.update(getattr(count, name))
    return total


def _days(counts: list[SessionCount], rule: str, days: tuple[str, ...]) -> tuple[int, ...]:
    by_day = Counter[str]()
    for count in counts:
        by_day[count.day] += count.found.get(rule, 0)
    return tuple(by_day[day] for day in days)


def _rule(
    rule: str, figures: tuple[int, ...], opinions: Mapping[str, tuple[int, int]], days: tuple[int, ...]
) -> RuleTrend:
    found, spoken, fixed, accepted, overruled = figures
    right, wrong = opinions.get(rule, (0, 0))
    judged = RuleTally(rule=rule, said=spoken, refused=0, asked=0, sessions=0, yes=right, no=wrong)
    return RuleTrend(
        rule=rule,
        code=code_of(rule),
        found=found,
        spoken=spoken,
        fixed=fixed,
        accepted=accepted,
        overruled=overruled,
        right=right,
        wrong=wrong,
        precision=judged.precision,
        between=judged.between,
        days=days,
    )


def _projects(counts: list[SessionCount]) -> tuple[ProjectTrend, ...]:
    roots = Counter(count.project for count in counts)
    found = (
        ProjectTrend(
            key=project_key(root),
            project=root,
            name=basename(root) or root,
            sessions=many,
            scored=sum(count.scored for count in counts if count.project == root),
            drifted=sum(count.drifted for count in counts if count.project == root),
            halts=sum(count.halts for count in counts if count.project == root),
        )
        for root, many in roots.items()
    )
    return tuple(sorted(found, key=lambda one: (-one.share, one.name)))
