"""`leeboard purge`."""

from __future__ import annotations

import click

from leeboard.app.allowances import parse_span
from leeboard.app.archive import known_archive
from leeboard.app.project_data import all_projects, forgotten, forgotten_of_person
from leeboard.app.safety_net.copies import forget_older
from leeboard.app.team.share import have_team_forget, have_team_forget_me, shared_project
from leeboard.app.team.ship import needed_team
from leeboard.io.clock import iso, now
from leeboard.io.places import current_project
from leeboard.store.word_index import throw_away
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words
from leeboard.text.words import counted


@click.command(epilog="Example:  leeboard purge --older-than 30d")
@click.option("--older-than", "age", metavar="SPAN", help="How old: 90m, 12h, 30d, 8w; in every project.")
@click.option("--project", "whole", is_flag=True, help="All that is kept about this project, however new.")
@click.option("--all", "every", is_flag=True, help="All that is kept about you: about every project.")
@click.option("--team", is_flag=True, help="With --project or --all: also what the team's database has from you.")
@json_option
@quiet_option
def command(age: str | None, *, whole: bool, every: bool, team: bool, **shown: bool) -> None:
    """Forget old sessions, everything about this project, or everything about you.

    With --older-than sessions without a sign of life for so long go, with their steps, verdicts, corrections and
    receipts, allowances that have run out, and copies of your files. With --project every row about this project goes
    from the database in your state directory, with the files beside it, a pause, the copies of your files and the index
    of its code; `leeboard export` gives it all out first. What you have trusted there stays, and so does what
    `uninstall` gives back, and the port that hooks are posted to while they are. With --all the same goes of every
    project, with what was kept of `backtest`, reports of faults and hooks that went unanswered. With --team the rows
    that your role has in the team's database go too, as soon as it can be reached: `leeboard team ship` does it now;
    what others have there is the administrator's, with `leeboard team sql --forget`. There is no way back. Only people
    may do this, in a terminal of their own.
    """
    if sum((whole, every, bool(age))) != 1 or (team and age):
        raise click.UsageError(
            "say what is to be forgotten: --older-than SPAN, --project or --all, these with --team too"
        )
    before = now() - parse_span(age) if age else 0.0
    as_json, quiet = shown["as_json"], shown["quiet"]
    require_person("purge")
    if not age:
        _forget("" if every else current_project(), team=team, as_json=as_json, quiet=quiet)
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


def _forget(root: str, *, team: bool, as_json: bool, quiet: bool) -> None:
    """A project, or every one of them."""
    if team:
        shared_project(root) if root else needed_team()
    with known_archive() as store:
        places = (root,) if root else all_projects(store)
        counts = [*(forgotten(place, store) for place in places), *(() if root else ((0, forgotten_of_person()),))]
        names = (have_team_forget(store, root),) if team and root else have_team_forget_me(store) if team else ()
    rows, files = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    if as_json:
        what = {"project": root} if root else {"projects": list(places)}
        told = {"team": names[0] if root else list(names)} if team else {}
        print_json({"kind": "purge", **what, "rows": rows, "files": files, **told})
    elif not quiet:
        of = root or counted(len(places), "project")
        screen().print(words(f"forgot {counted(rows, 'row')} and {counted(files, 'file')} about {of}"))
        for name in names:
            screen().print(words(f"your rows of {name} in the team's database go in the background, or by `team ship`"))
