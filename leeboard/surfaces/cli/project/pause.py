"""`leeboard pause`."""

from __future__ import annotations

import getpass

import click

from leeboard.app.allowances import parse_span
from leeboard.app.pause import Pause, begin_pause
from leeboard.errors import ConfigError
from leeboard.io.clock import iso, now
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words


@click.command(epilog='Example:  leeboard pause --reason "bulk rename, I review it myself" --for 30m')
@click.option("--reason", required=True, metavar="WHY", help="Why; shown wherever Leeboard is asked meanwhile.")
@click.option("--for", "span", metavar="SPAN", help="How long: 30m, 2h, 1d. Without it, until `leeboard resume`.")
@json_option
@quiet_option
def command(reason: str, span: str | None, *, as_json: bool, quiet: bool) -> None:
    """Let agents work in this project without a word or a refusal for a while.

    Everything is still recorded, and `status`, the status line, the page, every command and the start of each session
    say that it is paused and why, until it ends. Only people may do this, in a terminal of their own.
    """
    if not reason.strip():
        raise ConfigError("--reason says nothing; give the reason that everybody will be shown")
    began = now()
    until = began + parse_span(span) if span else 0.0
    require_person("pause")
    pause = Pause(root=current_project(), reason=" ".join(reason.split()), since=began, until=until, by=_name())
    begin_pause(pause)
    if as_json:
        end = iso(until) if until else None
        print_json({"kind": "pause", "project": pause.root, "reason": pause.reason, "until": end})
    elif not quiet:
        screen().print(words(pause.words))


def _name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
