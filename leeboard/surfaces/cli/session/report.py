"""`leeboard report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.views.claims import CLAIM_HEADS, claim_cells, claim_object
from leeboard.app.views.proxy import traffic_text
from leeboard.app.views.report import ReportPage, report_page
from leeboard.app.views.said import counted_said
from leeboard.app.views.why import signal_view
from leeboard.io.clock import ago, iso
from leeboard.io.places import current_project
from leeboard.model.outcome import Judged, Offer
from leeboard.report.detections import lines_of, markdown_of
from leeboard.rule import code_of, with_code
from leeboard.surfaces.cli.screen import (
    MODE_STYLES,
    fields,
    json_option,
    paragraphs,
    print_json,
    printable,
    screen,
    table,
    words,
)
from leeboard.surfaces.cli.session_view import goal_rows, history_line, plain, print_said
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console


@click.command(epilog="Example:  leeboard report --markdown > drift.md")
@click.argument("session", default="")
@click.option("--session", "named", metavar="ID", default="", help="The session, as an option.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--html", metavar="FILE", default="", help="Write a page with the session drawn; - prints it.")
@click.option("--fail", is_flag=True, help="Exit 1 when the session needs a review.")
@json_option
def command(session: str, *, named: str, as_markdown: bool, html: str, fail: bool, as_json: bool) -> int:
    """What a session amounts to: goal, scores, everything that was said, files, and what it did to the code.

    SESSION is an id or its start; without one it is the newest session of this project. The tag had-drift says that an
    action scored below 8, needs-review that the drift was louder than a nudge, is
    unresolved or came to a halt, or that something outside the score was refused or said at once.
    """
    page = report_page(named or session, current_project())
    if html:
        _write_html(page, html)
    if as_json:
        print_json(page_object(page))
    elif as_markdown:
        click.echo(printable(markdown(page)), nl=False)
    elif not html:
        _show(page, screen())
    return 1 if fail and page.capture.needs_review else 0


def _write_html(page: ReportPage, target: str) -> None:
    from leeboard.surfaces.cli.session.report_html import html_page  # noqa: PLC0415 - only for who asks

    if target == "-":
        click.echo(html_page(page), nl=False)
        return
    Path(target).write_text(html_page(page), encoding="utf-8")
    screen(stderr=True).print(words(f"wrote {target}"))


def _show(page: ReportPage, console: Console) -> None:
    session, record = page.session, page.capture
    fields([("session", f"{session.id}, {session.status}, {ago(session.updated)}"), *goal_rows(page.goal)], console)
    console.print()
    fields(
        [
            ("scores", history_line(session.history)),
            (
                "so far" if page.is_open else "final",
                words(f"{page.final_score}; mode ", (session.mode, MODE_STYLES[session.mode])),
            ),
            ("said", _said_line(page)),
            *([("paused", page.paused)] if page.paused else []),
            ("tags", ", ".join(record.tags) or "none"),
            ("summary", record.reasoning_trace.replace("\n", " ")),
            *([("proxy", traffic_text(page.traffic))] if page.traffic else []),
            *([("course", "; ".join(page.traffic.notes))] if page.traffic and page.traffic.notes else []),
        ],
        console,
    )
    _show_said(page, console)
    _show_files(page, console)
    if page.claims:
        console.print()
        table(tuple(head.upper() for head in CLAIM_HEADS), claim_cells(page.claims), console)
    console.print()
    console.print(paragraphs(plain("\n".join(lines_of(page.detections)))))


def _said_line(page: ReportPage) -> str:
    """One count of all that was said, and what was not."""
    logged = len(page.detections.logged)
    waiting = len(page.waiting) + len(page.detections.queued)
    parts = [counted_said(page.said)]
    parts += [f"{waiting} waiting"] if waiting else []
    parts += [f"{counted(logged, 'finding')} noted and not said"] if logged else []
    return "; ".join(parts)


def _show_said(page: ReportPage, console: Console) -> None:
    for one in page.said:
        console.print()
        print_said(one, console)
    if page.said:
        console.print(words((f"`leeboard why {page.said[-1].id}` shows how one came about", "dim")))
    if page.waiting:
        console.print()
        table(("WAITING", "LEVEL", "ABOUT"), _waiting_cells(page), console)


def _waiting_cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [(one.correction.id, one.correction.level, ", ".join(one.correction.paths)) for one in page.waiting]


def _show_files(page: ReportPage, console: Console) -> None:
    if page.files:
        console.print()
        table(("FILE", "ACTIONS", "TIMES", "WORST", "WHY"), _file_cells(page)[:40], console)


# The report for programs, and as Markdown for a pull request.


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
        "paused": session.paused,
        "drift_events": record.drift_events,
        "final_score": record.final_score,
        "needs_review": record.needs_review,
        "tags": list(record.tags),
        "reasoning_trace": record.reasoning_trace,
        "history": [{"score": d.score, "level": d.level, "timestamp": iso(d.timestamp)} for d in session.history],
        "drifts": [{"id": v.id, "score": v.score, "level": v.level, "paths": list(v.paths)} for v in page.drifts],
        "said": [msgspec.to_builtins(one) for one in page.said],
        "refused": sum(one.how == "refused" for one in page.said),
        "deleted": list(page.deleted),
        "corrections": [_correction_object(offer) for offer in page.corrections],
        "claims": [claim_object(proof) for proof in page.claims],
        "files": [msgspec.to_builtins(row) for row in page.files],
        "detections": _detections_object(page),
        "proxy": msgspec.to_builtins(page.traffic),
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
        f"- {page.score_name}: {page.final_score}",
        f"- Said: {_said_line(page)}",
        *([f"- Paused: {page.paused}"] if page.paused else []),
        *([f"- Deleted: {', '.join(map(_inline, page.deleted))}"] if page.deleted else []),
        f"- Tags: {', '.join(record.tags) or 'none'}",
        *(f"- Limit: {_inline(constraint.text)}" for constraint in session.contract.constraints),
        "",
        "## Scores",
        "",
        " ".join(str(drift.score) for drift in session.history) or "No action was scored.",
        *_table("What was said", ("id", "turn", "level", "how", "rule", "about", "words"), _said_cells(page)),
        *_table("Waiting to be said", ("id", "level", "about"), _waiting_cells(page)),
        *_table("Claims and what shows them", CLAIM_HEADS, claim_cells(page.claims)),
        *_table("Files", ("file", "actions", "times", "worst score", "why"), _file_cells(page)),
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


def _said_cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [
        (
            one.id,
            str(one.turn),
            one.level,
            one.how,
            ", ".join(map(with_code, one.rules)),
            ", ".join(one.paths),
            one.words,
        )
        for one in page.said
    ]


def _file_cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [(row.path, row.told_actions, str(row.times), row.told_worst, row.why) for row in page.files]


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    body = ["| " + " | ".join(_inline(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return ["", f"## {title}", "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *body]


def _inline(text: str) -> str:
    return " ".join(text.split())
