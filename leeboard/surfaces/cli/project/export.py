"""`leeboard export`."""

from __future__ import annotations

import os

import click

from leeboard.app.archive import known_archive
from leeboard.app.install.hook_files import short_path
from leeboard.app.project_data import all_projects, exported, exported_of_person
from leeboard.app.session_files import client_folders, find_sources
from leeboard.app.team.share import exported_from_team
from leeboard.errors import EffectError
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json, say


@click.command(epilog="Example:  leeboard export > project.jsonl")
@click.argument("sessions", nargs=-1)
@click.option("--all", "every", is_flag=True, help="About you: of every project, not of this one alone.")
@click.option("--team", is_flag=True, help="What the team's database has of this project from you, instead.")
@click.option("--everybody", is_flag=True, help="With --team: from all its members.")
@click.option("--attribution", is_flag=True, help="Print which lines agents wrote instead, as an Agent Trace record.")
@json_option
def command(sessions: tuple[str, ...], *, every: bool, team: bool, everybody: bool, **other: bool) -> None:
    """Print all that is kept about this project outside of it, a JSON object on each line.

    One object for each row of the database in your state directory, with the name of its table, one for each file
    beside it, and one for each copy of a file of yours that was in no commit. Secrets are in none of them: texts are
    redacted before they are stored, and files with a secret are not copied. `leeboard purge --project` forgets what
    this prints. With --team it is what the team's database has, which `leeboard purge --project --team` forgets. With
    --all it is that of every project, which is all there is about you, and `leeboard purge --all` forgets it.

    With --attribution it prints which lines of the last commit agents wrote, and under which goal. SESSIONS are session
    files or folders to read that from; without any, all that the clients here have kept.
    """
    attribution = other["attribution"]
    if everybody and (every or not team):
        raise click.UsageError("--everybody goes with --team, and for one project")
    if attribution and (team or every):
        raise click.UsageError("--attribution goes with neither --team nor --all")
    if sessions and not attribution:
        raise click.UsageError("session files are read with --attribution alone")
    if attribution:
        _print_attribution(sessions)
        return
    if team:
        for each in exported_from_team("" if every else current_project(), everybody=everybody):
            print_json(each)
        return
    with known_archive() as store:
        roots = all_projects(store) if every else (current_project(),)
        for root in roots:
            for each in exported(root, store):
                print_json(each)
        for each in exported_of_person(roots, store) if every else ():
            print_json(each)


def _print_attribution(sessions: tuple[str, ...]) -> None:
    from leeboard.app.attribution import attribution as attributed  # noqa: PLC0415 - only for who asks for it

    root, places = current_project(), sessions or client_folders(os.environ)
    found = attributed(root, find_sources(places))
    for note in found.notes:
        say(note)
    looked = ", ".join(map(short_path, places)) or "no folder: no client has kept a session here"
    if sessions and found.notes and not found.sessions:
        raise EffectError(f"no session could be read, looked for in {looked}")
    if not found.sessions:
        say(f"no session of {short_path(root)} was found; looked in {looked}")
    print_json(found.record)
