"""`leeboard steer-tree`."""

from __future__ import annotations

import os

import click

from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.tasks.monitor import Monitor, Rounds
from leeboard.app.work_contract import find_contract
from leeboard.errors import EffectError
from leeboard.io.places import current_project
from leeboard.io.process import PIPE, Process, Streams, end, known_signals, our_python, start, wait
from leeboard.surfaces.cli.screen import json_option
from leeboard.surfaces.cli.tree.rounds import MONITOR_SECONDS, REDIRECT_SECONDS, How, RedirectDuty, TreeTeller, look

_LOOK_SECONDS = 60.0
_GRACE_SECONDS = 10.0
_OF_SIGNALS = 128
_RUN = "from leeboard.__main__ import main; main()"


@click.command(epilog="Example:  leeboard steer-tree --watch        (until Ctrl-C)")
@click.option("--watch", is_flag=True, help="Go on until Ctrl-C; else once.")
@click.option("--task", "task_id", default="", metavar="ID", help="Look at this task alone.")
@click.option(
    "--interval",
    type=click.FloatRange(1),
    default=MONITOR_SECONDS,
    show_default=True,
    help="Seconds between looks.",
)
@click.option(
    "--redirect-interval",
    type=click.FloatRange(0.1),
    default=REDIRECT_SECONDS,
    show_default=True,
    help="Seconds until an event is acted on.",
)
@click.option("--write-log/--no-write-log", default=True, help="Write onto the task when score or kinds changed.")
@click.option("--create-followups/--no-create-followups", default=True, help="Make the tasks the drift calls for.")
@json_option
def command(*, watch: bool, task_id: str, interval: float, redirect_interval: float, **asked: bool) -> int:
    """Monitor and redirect together.

    Looks at every task in progress and acts on what is found: one round of `leeboard monitor` and one of `leeboard
    redirect`. With --watch both run beside each other as processes of their own; when one ends the other is ended too.

    Exits 0, or 5 when something could not be looked at or done; with --watch as the first of the two that ended, and
    130 at Ctrl-C.
    """
    if task_id:
        find_contract(current_project(), os.environ, task_id)
    if not watch:
        return _once(task_id, asked)
    also = ["--json"] if asked["as_json"] else []
    looks = ["monitor", f"--interval={interval}", *([f"--task={task_id}"] if task_id else []), *also]
    acts = ["redirect", f"--interval={redirect_interval}", "--wait", *also]
    acts += [f"--no-{name.replace('_', '-')}" for name in ("write_log", "create_followups") if not asked[name]]
    with Rounds(_LOOK_SECONDS, wakes=known_signals("SIGCHLD")) as rounds:
        children = [_started(looks), _started(acts)]
        try:
            return _watched(children, rounds)
        finally:
            _end(children)


def _once(task_id: str, asked: dict[str, bool]) -> int:
    teller = TreeTeller(as_json=asked["as_json"])
    wanted = Wanted(log=asked["write_log"], followups=asked["create_followups"])
    duty = RedirectDuty(current_project(), os.environ, How(wanted=wanted))
    with Rounds(0.0) as rounds:
        try:
            well = look(Monitor(current_project(), os.environ, task_id), teller, rounds)
            code = 0 if rounds.is_over else duty.round(rounds, teller)
        finally:
            duty.end()
    return rounds.code or code or (0 if well else EffectError.exit_code)


def _started(words: list[str]) -> Process:
    """A child that ends with us, however we end: it hears that its stdin is closed."""
    return start(our_python(_RUN, *words, "--attached"), os.getcwd(), os.environ, Streams(PIPE, None, None))  # noqa: PTH109 - a text


def _watched(children: list[Process], rounds: Rounds) -> int:
    """The code of the first that ended, or of the signal that ended us."""
    while not rounds.is_over:
        ended = next((child for child in children if child.poll() is not None), None)
        if ended is not None:
            return ended.returncode if ended.returncode >= 0 else _OF_SIGNALS - ended.returncode
        rounds.rest()
    return rounds.code


def _end(children: list[Process]) -> None:
    for child in children:
        child.terminate()
    for child in children:
        wait(child, _GRACE_SECONDS)
        end(child)
