"""All that is told of a session in its report: scores, corrections, files, signals, and what became of the code."""

from __future__ import annotations

import msgspec

from leeboard.app.archive import find_session, known_archive
from leeboard.app.files_now import files_now
from leeboard.app.settings import policy_of
from leeboard.app.views.proxy import TrafficView, traffic_view
from leeboard.app.views.session import GoalView, goal_view
from leeboard.model.outcome import Capture, Judged, Offer, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.traffic import CarriedRequest
from leeboard.model.verdict import Verdict
from leeboard.report.capture import capture
from leeboard.report.detections import UNKNOWN, Detections, FilesNow, detections_of
from leeboard.text.words import counted

_CHANGING = {"edit", "write", "bash"}


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """What was done to one file."""

    path: str
    actions: tuple[str, ...]
    """Each kind once, in the order they came first."""
    times: int
    worst: int


class ReportPage(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    goal: GoalView
    capture: Capture
    corrections: tuple[Offer, ...]
    files: tuple[FileRow, ...]
    drifts: tuple[Verdict, ...]
    """Verdicts on actions that were off course."""
    verdicts: tuple[Verdict, ...]
    judged: tuple[Judged, ...]
    detections: Detections
    traffic: TrafficView | None = None
    """What the proxy did in it; None where none carried it."""

    @property
    def off_course(self) -> str:
        return f"{self.capture.drift_events} of {counted(self.session.scored, 'action')} off course"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a session."""

    steps: tuple[Step, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    offers: tuple[Offer, ...] = ()
    judged: tuple[Judged, ...] = ()
    now: FilesNow = UNKNOWN
    carried: tuple[CarriedRequest, ...] = ()


def report_page(start: str, root: str) -> ReportPage:
    """The report on the session whose id starts so, or on the newest one of the project."""
    with known_archive() as store:
        session = find_session(store, start, root)
        judged = store.signals(session.id)
        kept = Kept(
            steps=store.steps(session.id),
            verdicts=store.verdicts(session.id),
            offers=store.corrections(session.id),
            judged=judged,
            now=files_now(store, session, judged),
            carried=store.traffic.carried_in(session.id),
        )
    return page_of(session, kept, policy_of(session.root or root))


def page_of(session: Session, kept: Kept, policy: Policy) -> ReportPage:
    drifting = (v for v in kept.verdicts if 0 < v.score < policy.speak_below)
    return ReportPage(
        session=session,
        goal=goal_view(session),
        capture=capture(session, policy),
        corrections=kept.offers,
        files=_files(kept.steps, kept.verdicts),
        drifts=tuple(v for v in drifting if v.event in {"ToolProposed", "FilesChanged"}),
        verdicts=kept.verdicts,
        judged=kept.judged,
        detections=detections_of(session, kept.judged, policy.interrupt_budget, kept.now),
        traffic=traffic_view(kept.carried),
    )


def _files(steps: tuple[Step, ...], verdicts: tuple[Verdict, ...]) -> tuple[FileRow, ...]:
    """Files that were changed, the worst first. What a script did to one is known by the verdict on it."""
    changes = [
        *((step.files, step.action_type, step.drift_score) for step in steps if step.action_type in _CHANGING),
        *((verdict.paths, "script", verdict.score) for verdict in verdicts if verdict.event == "FilesChanged"),
    ]
    rows: dict[str, FileRow] = {}
    for paths, action, score in changes:
        for path in paths:
            known = rows.get(path) or FileRow(path=path, actions=(), times=0, worst=10)
            rows[path] = FileRow(
                path=path,
                actions=tuple(dict.fromkeys((*known.actions, action))),
                times=known.times + 1,
                worst=min(known.worst, score),
            )
    return tuple(sorted(rows.values(), key=lambda row: row.worst))
