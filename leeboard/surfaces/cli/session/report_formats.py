"""The report on a session for programs, and as Markdown for a pull request."""

from __future__ import annotations

import msgspec

from leeboard.app.views.report import ReportPage
from leeboard.app.views.session import signal_view
from leeboard.io.clock import iso
from leeboard.model.outcome import Judged, Offer
from leeboard.report.detections import markdown_of
from leeboard.rule import code_of


def page_object(page: ReportPage) -> dict[str, object]:
    session, record = page.session, page.capture
    return {
        "kind": "report",
        "session": session.id,
        "project": session.root,
        "goal": session.contract.objective,
        "first_goal": record.goal,
        "scope": {"named": list(page.goal.named), "grown": list(page.goal.grown)},
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
        views = ((signal_view(one, page.session.id), one.id in found.now.fixed) for one in judged)
        return [msgspec.to_builtins(view) | {"fixed": fixed} for view, fixed in views]

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
