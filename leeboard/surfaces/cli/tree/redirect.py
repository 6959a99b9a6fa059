"""`leeboard redirect`."""

from __future__ import annotations

import os

import click

from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.tasks.monitor import Rounds
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option
from leeboard.surfaces.cli.tree.rounds import REDIRECT_SECONDS, How, RedirectDuty, TreeTeller


@click.command(epilog="Example:  leeboard redirect --once --no-create-followups")
@click.option(
    "--interval", type=click.FloatRange(0.1), default=REDIRECT_SECONDS, show_default=True, help="Seconds to wait."
)
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
