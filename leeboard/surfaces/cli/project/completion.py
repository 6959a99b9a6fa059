"""`leeboard completion SHELL`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_LEEBOARD_COMPLETE"
"""Where click looks for what a shell asks."""


@click.command(epilog="Example:  echo 'eval \"$(leeboard completion bash)\"' >> ~/.bashrc")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL complete our commands and options."""
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 - click knows the three
    root = ctx.find_root()
    complete = made(root.command, {}, "leeboard", _VARIABLE)
    click.echo(complete.source_template % complete.source_vars())
