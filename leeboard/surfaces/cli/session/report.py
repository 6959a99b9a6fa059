"""`leeboard report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from leeboard.app.views.guard import ago
from leeboard.app.views.report import ReportPage, report_page
from leeboard.io.places import current_project
from leeboard.report.detections import markdown_of
from leeboard.surfaces.cli.screen import (
    LEVEL_STYLES,
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
from leeboard.surfaces.cli.session.report_formats import markdown, page_object
from leeboard.surfaces.cli.session_view import goal_rows, history_line, plain

if TYPE_CHECKING:
    from rich.console import Console


@click.command(epilog="Example:  leeboard report --markdown > drift.md")
@click.argument("session", default="")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--html", metavar="FILE", default="", help="Write a page with the session drawn; - prints it.")
@click.option("--fail", is_flag=True, help="Exit 1 when the session needs a review.")
@json_option
def command(session: str, *, as_markdown: bool, html: str, fail: bool, as_json: bool) -> int:
    """What a session amounts to: goal, scores, corrections, files, interrupts, and what it did to the code.

    SESSION is an id or its start; without one it is the newest session of this project. The tag had-drift says that an
    action scored below 8, needs-review that the drift was louder than a nudge, is
    unresolved or came to a halt, or that an interrupt fired.
    """
    page = report_page(session, current_project())
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
            ("final", words(f"{record.final_score}/10, mode ", (session.mode, MODE_STYLES[session.mode]))),
            ("tags", ", ".join(record.tags) or "none"),
            ("summary", record.reasoning_trace.replace("\n", " ")),
        ],
        console,
    )
    _show_corrections(page, console)
    _show_files(page, console)
    console.print()
    console.print(paragraphs(plain(markdown_of(page.detections).rstrip())))


def _show_corrections(page: ReportPage, console: Console) -> None:
    if not page.corrections:
        return
    rows = [
        (offer.correction.id, words((offer.correction.level, LEVEL_STYLES[offer.correction.level])),
         f"{offer.correction.score}/10", offer.state, ", ".join(offer.correction.paths))
        for offer in page.corrections
    ]  # fmt: skip
    console.print()
    table(("CORRECTION", "LEVEL", "SCORE", "STATE", "ABOUT"), rows, console)
    console.print(words((f"`leeboard why {page.corrections[-1].correction.id}` shows how one came about", "dim")))


def _show_files(page: ReportPage, console: Console) -> None:
    if page.files:
        console.print()
        rows = [(row.path, ", ".join(row.actions), str(row.times), f"{row.worst}/10") for row in page.files[:40]]
        table(("FILE", "ACTIONS", "TIMES", "WORST"), rows, console)
