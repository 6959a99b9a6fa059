"""`leeboard why [ID]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leeboard.app.views.why import SignalPage, VerdictPage, how_it_came, told_evidence
from leeboard.io.places import current_project
from leeboard.judge.score import level_of
from leeboard.model.verdict import Finding, Level
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import fields, json_option, print_view, screen, words
from leeboard.surfaces.cli.session_view import print_message, show_signal

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console


MEANINGS: dict[Level, str] = {
    "none": "from 8 on an action is on course, and nothing is said",
    "nudge": "7 is worth a nudge",
    "correct": "5 and 6 are corrected",
    "intervene": "3 and 4 call for a check before any other change",
    "halt": "1 and 2 bring the work to a halt",
}


@click.command(epilog="Example:  leeboard why v3f9a")
@click.argument("id_", metavar="[ID]", required=False, default="")
@click.option("--session", metavar="ID", default="", help="What was said last in this session: its id or its start.")
@json_option
def command(id_: str, *, session: str, as_json: bool) -> None:
    """How a score, a correction or a finding came about.

    Without an ID it is about what was said last in this project. ID is what `leeboard report` and `leeboard watch` show
    (v..., c... or s...) or the start of one; a file, for the newest score that something was taken from; or a finding
    as rule:subject, such as scope_drift:src/theme.css or LB-S001:src/theme.css.
    """
    page = how_it_came(id_, current_project(), session)
    if as_json:
        print_view(page.signal if isinstance(page, SignalPage) else page.verdict)
    elif isinstance(page, SignalPage):
        show_signal(page, screen())
    else:
        _show(page, screen())


def _score(page: VerdictPage) -> str:
    """The score with its sum, and what it means."""
    verdict = page.verdict
    if page.in_pause:
        return "none: the guard was paused"
    if not verdict.score:
        return "none: this was not scored"
    means = MEANINGS[level_of(verdict.score)]
    taken = [(finding.rule, sum(item.delta for item in finding.evidence)) for finding in verdict.findings]
    parts = [f"{delta:+d} {rule}" for rule, delta in taken if delta]
    if not parts and verdict.action == "DENY":
        return f"{verdict.score}/10 for where it is done; it was refused for what is in it, whatever the score"
    if not parts:
        return f"{verdict.score}/10: nothing was taken from it; {means}"
    return f"{verdict.score}/10, the worst of its files: 10 {' '.join(parts)}; {means}"


def _subject(finding: Finding) -> str:
    """The file or command it is about; a key that only tells findings apart says nothing to a reader."""
    return finding.path or ("" if finding.signal else finding.subject)


def _show(page: VerdictPage, console: Console) -> None:
    verdict = page.verdict
    fields(
        [
            *page.heads,
            ("score", _score(page)),
            ("about", f"{page.about}, turn {verdict.turn}, session {verdict.session}"),
            *(("allowed", one) for one in page.allowed),
        ],
        console,
    )
    for finding in verdict.findings:
        console.print()
        console.print(words((with_code(finding.rule), "bold"), f"  {_subject(finding)}".rstrip()))
        for item in finding.evidence:
            text = told_evidence(item.text)
            console.print(words(f"  {item.delta:+d}  {text}" if item.delta else f"      {text}"))
        if finding.cap < 10:
            console.print(words(f"      and no score above {finding.cap} while it stands"))
        if finding.remedy:
            console.print(words(("      the agent is to: ", "dim"), finding.remedy))
    if verdict.trace:
        console.print()
        console.print(words((verdict.trace[-1], "dim")))
    if page.said is not None and page.said.words:
        console.print()
        print_message(page.said.words, console, indent=2)
