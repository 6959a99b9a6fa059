"""`leeboard check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

import leeboard
from leeboard.app.check import CheckOptions
from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.views.tree import CheckPage, check_page
from leeboard.contracts import report_json
from leeboard.io.places import current_project
from leeboard.model.event import TreeChecked
from leeboard.model.task import SCORES, Score
from leeboard.model.verdict import Disposition, Severity
from leeboard.report.exports import render_annotations, render_junit
from leeboard.rule import discover, listening
from leeboard.secrets.redaction import redact
from leeboard.surfaces.cli.screen import print_json, say, trust_option
from leeboard.surfaces.cli.tree.drift_view import show_report

FINDINGS = 3
_DISPOSITIONS: dict[Severity, Disposition] = {"error": "FIRE", "warn": "QUEUE", "info": "LOG"}


@click.command(epilog="Example:  leeboard check --base origin/main --fail-on red --github")
@click.option("--task", "task_id", default="", metavar="ID", help="Of this task; else the only one in progress.")
@click.option("--base", default="", metavar="REV", help="Compare with this revision, not with where the work began.")
@click.option("--staged", is_flag=True, help="Look at what is staged alone, as a commit hook does.")
@click.option("--json", "form", flag_value="json", help="Print the report as one JSON object.")
@click.option("--sarif", "form", flag_value="sarif", help="Print a SARIF 2.1.0 log for code hosts and editors.")
@click.option("--github", "form", flag_value="github", help="Print annotations for GitHub Actions.")
@click.option("--junit", "form", flag_value="junit", help="Print JUnit XML, one test case for each kind of drift.")
@click.option("--write-log", is_flag=True, help="Write a line onto the task when score or kinds changed.")
@click.option("--create-followups", is_flag=True, help="Make the tasks that the drift calls for.")
@click.option("--run-acceptance", is_flag=True, help="Run the contract's acceptance commands.")
@trust_option
@click.option("--timeout", type=click.FloatRange(min=0.1), default=600.0, show_default=True, help="Seconds for each.")
@click.option("--fail-on", type=click.Choice(["yellow", "red"]), help="Exit 3 only from this score on.")
def command(form: str | None, fail_on: Score | None, **asked: object) -> int:
    """Check the work tree against its contract.

    Compares commits since the work began, what is staged, unstaged and untracked with what the task's contract,
    `[contract]` in leeboard.toml or the session's words promise: scope, packages, budgets, guardrails, non-goals,
    acceptance. Nothing is blocked and nothing of the work is changed.

    Exits 0 when the score is green, 3 when it is not, 1 when the tree could not be looked at, 2 for wrong use.
    """
    look = CheckOptions(
        base=str(asked["base"]),
        staged=bool(asked["staged"]),
        run_acceptance=bool(asked["run_acceptance"]),
        seconds=float(str(asked["timeout"])),
        began=lambda line: say(f"running {redact(line)}"),
    )
    wanted = Wanted(log=bool(asked["write_log"]), followups=bool(asked["create_followups"]))
    page = check_page(current_project(), os.environ, str(asked["task_id"]), look, wanted)
    for note in page.notes:
        say(note)
    _FORMS[form or "screen"](page)
    return FINDINGS if SCORES.index(page.report.score) >= SCORES.index(fail_on or "yellow") else 0


def _print_json(page: CheckPage) -> None:
    report, recorded = page.report, page.recorded
    made = report_json.render(report)
    made["telemetry"] = report.telemetry | {"duration_ms": round(page.checked.seconds * 1000)}
    made["lane_report"] = report_json.lane_report(report)
    if recorded is not None:
        made["streak"] = recorded.step.state.streak
        done = recorded.done
        made["actions"] = {
            "logged": done.logged or None,
            "created": list(done.created),
            "refreshed": list(done.refreshed),
            "held_back": list(done.held_back),
        }
    print_json(made)


def _print_sarif(page: CheckPage) -> None:
    from leeboard.report.exports import ExportResult, render_sarif  # noqa: PLC0415 - only for who asks for it

    results = [
        ExportResult(
            rule=finding.rule,
            subclass=kind.kind,
            path=finding.path,
            line=finding.line,
            confidence=finding.confidence,
            disposition=_DISPOSITIONS[finding.severity],
            message=finding.message or kind.summary,
            fingerprint=finding.fingerprint,
        )
        for kind in page.report.findings
        for finding in kind.findings
    ]
    rules = listening(discover(), TreeChecked)
    problems = [("", note) for note in page.checked.event.change.notes]
    print_json(render_sarif(results, rules, leeboard.__version__, problems))


def _print_github(page: CheckPage) -> None:
    for line in render_annotations(page.report):
        click.echo(line)


def _print_junit(page: CheckPage) -> None:
    rules = listening(discover(), TreeChecked)
    kinds = [loaded.rule.kind or loaded.id for loaded in rules]
    sys.stdout.write(render_junit(page.report, kinds, page.checked.seconds).decode())


def _show(page: CheckPage) -> None:
    show_report(page.report, page.recorded)


_FORMS: dict[str, Callable[[CheckPage], None]] = {
    "screen": _show,
    "json": _print_json,
    "sarif": _print_sarif,
    "github": _print_github,
    "junit": _print_junit,
}
