"""`leeboard hook`."""

from __future__ import annotations

import os
import sys

import click

from leeboard.surfaces import edge


@click.command(epilog="Example:  leeboard hook < payload.json")
def command() -> None:
    """Answer one hook payload from stdin, as the installed hook would.

    For debugging: it judges in this process and never asks the resident. What it prints is the JSON that Claude Code
    would get; nothing means that there is nothing to say. The exit code is always 0, since another would be taken for
    an answer. The event counts: it is recorded like any other.
    """
    answer = edge.answer(sys.stdin.buffer.read(), os.environ)
    sys.stdout.buffer.write(answer)
    if answer and sys.stdout.isatty():
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
