"""`leeboard run`."""

from __future__ import annotations

import json
import os

import click

from leeboard.surfaces.cli.screen import printable, quiet_option, say


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="Example:  leeboard run -- claude -p 'Fix the login bug'",
)
@click.option("--plain", is_flag=True, help="Only forward: nothing is judged, held or added.")
@click.option("--json", "as_json", is_flag=True, help="Say what there is to say on stderr as JSON, one object a line.")
@quiet_option
@click.argument("client", nargs=-1, required=True, type=click.UNPROCESSED, metavar="CLIENT [ARGUMENTS]...")
def command(client: tuple[str, ...], *, plain: bool, as_json: bool, quiet: bool) -> int:
    """Run a coding agent behind the proxy: every action is judged before the client ever sees it.

    Claude Code, Codex and opencode are told where the proxy is for this run alone: no settings file is written, and
    nothing is left when the client ends. Credentials pass through untouched. Should the proxy die, it is started again
    on the same port, and you are told so. The exit code is the client's.
    """
    from leeboard.surfaces.proxy.launch.known_clients import plan_launch  # noqa: PLC0415 - the proxy's modules cost their import
    from leeboard.surfaces.proxy.supervise import LaterSayer, Supervisor  # noqa: PLC0415 - as above

    speak = _say_json if as_json else say
    told, cwd = LaterSayer(speak), os.getcwd()  # noqa: PTH109 - as the client will see it
    try:
        with Supervisor(cwd, told, plain=plain) as supervisor:
            launch = plan_launch(client, os.environ, cwd, supervisor.address)
            for note in () if quiet else launch.notes:
                speak(note)
            return supervisor.run(launch.words, {**os.environ, **launch.env})
    finally:
        told.end()


def _say_json(text: str) -> None:
    """Stdout is the client's."""
    click.echo(json.dumps({"leeboard": printable(text)}), err=True)
