"""`leeboard check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

import leeboard
from leeboard.app.check import CheckOptions
from leeboard.app.tasks.drift_actions import Recorded, Wanted
from leeboard.app.views.tree import CheckPage, check_page, short_base
from leeboard.contracts import report_json
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.model.event import TreeChecked
from leeboard.model.task import SCORES, Drifted, DriftReport, Score
from leeboard.model.verdict import Disposition, PlacedFinding, Severity
from leeboard.report.annotations import render_annotations
from leeboard.rule import code_of, discover, listening
from leeboard.secrets.redaction import redact
from leeboard.surfaces.cli.screen import chosen_form, print_json, refuse_to_agents, say, screen, trust_option, words
from leeboard.text.words import counted

FINDINGS = 3
SCORE_STYLES = {"green": "green", "yellow": "yellow", "red": "bold red"}
SEVERITY_STYLES = {"info": "dim", "warn": "yellow", "error": "bold red"}
_PLACES = 8
_DISPOSITIONS: dict[Severity, Disposition] = {"error": "FIRE", "warn": "QUEUE", "info": "LOG"}


@click.command(epilog="Example:  leeboard check --base origin/main --fail-on red --github")
@click.option("--task", "task_id", default="", metavar="ID", help="Of this task; else the only one in progress.")
@click.option("--base", metavar="REV", help="Compare with where the work left this branch or commit.")
@click.option("--staged", is_flag=True, help="Look at what is staged alone, as a commit hook does.")
@click.option("--json", is_flag=True, help="Print the report as one JSON object.")
@click.option("--sarif", is_flag=True, help="Print a SARIF 2.1.0 log for code hosts and editors.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions.")
@click.option("--junit", is_flag=True, help="Print JUnit XML, one test case for each kind of drift.")
@click.option("--write-log", is_flag=True, help="Write a line onto the task when score or kinds changed.")
@click.option("--create-followups", is_flag=True, help="Make the tasks that the drift calls for.")
@click.option("--run-acceptance", is_flag=True, help="Run the contract's acceptance commands.")
@trust_option
@click.option("--state", default="", metavar="FILE", help="Take streaks from this file, and hand them on in it.")
@click.option("--reviewed", is_flag=True, help="A person has reviewed what this change decides about itself.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=600.0, show_default=True, help="Seconds for each.")
@click.option("--fail-on", type=click.Choice(["yellow", "red"]), help="Exit 3 only from this score on.")
def command(fail_on: Score | None, **asked: object) -> int:
    """Check the work tree against its contract.

    Compares commits since the work began, what is staged, unstaged and untracked with what the task's contract,
    `[contract]` in leeboard.toml or the session's words promise: scope, packages, budgets, guardrails, non-goals,
    acceptance. Nothing is blocked and nothing of the work is changed.

    Exits 0 when the score is green, 3 when it is not, 1 when the tree could not be looked at, 2 for wrong use.
    """
    form = chosen_form(asked, _FORMS)
    if asked["base"] == "":
        raise ConfigError("--base is empty: name a branch or commit; a build's variable may not be set here")
    if asked["reviewed"]:
        refuse_to_agents("--reviewed")
    look = CheckOptions(
        base=str(asked["base"] or ""),
        staged=bool(asked["staged"]),
        run_acceptance=bool(asked["run_acceptance"]),
        state=str(asked["state"]),
        reviewed=bool(asked["reviewed"]),
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
    from leeboard.report.sarif import render_sarif  # noqa: PLC0415 - only for who asks for it

    results = [
        PlacedFinding(
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
    from leeboard.report.junit import render_junit  # noqa: PLC0415 - a parser of XML, for who asks for that

    rules = listening(discover(), TreeChecked)
    kinds = [loaded.rule.kind or loaded.id for loaded in rules]
    sys.stdout.write(render_junit(page.report, kinds, page.checked.seconds).decode())


def _show(page: CheckPage) -> None:
    show_report(page.report, page.recorded)


def show_report(report: DriftReport, recorded: Recorded | None = None) -> None:
    console = screen()
    promised = str((report.contract or {}).get("objective") or "")
    title = report.task_title or (f"{_one_line(promised)} (no task)" if promised else "no task")
    name = f"{report.task_id}: {report.task_title}" if report.task_id else title
    console.print(words((name, "bold")))
    console.print(words("score: ", (report.score, SCORE_STYLES[report.score]), (f"   {_numbers(report)}", "dim")))
    for line in report.telemetry.get("touch_changes", ()):
        console.print(words(("  contract: ", "dim"), line.removeprefix("Speedrift: ")))
    for one in report.findings:
        mark = (one.severity, SEVERITY_STYLES[one.severity])
        console.print(words("- [", mark, "] ", one.kind, (_rule_of(one), "dim"), f": {_one_line(one.summary)}"))
        for line in _places(one):
            console.print(words((f"    {line}", "dim")))
    for advice in report.recommendations:
        console.print(words("> ", (advice.action, "bold"), f": {advice.rationale}"))
        for line in advice.commands:
            console.print(words((f"    {line}", "dim")))
    for line in _done(recorded):
        console.print(words(line))


def _numbers(report: DriftReport) -> str:
    numbers = report.telemetry
    since = f"since {short_base(numbers.get('base_commit') or '')}"
    commits = f", {counted(numbers['commits_since_start'], 'commit')}" if numbers.get("commits_since_start") else ""
    changed = f"{counted(numbers['files_changed'], 'file')}, +{numbers['loc_added']} -{numbers['loc_deleted']} lines"
    return f"{changed} {since}{commits}"


def _places(one: Drifted) -> list[str]:
    """What is said of each place, where there is more than one."""
    if len(one.findings) < 2:
        return []
    lines = [_one_line(f"{finding.message} [{finding.severity}]") for finding in one.findings[:_PLACES]]
    more = len(one.findings) - _PLACES
    return [*lines, f"and {more} more: --json lists them"] if more > 0 else lines


def _rule_of(one: Drifted) -> str:
    """The code of the rule whose page explains it, and its name where that is not the kind's."""
    rule = one.findings[0].rule if one.findings else ""
    told = " ".join(filter(None, ("" if rule == one.kind else rule, code_of(rule))))
    return f" ({told})" if told else ""


def _one_line(text: str) -> str:
    """A file's name may hold a line end."""
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _done(recorded: Recorded | None) -> list[str]:
    if recorded is None:
        return []
    done, streak = recorded.done, recorded.step.state.streak
    lines = [f"off course in {counted(streak, 'check')} so far"] if streak > 1 else []
    lines += [f"logged: {done.logged}"] if done.logged else []
    lines += [f"made {name}" for name in done.created]
    lines += [f"refreshed {name}" for name in done.refreshed]
    return [*lines, *(f"no room for {name}: too many tasks have open follow-ups" for name in done.held_back)]


_FORMS: dict[str, Callable[[CheckPage], None]] = {
    "screen": _show,
    "json": _print_json,
    "sarif": _print_sarif,
    "github": _print_github,
    "junit": _print_junit,
}
