"""`leeboard resume`."""

from __future__ import annotations

import click

from leeboard.app.pause import end_pause
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words


@click.command(epilog="Example:  leeboard resume")
@json_option
@quiet_option
def command(*, as_json: bool, quiet: bool) -> None:
    """End a pause before its time: from the next hook on, what has to be said is said again.

    Anybody may do this, for it loosens nothing.
    """
    root = current_project()
    ended = end_pause(root)
    if as_json:
        print_json({"kind": "resume", "project": root, "was_paused": ended})
    elif not quiet:
        screen().print(words("the guard is on again" if ended else "the guard was not paused here"))
