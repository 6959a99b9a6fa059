"""`leeboard purge`."""

from __future__ import annotations

import click

from leeboard.app.allowances import parse_span
from leeboard.app.archive import known_archive
from leeboard.app.project_data import forgotten
from leeboard.app.safety_net.copies import forget_older
from leeboard.app.team.share import have_team_forget, shared_project
from leeboard.io.clock import iso, now
from leeboard.io.places import current_project
from leeboard.store.word_index import throw_away
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words
from leeboard.text.words import counted


@click.command(epilog="Example:  leeboard purge --older-than 30d")
@click.option("--older-than", "age", metavar="SPAN", help="How old: 90m, 12h, 30d, 8w; in every project.")
@click.option("--project", "whole", is_flag=True, help="All that is kept about this project, however new.")
@click.option("--team", is_flag=True, help="With --project: also what the team's database has of it from you.")
@json_option
@quiet_option
def command(age: str | None, *, whole: bool, team: bool, as_json: bool, quiet: bool) -> None:
    """Forget old sessions, or everything about this project.

    With --older-than sessions without a sign of life for so long go, with their steps, verdicts, corrections and
    receipts, allowances that have run out, and copies of your files. With --project every row about this project goes
    from the database in your state directory, with the files beside it, a pause, the copies of your files and the index
    of its code; `leeboard export` gives it all out first. What you have trusted there stays, and so does what
    `uninstall` gives back. With --team the rows that your role has in the team's database go too, as soon as it can be
    reached: `leeboard team ship` does it now; what others have of the project there is the administrator's, with
    `leeboard team sql --forget`. There is no way back. Only people may do this, in a terminal of their own.
    """
    if whole == bool(age) or (team and not whole):
        raise click.UsageError("say what is to be forgotten: --older-than SPAN, or --project, with --team or without")
    before = now() - parse_span(age) if age else 0.0
    require_person("purge")
    if whole:
        _forget_project(team=team, as_json=as_json, quiet=quiet)
        return
    with known_archive() as store:
        gone = store.purge(before)
        throw_away()
    copies = forget_older(before)
    if as_json:
        print_json({"kind": "purge", "before": iso(before), "sessions": gone, "copies": copies})
    elif not quiet:
        also = f" and {copies} of the copies of files" if copies else ""
        screen().print(words(f"forgot {counted(gone, 'session')}{also} from before {iso(before)}"))


def _forget_project(*, team: bool, as_json: bool, quiet: bool) -> None:
    root = current_project()
    if team:
        shared_project(root)
    with known_archive() as store:
        rows, files = forgotten(root, store)
        name = have_team_forget(store, root) if team else ""
    if as_json:
        told = {"team": name} if team else {}
        print_json({"kind": "purge", "project": root, "rows": rows, "files": files, **told})
    elif not quiet:
        screen().print(words(f"forgot {counted(rows, 'row')} and {counted(files, 'file')} about {root}"))
        if team:
            screen().print(words(f"your rows of {name} in the team's database go in the background, or by `team ship`"))
