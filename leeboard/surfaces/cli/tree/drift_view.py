"""A drift report as people read it."""

from __future__ import annotations

import sys
from typing import Any

from leeboard.app.tasks.drift_actions import Recorded
from leeboard.app.tasks.monitor import MonitorNews
from leeboard.app.tasks.redirect import WITHOUT_TASK, Handled
from leeboard.contracts.report_json import DriftEvent, summary_line
from leeboard.io.git.work_tree import EMPTY_TREES
from leeboard.model.task import Drifted, DriftReport
from leeboard.rule import code_of
from leeboard.surfaces.cli.screen import print_json, say, screen, words
from leeboard.text.words import counted

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


# How `monitor`, `redirect` and `steer-tree` tell what they do: results on stdout, notes on stderr.


class TreeTeller:
    """A note that stays the same is said once."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._said: dict[str, str] = {}

    def note(self, text: str, about: str = "") -> None:
        """`about` is whatever there is one note on at a time."""
        if self._said.get(about or text) != text:
            self._said[about or text] = text
            say(text)

    def is_well(self, about: str) -> None:
        """What was noted about it is over: it would be news again."""
        self._said.pop(about, None)

    def told(self, told: MonitorNews) -> None:
        """An event of a monitor."""
        about = f"monitor {told.task}"
        if told.note:
            self.note(told.note, about)
        else:
            self.is_well(about)
        if told.line and self._as_json:
            sys.stdout.write(told.line.decode())
        elif told.summary:
            screen().print(words((f"{told.task}: ", "bold"), told.summary))
        sys.stdout.flush()  # a program that reads along should not have to wait for a full buffer

    def handled(self, handled: Handled) -> None:
        """An event that was acted on, or passed over."""
        for note in handled.notes:
            self.note(note)
        if handled.event is None:
            return
        if self._as_json:
            print_json(_as_object(handled, handled.event))
        else:
            _show(handled, handled.event)
        sys.stdout.flush()


def _as_object(handled: Handled, event: DriftEvent) -> dict[str, Any]:
    return {
        "event_id": event.id,
        "timestamp": event.timestamp,
        "task_id": event.report.task_id or None,
        "score": event.report.score,
        "kinds": list(event.report.kinds),
        "streak": handled.streak,
        "logged": handled.done.logged or None,
        "created": list(handled.done.created),
        "refreshed": list(handled.done.refreshed),
        "held_back": list(handled.done.held_back),
    }


def _show(handled: Handled, event: DriftEvent) -> None:
    console, done = screen(), handled.done
    name = event.report.task_id or WITHOUT_TASK
    streak = f" [streak {handled.streak}]" if handled.streak else ""
    console.print(words((f"{name}: ", "bold"), summary_line(event.report), (streak, "dim")))
    lines = [f"made {made}" for made in done.created] + [f"refreshed {one}" for one in done.refreshed]
    for line in (*lines, *(f"no room for {one}: too many tasks have open follow-ups" for one in done.held_back)):
        console.print(words(f"  {line}"))
