"""`leeboard completion SHELL`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from leeboard.surfaces.cli.screen import json_option, print_json

_VARIABLE = "_LEEBOARD_COMPLETE"
"""Where click looks for what a shell asks."""


@click.command(epilog="Example:  leeboard completion fish > ~/.config/fish/completions/leeboard.fish")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def command(ctx: click.Context, shell: str, *, as_json: bool) -> None:
    """Print what makes SHELL complete our commands and options."""
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 - click knows the three
    root = ctx.find_root()
    complete = made(root.command, {}, "leeboard", _VARIABLE)
    script = complete.source_template % complete.source_vars()
    if as_json:
        print_json({"kind": "completion", "shell": shell, "script": script})
    else:
        click.echo(script)
