"""`leeboard statusline`."""

from __future__ import annotations

import sys

import click
import msgspec

from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json, printable
from leeboard.surfaces.status_line import MOST_BYTES, environment, line, told


@click.command(epilog="Example:  leeboard statusline < status.json")
@json_option
def command(*, as_json: bool) -> None:
    """One short line for the status line of Claude Code: is the guard alive here, and what does it think?

    Reads the client's status JSON on stdin; without any it is about this project. It shows when a hook of the session
    was last heard, the mode, the last score, how much was said and what waits to be said. It never waits and never
    fails: where nothing is known it says so. `leeboard init --statusline` puts the fast form of it into the settings.
    """
    payload = "" if sys.stdin.isatty() else sys.stdin.buffer.read(MOST_BYTES).decode("utf-8", "replace")
    here = msgspec.json.encode({"cwd": current_project()}).decode()
    found = told(payload.strip() or here, environment())
    if as_json:
        print_json({"kind": "statusline", **found})
    else:
        click.echo(printable(line(found)))
