"""`leeboard purge`."""

from __future__ import annotations

import click

from leeboard.app.allowances import parse_span
from leeboard.app.archive import known_archive
from leeboard.io.clock import iso, now
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words
from leeboard.text.words import counted


@click.command(epilog="Example:  leeboard purge --older-than 30d")
@click.option("--older-than", "age", required=True, metavar="SPAN", help="How old: 90m, 12h, 30d, 8w.")
@json_option
@quiet_option
def command(age: str, *, as_json: bool, quiet: bool) -> None:
    """Forget sessions without a sign of life for so long, and all that belongs to them.

    Their steps, verdicts, corrections and receipts go from the database in your state directory, and allowances that
    have run out. There is no way back. Only people may do this, in a terminal of their own.
    """
    before = now() - parse_span(age)
    require_person("purge")
    with known_archive() as store:
        forgotten = store.purge(before)
    if as_json:
        print_json({"kind": "purge", "before": iso(before), "sessions": forgotten})
    elif not quiet:
        screen().print(words(f"forgot {counted(forgotten, 'session')} from before {iso(before)}"))
