"""All that is told of a session in its report: scores, corrections, files, signals, and what became of the code."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.analysis.proof.claim import ClaimProof, read_proofs
from leeboard.app.archive import find_session, known_archive
from leeboard.app.files_now import files_now
from leeboard.app.settings import policy_of
from leeboard.app.views.proxy import TrafficView, traffic_view
from leeboard.app.views.said import SaidView, said_views
from leeboard.app.views.session import GoalView, goal_view, paused_text
from leeboard.model.ledger import Entry
from leeboard.model.outcome import Capture, Judged, Offer, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.traffic import CarriedRequest
from leeboard.model.verdict import Verdict
from leeboard.model.workspace import Workspace
from leeboard.report.capture import capture
from leeboard.report.detections import UNKNOWN, Detections, FilesNow, detections_of
from leeboard.shell.effects import shell_effects
from leeboard.text.words import counted

DELETED = "deleted"
MOST_CLAIMS = 200
_CHANGING = {"edit", "write", "bash"}


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """How a session dealt with a file: what it did there, and how often."""

    path: str
    actions: tuple[str, ...]
    """Each kind once, in the order they came first."""
    times: int
    worst: int
    why: str = ""
    """The id of the verdict behind the worst score, for `leeboard why`; empty where nothing was taken from it."""
    paused: int = 0
    """How many of these times the guard was paused: none of them was scored."""

    @property
    def told_worst(self) -> str:
        """What was never scored is not well done for that."""
        return f"{self.worst}/10" if self.paused < self.times else "not scored"

    @property
    def told_actions(self) -> str:
        return ", ".join((*self.actions, *(("paused",) if self.paused else ())))


class ReportPage(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    goal: GoalView
    capture: Capture
    said: tuple[SaidView, ...]
    """Everything that was said, in the order it was said."""
    corrections: tuple[Offer, ...]
    files: tuple[FileRow, ...]
    drifts: tuple[Verdict, ...]
    """Verdicts on actions that were off course."""
    verdicts: tuple[Verdict, ...]
    judged: tuple[Judged, ...]
    detections: Detections
    claims: tuple[ClaimProof, ...] = ()
    """What the agent said of its own work as it ended, and what stands for or against it; in order."""
    traffic: TrafficView | None = None
    """What the proxy did in it; None where none carried it."""

    @property
    def off_course(self) -> str:
        return f"{self.capture.drift_events} of {counted(self.session.scored, 'action')} off course"

    @property
    def is_open(self) -> bool:
        """Whether the session may go on: then its last score is not the final one."""
        return self.session.status == "active"

    @property
    def score_name(self) -> str:
        return "Score so far" if self.is_open else "Final score"

    @property
    def final_score(self) -> str:
        """Nothing that was scored is no bad score."""
        return f"{self.capture.final_score}/10, {self.off_course}" if self.session.scored else "nothing was scored"

    @property
    def paused(self) -> str:
        """What happened while a person had paused the guard; empty where nothing did."""
        return paused_text(self.session)

    @property
    def waiting(self) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.corrections if offer.state == "waiting")

    @property
    def deleted(self) -> tuple[str, ...]:
        return tuple(row.path for row in self.files if DELETED in row.actions)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What the store holds of a session, as a report is made from it."""

    steps: tuple[Step, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    offers: tuple[Offer, ...] = ()
    judged: tuple[Judged, ...] = ()
    now: FilesNow = UNKNOWN
    carried: tuple[CarriedRequest, ...] = ()
    claims: tuple[Entry, ...] = ()
    """The newest first."""


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
            claims=store.newest(session.id, "claim", MOST_CLAIMS),
        )
    return page_of(session, kept, policy_of(session.root or root))


def page_of(session: Session, kept: Kept, policy: Policy) -> ReportPage:
    drifting = (v for v in kept.verdicts if 0 < v.score < policy.speak_below)
    return ReportPage(
        session=session,
        goal=goal_view(session),
        capture=capture(session, policy),
        said=said_views(kept.verdicts),
        corrections=kept.offers,
        files=_files(kept.steps, kept.verdicts, session.root),
        drifts=tuple(v for v in drifting if v.event in {"ToolProposed", "FilesChanged"}),
        verdicts=kept.verdicts,
        judged=kept.judged,
        detections=detections_of(session, kept.judged, policy.interrupt_budget, kept.now),
        claims=read_proofs(kept.claims[::-1]),
        traffic=traffic_view(kept.carried),
    )


def _files(steps: tuple[Step, ...], verdicts: tuple[Verdict, ...], root: str) -> tuple[FileRow, ...]:
    """Files that were changed, the worst first. What a script did to one is known by the verdict on it."""
    rows: dict[str, FileRow] = {}
    for change in _changes(steps, verdicts, root):
        known = rows.get(change.path) or FileRow(path=change.path, actions=(), times=0, worst=10)
        worse = change.score < known.worst
        rows[change.path] = FileRow(
            path=change.path,
            actions=tuple(dict.fromkeys((*known.actions, change.action))),
            times=known.times + 1,
            worst=change.score if worse else known.worst,
            why=change.verdict if worse or (change.paused and not known.why) else known.why,
            paused=known.paused + change.paused,
        )
    return tuple(sorted(rows.values(), key=lambda row: row.worst))


class _Change(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    action: str
    score: int
    verdict: str
    paused: bool = False


def _changes(steps: tuple[Step, ...], verdicts: tuple[Verdict, ...], root: str) -> Iterator[_Change]:
    judged = {f"{one.session}:{one.tool_use_id}": one for one in verdicts if one.event == "ToolProposed"}
    for step in steps:
        if step.action_type in _CHANGING:
            gone, verdict = _deleted_by(step, root), judged.get(step.id)
            id_, paused = (verdict.id, verdict.in_pause) if verdict else ("", False)
            for path in step.files:
                action = _action(step, path, gone)
                yield _Change(path=path, action=action, score=step.drift_score, verdict=id_, paused=paused)
    for one in verdicts:
        if one.event == "FilesChanged":
            for path in one.paths:
                score, paused = one.score or 10, one.in_pause
                yield _Change(path=path, action="script", score=score, verdict=one.id, paused=paused)


def _action(step: Step, path: str, deleted: frozenset[str]) -> str:
    return DELETED if path in deleted else step.action_type


def _deleted_by(step: Step, root: str) -> frozenset[str]:
    """The files that a shell line took away; one that it moved stands at its new place."""
    if not step.command:
        return frozenset()
    place = Workspace(root)
    touches = shell_effects(step.command, root).touches
    return frozenset(place.spell(touch.path, root) for touch in touches if touch.kind == "delete")
