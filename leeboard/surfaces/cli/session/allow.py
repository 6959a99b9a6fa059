"""`leeboard allow`."""

from __future__ import annotations

from typing import Any

import click

from leeboard.app.allowances import commit_allowances, revoke_committed
from leeboard.app.archive import opened_archive
from leeboard.app.person.allowance import allowances_for, for_project, secrets_named
from leeboard.app.person.known_id import why_unknown
from leeboard.app.team.share import revoke_here, share_with_team
from leeboard.app.views.session import AllowanceView, allowance_view, allowed_here
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.model.contract import Allowance
from leeboard.settings.decisions import ALLOWED
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.person import require_no_agent, require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, say, screen, table, words
from leeboard.surfaces.cli.session_view import described, how_long


@click.command(epilog="Example:  leeboard allow scope_drift --path 'docs/**' --reason 'docs ride along' --until 3d")
@click.argument("what", metavar="RULE|ID", default="")
@click.option("--path", "glob", default="", help="Only for paths that this glob matches.")
@click.option("--reason", default="", help="Why it may stand; kept with it.")
@click.option("--until", default="", help="2h, 3d or a date; without it, for good.")
@click.option("--project", is_flag=True, help="For everybody: in a file that is committed and reviewed like code.")
@click.option("--team", is_flag=True, help="For everybody in the team: told to its database, where your role may.")
@click.option("--list", "listing", is_flag=True, help="Show what is allowed in this project.")
@click.option("--revoke", metavar="ID", default="", help="Revoke an allowance.")
@json_option
def command(what: str, *, listing: bool, revoke: str, as_json: bool, **terms: Any) -> None:
    """Let a finding stand, with a reason and an end.

    RULE is a rule's name or code, for the whole project or with --path for a part of it. ID is a verdict, correction or
    finding from `leeboard report`, or a finding as rule:subject: then exactly that may stand. By the id of a refusal or
    a correction, what the agent did may stand in that session alone: in another one your limits and the goal hold as
    you state them there, and a limit that you state again ends it. A secret is let pass by its id alone, for that one
    value in that one file. What keeps agents from loosening their own guard (self_allowance) is let pass for one file
    that --path names, and for no command. Only people may do this, in a terminal of their own: inside an agent, a
    quality gate or a script it refuses. What others in the team have shared is listed with their names; --revoke of it
    counts on this machine alone.
    """
    root = current_project()
    project, team = bool(terms.pop("project")), bool(terms.pop("team"))
    if listing:
        _list(root, as_json=as_json)
        return
    (require_no_agent if revoke else require_person)("allow")
    with opened_archive() as store:
        if revoke:
            _revoke(store, root, revoke, as_json=as_json)
            return
        if not what or (project and team):
            raise ConfigError("say what may stand: a rule or an id, with --project or --team or neither; see --help")
        made = allowances_for(store, root, what, terms)
        made = for_project(made) if project or team else made
        _keep(store, root, made, project=project, team=team)
        named = secrets_named(store, root, what)
        for allowance in made:
            _tell(allowance, named.get(allowance.fingerprint, ""), as_json=as_json)
        if ":" in what and (unknown := why_unknown(store, root, made[0].fingerprint)):
            say(f"{unknown}. It is kept, and lets nothing stand that is there now")
    if (project or team) and not as_json:
        screen().print(words(f"  in {ALLOWED}: have it reviewed, and commit it" if project else _IN_BACKGROUND))


_IN_BACKGROUND = "  the team is told in the background; `leeboard team ship` does it now"


def _keep(store: SqliteStore, root: str, made: tuple[Allowance, ...], *, project: bool, team: bool) -> None:
    if project:
        commit_allowances(root, made)
        return
    if team:
        share_with_team(store, root, made)
    for allowance in made:
        store.allow(allowance, root)


def _revoke(store: SqliteStore, root: str, allowance_id: str, *, as_json: bool) -> None:
    if not revoke_here(store, allowance_id) and not revoke_committed(root, allowance_id):
        raise ConfigError(f"there is no allowance {allowance_id!r}; `leeboard allow --list` shows them")
    if as_json:
        print_json({"kind": "revoked", "id": allowance_id})
    else:
        screen().print(words(f"revoked: {allowance_id}"))


def _tell(allowance: Allowance, secret: str, *, as_json: bool) -> None:
    view = allowance_view(allowance)
    if as_json:
        print_view(view)
        return
    line = words("allowed ", (described(view), "bold"), f", {how_long(view)}")
    screen().print(line, words((f"  (`leeboard allow --revoke {view.id}` takes it back)", "dim")), sep="")
    if secret:
        screen().print(words(f"  {secret}"))


_TOLD = {"shared": "shared with the team", "waits": "for the team, not told yet", "refused": "not let share"}


def _origin(one: AllowanceView) -> str:
    return f"{one.origin}, {_TOLD[one.team]}" if one.team else one.origin


def _list(root: str, *, as_json: bool) -> None:
    known = allowed_here(root)
    if as_json:
        for view in known:
            print_view(view)
    elif not known:
        screen().print(words("nothing is allowed in this project beyond its goal"))
    else:
        rows = [(one.id, described(one), how_long(one), one.by, _origin(one), one.reason) for one in known]
        table(("ID", "WHAT MAY STAND", "HOW LONG", "BY", "FROM", "REASON"), rows, screen())
