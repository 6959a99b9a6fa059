"""`leeboard export`."""

from __future__ import annotations

import click

from leeboard.app.archive import known_archive
from leeboard.app.project_data import exported
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json


@click.command(epilog="Example:  leeboard export > project.jsonl")
@json_option
def command(*, as_json: bool) -> None:  # noqa: ARG001 - it speaks JSON in any case
    """Print all that is kept about this project outside of it, a JSON object on each line.

    One object for each row of the database in your state directory, with the name of its table, one for each file
    beside it, and one for each copy of a file of yours that was in no commit. Secrets are in none of them: texts are
    redacted before they are stored, and files with a secret are not copied. `leeboard purge --project` forgets what
    this prints.
    """
    with known_archive() as store:
        for each in exported(current_project(), store):
            print_json(each)
