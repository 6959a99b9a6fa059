"""`leeboard hook`."""

from __future__ import annotations

import os
import sys

import click

from leeboard.clients import FIRST, client_named
from leeboard.errors import WireError
from leeboard.io.clock import now
from leeboard.surfaces import edge


@click.command(epilog="Example:  leeboard hook < payload.json")
def command() -> None:
    """Answer one hook payload from stdin, as the installed hook would.

    For debugging: it judges in this process and never asks the resident. What it prints is the JSON that Claude Code
    would get; nothing means that there is nothing to say, and where the payload is none of a hook, stderr says so. The
    exit code is always 0, since another would be taken for an answer. The event counts: it is recorded like any other,
    unless an agent's shell or a quality gate runs this. Then nothing it tells is believed, and the attempt is recorded.
    """
    payload = sys.stdin.buffer.read()
    answer = edge.answer(payload, os.environ)
    sys.stdout.buffer.write(answer)
    if answer and sys.stdout.isatty():
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
    if not answer and (why := _unread(payload)):
        click.echo(f"leeboard hook: {why}", err=True)


def _unread(payload: bytes) -> str:
    """Why nothing was judged, in words that hold nothing of the payload; empty where something was."""
    if not payload.strip():
        return "nothing came on stdin"
    try:
        call = client_named(os.environ.get("LEEBOARD_CLIENT", FIRST)).parse(payload, now())
    except WireError as error:
        return str(error)
    return "" if call.events else "the payload's hook_event_name is none that is judged"
