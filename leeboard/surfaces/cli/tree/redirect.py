"""`leeboard redirect`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import isdir, join

import click
import msgspec

from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.tasks.monitor import Rounds
from leeboard.app.tasks.redirect import Redirect, redirects
from leeboard.errors import EffectError, LeeboardError
from leeboard.io.lock import Sole
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option
from leeboard.surfaces.cli.tree.teller import TreeTeller

SECONDS = 5.0


@click.command(epilog="Example:  leeboard redirect --once --no-create-followups")
@click.option("--interval", type=click.FloatRange(0.1), default=SECONDS, show_default=True, help="Seconds to wait.")
@click.option("--once", is_flag=True, help="Act on what there is by now, and end.")
@click.option("--from-start", is_flag=True, help="First make up for what is missing of events already acted on.")
@click.option("--write-log/--no-write-log", default=True, help="Write onto the task when score or kinds changed.")
@click.option("--create-followups/--no-create-followups", default=True, help="Make the tasks the drift calls for.")
@click.option("--wait", is_flag=True, help="Wait while another redirect is at work here.")
@click.option("--attached", is_flag=True, hidden=True, help="End when stdin does.")
@json_option
def command(*, interval: float, once: bool, attached: bool, as_json: bool, **asked: bool) -> int:
    """Act on the events of a monitor, each once.

    For each event in `.speedrift/events.jsonl`, in order: the streak is counted, a change of score or kinds is written
    onto the task, follow-ups and pit stops are made. Killed at any moment, the next one goes on where it was: nothing
    is left out and nothing is done twice. An event that can not be acted on now waits, and all behind it.

    Exits 0 when it is terminated, 130 at Ctrl-C, 5 when another redirect is at work here; with --once 0, or 5 when
    something could not be done.
    """
    wanted = Wanted(log=asked["write_log"], followups=asked["create_followups"])
    how = How(wanted=wanted, from_start=asked["from_start"], wait=asked["wait"])
    duty, teller = RedirectDuty(current_project(), os.environ, how), TreeTeller(as_json=as_json)
    with Rounds(interval, attached=attached) as rounds:
        try:
            while True:
                code = duty.round(rounds, teller)
                if once:
                    return rounds.code or code
                if not rounds.rest():
                    return rounds.code
        finally:
            duty.end()


# Redirecting as a process does it: alone at each folder, round after round.


LOCK = "redirect.lock"
_AGAIN_SECONDS = 0.5


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
