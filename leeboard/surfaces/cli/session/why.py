"""`leeboard why ID`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leeboard.app.views.session import SignalPage, VerdictPage, how_it_came
from leeboard.io.places import current_project
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import fields, json_option, print_view, screen, words
from leeboard.surfaces.cli.session_view import print_message, show_signal

if TYPE_CHECKING:
    from rich.console import Console


@click.command(epilog="Example:  leeboard why v3f9a")
@click.argument("id_", metavar="ID")
@json_option
def command(id_: str, *, as_json: bool) -> None:
    """How a verdict, a correction, a signal or a finding came about.

    ID is a verdict's (v...), a correction's (c...) or a signal's (s...) or the start of one, as `leeboard report` shows
    them, or a finding as rule:subject, such as scope_drift:src/theme.css or LB-S001:src/theme.css.
    """
    page = how_it_came(id_, current_project())
    if as_json:
        print_view(page.signal if isinstance(page, SignalPage) else page.verdict)
    elif isinstance(page, SignalPage):
        show_signal(page, screen())
    else:
        _show(page, screen())


def _event(page: VerdictPage) -> str:
    if page.event == "FilesChanged":
        return "files that a script changed"
    return f"{page.event} {page.verdict.tool_use_id}".rstrip()


def _show(page: VerdictPage, console: Console) -> None:
    verdict = page.verdict
    fields(
        [
            ("verdict", f"{verdict.id}, {verdict.action}, score {verdict.score}/10, level {verdict.level}"),
            ("about", f"{_event(page)}, turn {verdict.turn}, session {verdict.session}"),
        ],
        console,
    )
    for finding in verdict.findings:
        console.print()
        console.print(words((with_code(finding.rule), "bold"), f"  {finding.subject}"))
        for item in finding.evidence:
            console.print(words(f"  {item.delta:+d}  {item.text}" if item.delta else f"   0  {item.text}"))
        if finding.cap < 10:
            console.print(words(f"      and no score above {finding.cap} while it stands"))
        if finding.remedy:
            console.print(words(("      remedy: ", "dim"), finding.remedy))
    if verdict.trace:
        console.print()
        console.print(words((verdict.trace[-1], "dim")))
    if verdict.message:
        console.print()
        print_message(verdict.message, console, indent=2)
