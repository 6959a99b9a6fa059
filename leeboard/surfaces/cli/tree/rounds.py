"""A round of `monitor` and of `redirect`, which `steer-tree` goes too, and how what was done is told.

Results go to stdout, notes to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from posixpath import isdir, join
from typing import Any

import msgspec

from leeboard.app.tasks.drift_actions import WITHOUT_TASK, Handled, Redirect, Wanted, redirects
from leeboard.app.tasks.monitor import Monitor, MonitorNews, Rounds
from leeboard.contracts.report_json import DriftEvent, summary_line
from leeboard.errors import EffectError, LeeboardError
from leeboard.io.file import Sole
from leeboard.surfaces.cli.screen import print_json, say, screen, words

MONITOR_SECONDS = 30.0
REDIRECT_SECONDS = 5.0
LOCK = "redirect.lock"
_AGAIN_SECONDS = 0.5


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
        """Show what a monitor tells: a note where something is wrong, and its line for programs."""
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


def look(monitor: Monitor, teller: TreeTeller, rounds: Rounds) -> bool:
    """One round; whether everything could be looked at."""
    well = True
    for told in monitor.round(lambda: rounds.is_over):
        teller.told(told)
        well = well and not told.is_error
    return well


class How(msgspec.Struct, frozen=True, kw_only=True):
    """How a redirect goes about it."""

    wanted: Wanted
    from_start: bool = False
    wait: bool = False
    """For another redirect to end, rather than to fail."""


class RedirectDuty:
    """Redirects in one work tree, alone at each folder of events."""

    def __init__(self, root: str, env: Mapping[str, str], how: How) -> None:
        self._root, self._env, self._how = root, env, how
        self._alone: dict[str, Sole] = {}
        self._replayed: set[str] = set()

    def round(self, rounds: Rounds, teller: TreeTeller) -> int:
        """The exit code there would be if it were the only round. Raises EffectError where another is at work."""
        try:
            found = redirects(self._root, self._env, self._how.wanted)
        except LeeboardError as error:
            teller.note(str(error), "redirect")
            return error.exit_code
        teller.is_well("redirect")
        codes = [self._acted(one, rounds, teller) for one in found if isdir(one.folder.path)]
        return max(codes, default=0)

    def end(self) -> None:
        for one in self._alone.values():
            one.give_back()

    def _acted(self, redirect: Redirect, rounds: Rounds, teller: TreeTeller) -> int:
        path = redirect.folder.path
        if not self._is_alone(path, rounds, teller):
            return 0
        try:
            self._drained(redirect, rounds, teller)
        except (LeeboardError, OSError) as error:
            teller.note(f"not done, will be tried again: {error}", path)
            return error.exit_code if isinstance(error, LeeboardError) else EffectError.exit_code
        teller.is_well(path)
        return 0

    def _drained(self, redirect: Redirect, rounds: Rounds, teller: TreeTeller) -> None:
        path = redirect.folder.path
        again = redirect.replay() if self._how.from_start and path not in self._replayed else iter(())
        for events in (again, redirect.round()):
            for handled in events:
                teller.handled(handled)
                if rounds.is_over:
                    return
            self._replayed.add(path)

    def _is_alone(self, path: str, rounds: Rounds, teller: TreeTeller) -> bool:
        """Whether the folder is ours; waits for it where that is wanted, until a signal comes."""
        sole = self._alone.setdefault(path, Sole(join(path, LOCK)))
        while not sole.take():
            if not self._how.wait:
                raise EffectError(f"another redirect is at work in {path}: end it, or wait for it with --wait")
            teller.note(f"waiting for another redirect in {path}")
            if not rounds.rest(_AGAIN_SECONDS):
                return False
        return True
