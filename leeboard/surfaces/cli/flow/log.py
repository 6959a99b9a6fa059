"""`leeboard flow log`: what happened to an intent, by whom, and when."""

from __future__ import annotations

import click
from msgspec import to_builtins

from leeboard.app.views.plan_log import ENTRIES, plan_log
from leeboard.surfaces.cli.flow.place import CurrentFlow, intent_option
from leeboard.surfaces.cli.screen import json_option, print_json, print_wrapped, screen, words


@click.command("log", epilog='Example:  leeboard flow log --json | jq -r \'.at + " " + .who + " " + .what\'')
@click.option("--skip", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the newest N entries.")
@intent_option
@json_option
def log(slug: str, skip: int, *, as_json: bool) -> None:
    """What happened, newest first: visits of stages, decisions, hats, findings, answers, files people brought.

    Shows two hundred entries at once; --skip goes on.
    """
    flow = CurrentFlow(slug)
    found = plan_log(flow.engine, flow.look(), skip)
    if as_json:
        for entry in found.entries:
            print_json(to_builtins(entry))
        return
    console = screen()
    width = max((len(entry.who) for entry in found.entries), default=0)
    for entry in found.entries:
        head = words((f"{entry.at}  ", "dim"), f"{entry.who:<{width}}  ")
        print_wrapped(head, words(entry.what, (f": {entry.text}" if entry.text else "", "dim")), console)
    if found.older:
        console.print(words((f"{found.older} older entries: --skip {skip + ENTRIES} shows the next", "yellow")))
