"""`leeboard export`."""

from __future__ import annotations

import click

from leeboard.app.archive import known_archive
from leeboard.app.project_data import exported
from leeboard.app.team.share import exported_from_team
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json


@click.command(epilog="Example:  leeboard export > project.jsonl")
@click.option("--team", is_flag=True, help="What the team's database has of this project from you, instead.")
@click.option("--everybody", is_flag=True, help="With --team: from all its members.")
@json_option
def command(*, team: bool, everybody: bool, as_json: bool) -> None:  # noqa: ARG001 - it speaks JSON in any case
    """Print all that is kept about this project outside of it, a JSON object on each line.

    One object for each row of the database in your state directory, with the name of its table, one for each file
    beside it, and one for each copy of a file of yours that was in no commit. Secrets are in none of them: texts are
    redacted before they are stored, and files with a secret are not copied. `leeboard purge --project` forgets what
    this prints. With --team it is what the team's database has, which `leeboard purge --project --team` forgets.
    """
    if everybody and not team:
        raise click.UsageError("--everybody goes with --team")
    if team:
        for each in exported_from_team(current_project(), everybody=everybody):
            print_json(each)
        return
    with known_archive() as store:
        for each in exported(current_project(), store):
            print_json(each)
