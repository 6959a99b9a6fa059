"""A drift report as people read it."""

from __future__ import annotations

from leeboard.code.wording import counted
from leeboard.io.work_tree import EMPTY_TREES
from leeboard.model.drift import Drifted, DriftReport
from leeboard.rule import code_of
from leeboard.surfaces.cli._screen import screen, words
from leeboard.surfaces.drift_record import Recorded

SCORE_STYLES = {"green": "green", "yellow": "yellow", "red": "bold red"}
SEVERITY_STYLES = {"info": "dim", "warn": "yellow", "error": "bold red"}
_PLACES = 8


def show_report(report: DriftReport, recorded: Recorded | None = None) -> None:
    console = screen()
    name = f"{report.task_id}: {report.task_title}" if report.task_id else report.task_title or "no task"
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


def short_base(base: str) -> str:
    """A commit as people name it; the time before any commit has no name."""
    return "the beginning" if not base or base in EMPTY_TREES else base[:10]


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
