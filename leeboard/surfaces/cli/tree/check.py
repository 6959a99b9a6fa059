"""`leeboard check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click
import msgspec

import leeboard
from leeboard.app.check import Checked, CheckOptions, check_tree
from leeboard.app.promise import promised
from leeboard.app.tasks.drift_actions import Recorded, Wanted, Work, acted_on, record
from leeboard.contracts import report_json
from leeboard.contracts.disk.tasks import notes_of
from leeboard.contracts.report import TreeCheck
from leeboard.io import clock
from leeboard.model.event import TreeChecked
from leeboard.model.task import SCORES, DriftReport, Score
from leeboard.model.verdict import Disposition, Severity
from leeboard.report.exports import render_annotations, render_junit
from leeboard.rule import discover, listening
from leeboard.secrets.redaction import redact
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.screen import print_json, say
from leeboard.surfaces.cli.tree.drift_view import show_report
from leeboard.surfaces.cli.trust_view import trust_option

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
    promise = promised(here(), os.environ, str(asked["task_id"]))
    look = CheckOptions(
        base=str(asked["base"]),
        staged=bool(asked["staged"]),
        run_acceptance=bool(asked["run_acceptance"]),
        seconds=float(str(asked["timeout"])),
        began=lambda line: say(f"running {redact(line)}"),
    )
    checked = check_tree(promise, os.environ, look)
    wanted = Wanted(log=bool(asked["write_log"]), followups=bool(asked["create_followups"]))
    recorded = _recorded(checked, wanted, look)
    report = recorded.report if recorded else checked.report
    kept = notes_of(promise.tasks) if promise.tasks else ()
    if (wanted.log or wanted.followups) and promise.task is None:
        kept = (*kept, "there is no task to write onto: this contract belongs to none")
    for note in (*promise.notes, *kept, *checked.event.change.notes, *(recorded.notes if recorded else ())):
        say(note)
    _FORMS[form or "screen"](CheckReport(checked=checked, report=report, recorded=recorded))
    return FINDINGS if SCORES.index(report.score) >= SCORES.index(fail_on or "yellow") else 0


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to tell of one check."""

    checked: Checked
    report: DriftReport
    recorded: Recorded | None = None


def _recorded(checked: Checked, wanted: Wanted, look: CheckOptions) -> Recorded | None:
    """The check, remembered; a look at the index alone, or from somewhere else, is no look at the work."""
    if look.staged or (checked.promise.held is None and checked.promise.task is None):
        return None
    promise, now = checked.promise, clock.now()
    work = Work(
        name=promise.name,
        folder=promise.folder,
        contract=checked.contract,
        tasks=promise.tasks if promise.task else None,
        base=checked.event.change.base,
        active=promise.task is not None and promise.task.is_active,
    )
    check = TreeCheck(report=checked.report, tree=checked.event.change.digest, now=now, stamp=clock.stamp(now))
    return acted_on(work, check, wanted) if look.base else record(work, check, wanted)


def _print_json(seen: CheckReport) -> None:
    report, recorded = seen.report, seen.recorded
    made = report_json.render(report)
    made["telemetry"] = report.telemetry | {"duration_ms": round(seen.checked.seconds * 1000)}
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


def _print_sarif(seen: CheckReport) -> None:
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
        for kind in seen.report.findings
        for finding in kind.findings
    ]
    rules = listening(discover(), TreeChecked)
    problems = [("", note) for note in seen.checked.event.change.notes]
    print_json(render_sarif(results, rules, leeboard.__version__, problems))


def _print_github(seen: CheckReport) -> None:
    for line in render_annotations(seen.report):
        click.echo(line)


def _print_junit(seen: CheckReport) -> None:
    rules = listening(discover(), TreeChecked)
    kinds = [loaded.rule.kind or loaded.id for loaded in rules]
    sys.stdout.write(render_junit(seen.report, kinds, seen.checked.seconds).decode())


def _show(seen: CheckReport) -> None:
    show_report(seen.report, seen.recorded)


_FORMS: dict[str, Callable[[CheckReport], None]] = {
    "screen": _show,
    "json": _print_json,
    "sarif": _print_sarif,
    "github": _print_github,
    "junit": _print_junit,
}
