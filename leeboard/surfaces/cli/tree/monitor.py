"""`leeboard monitor`."""

from __future__ import annotations

import os

import click

from leeboard.app.tasks.monitor import Monitor, Rounds
from leeboard.app.work_contract import find_contract
from leeboard.errors import EffectError
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option
from leeboard.surfaces.cli.tree.rounds import MONITOR_SECONDS, TreeTeller, look


@click.command(epilog="Example:  leeboard monitor --interval 10        (beside `leeboard redirect`)")
@click.option(
    "--interval", type=click.FloatRange(1), default=MONITOR_SECONDS, show_default=True, help="Seconds between looks."
)
@click.option("--task", "task_id", default="", metavar="ID", help="Only this task; else all that are in progress.")
@click.option("--once", is_flag=True, help="Look once, and end.")
@click.option("--attached", is_flag=True, hidden=True, help="End when stdin does.")
@json_option
def command(*, interval: float, task_id: str, once: bool, attached: bool, as_json: bool) -> int:
    """Report drift of tasks in progress as events.

    Looks at the work tree as `leeboard check` does, for every task in progress, and adds a line to
    `.speedrift/events.jsonl` beside the tasks where score, kinds or tree changed, and every ten minutes where they did
    not. It changes neither tasks nor state: acting on the events is what `leeboard redirect` does.

    Exits 0 when it is terminated and 130 at Ctrl-C; with --once 0, or 5 when a task could not be looked at.
    """
    root = current_project()
    monitor, teller = Monitor(root, os.environ, task_id), TreeTeller(as_json=as_json)
    task = find_contract(root, os.environ, task_id).task if task_id else None
    if task is not None and not task.is_active:
        teller.note(f"{task_id} is {task.status}: it is only watched while it is in progress")
    with Rounds(interval, attached=attached) as rounds:
        while True:
            well = look(monitor, teller, rounds)
            if once:
                return rounds.code or (0 if well else EffectError.exit_code)
            if not rounds.rest():
                return rounds.code
