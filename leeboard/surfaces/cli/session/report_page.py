"""All that is told of a session, gathered once for the screen, for Markdown and for programs."""

from __future__ import annotations

import msgspec

from leeboard.io.clock import iso
from leeboard.model.outcome import Capture, Judged, Offer, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict
from leeboard.report.capture import capture
from leeboard.report.detections import UNKNOWN, Detections, FilesNow, detections_of, markdown_of
from leeboard.rule import code_of
from leeboard.surfaces.cli.session_view import grown_scope, named_scope, signal_object
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
    capture: Capture
    corrections: tuple[Offer, ...]
    files: tuple[FileRow, ...]
    drifts: tuple[Verdict, ...]
    """Verdicts on actions that were off course."""
    verdicts: tuple[Verdict, ...]
    judged: tuple[Judged, ...]
    detections: Detections

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


def page_of(session: Session, kept: Kept, policy: Policy) -> ReportPage:
    drifting = (v for v in kept.verdicts if 0 < v.score < policy.speak_below)
    return ReportPage(
        session=session,
        capture=capture(session, policy),
        corrections=kept.offers,
        files=_files(kept.steps, kept.verdicts),
        drifts=tuple(v for v in drifting if v.event in {"ToolProposed", "FilesChanged"}),
        verdicts=kept.verdicts,
        judged=kept.judged,
        detections=detections_of(session, kept.judged, policy.interrupt_budget, kept.now),
    )


def page_object(page: ReportPage) -> dict[str, object]:
    session, record = page.session, page.capture
    return {
        "kind": "report",
        "session": session.id,
        "project": session.root,
        "goal": session.contract.objective,
        "first_goal": record.goal,
        "scope": {"named": list(named_scope(session)), "grown": list(grown_scope(session))},
        "constraints": [constraint.text for constraint in session.contract.constraints],
        "status": session.status,
        "mode": session.mode,
        "turns": session.turns,
        "scored": session.scored,
        "drift_events": record.drift_events,
        "final_score": record.final_score,
        "needs_review": record.needs_review,
        "tags": list(record.tags),
        "reasoning_trace": record.reasoning_trace,
        "history": [{"score": d.score, "level": d.level, "timestamp": iso(d.timestamp)} for d in session.history],
        "drifts": [{"id": v.id, "score": v.score, "level": v.level, "paths": list(v.paths)} for v in page.drifts],
        "corrections": [_correction_object(offer) for offer in page.corrections],
        "files": [msgspec.to_builtins(row) for row in page.files],
        "detections": _detections_object(page),
    }


def _detections_object(page: ReportPage) -> dict[str, object]:
    found = page.detections

    def signals(judged: tuple[Judged, ...]) -> list[dict[str, object]]:
        return [signal_object(one, page.session.id) | {"fixed": one.id in found.now.fixed} for one in judged]

    return {
        "turns": found.turns,
        "interrupts_fired": signals(found.fired),
        "interrupt_budget": page.session.interrupt_budget,
        "interrupts_queued": signals(found.queued),
        "signals_logged": signals(found.logged),
        "signals_delivered": signals(tuple(one for one in page.judged if one.state == "delivered")),
        "pattern_observations": list(found.observations),
        "recommendations": list(found.recommendations),
        "not_analysed": [{"path": path, "reason": reason} for path, reason in found.now.not_analysed],
        "health": msgspec.structs.asdict(page.session.health) | {"delta": found.health},
    }


def markdown(page: ReportPage) -> str:
    """For a pull request or a review."""
    session, record = page.session, page.capture
    lines = [
        f"# Drift report: session {session.id}",
        "",
        f"- Goal: {_inline(session.contract.objective) or 'not stated'}",
        f"- Status: {session.status}, mode {session.mode}",
        f"- Final score: {record.final_score}/10, {page.off_course}",
        f"- Tags: {', '.join(record.tags) or 'none'}",
        *(f"- Limit: {_inline(constraint.text)}" for constraint in session.contract.constraints),
        "",
        "## Scores",
        "",
        " ".join(str(drift.score) for drift in session.history) or "No action was scored.",
        *_table("Corrections", ("id", "level", "score", "state", "about"), _correction_cells(page)),
        *_table("Files", ("file", "actions", "times", "worst score"), _file_cells(page)),
        "",
        record.reasoning_trace,
        "",
        markdown_of(page.detections).rstrip(),
    ]
    return "\n".join(lines) + "\n"


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


def _correction_object(offer: Offer) -> dict[str, object]:
    correction = offer.correction
    return {
        "id": correction.id,
        "level": correction.level,
        "score": correction.score,
        "state": offer.state,
        "turn": correction.turn,
        "rules": list(correction.rules),
        "codes": list(filter(None, map(code_of, correction.rules))),
        "paths": list(correction.paths),
        "text": correction.text,
    }


def _correction_cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [
        (c.correction.id, c.correction.level, f"{c.correction.score}/10", c.state, ", ".join(c.correction.paths))
        for c in page.corrections
    ]


def _file_cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [(row.path, ", ".join(row.actions), str(row.times), f"{row.worst}/10") for row in page.files]


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    body = ["| " + " | ".join(_inline(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return ["", f"## {title}", "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *body]


def _inline(text: str) -> str:
    return " ".join(text.split())
