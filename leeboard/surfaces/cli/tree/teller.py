"""How `monitor`, `redirect` and `steer-tree` tell what they do: results on stdout, notes on stderr."""

from __future__ import annotations

import sys
from typing import Any

from leeboard.app.tasks.monitor import MonitorNews
from leeboard.app.tasks.redirect import WITHOUT_TASK, Handled
from leeboard.contracts.report_json import DriftEvent, summary_line
from leeboard.surfaces.cli.screen import print_json, say, screen, words


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
