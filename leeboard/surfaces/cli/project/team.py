"""`leeboard team status | ship | sql`."""

from __future__ import annotations

import click

from leeboard.app.team.ship import TeamStatus, needed_team, ship, status
from leeboard.store.team.migrations import member_sql, team_sql
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, quiet_option, screen, words
from leeboard.text.words import counted


@click.group(epilog="Example:  leeboard team status")
def command() -> None:
    """Copy what is recorded into a PostgreSQL database that a team shares.

    It is configured in your own settings: [team] with a url, and [team.projects] with the projects that are copied.
    Everything is recorded on this machine first, and nothing waits for the database: a background process copies what
    is new, and tries again later where it can not be reached.
    """


@command.command("status", epilog="Example:  leeboard team status --json")
@json_option
def status_command(*, as_json: bool) -> None:
    """What waits to be copied, what was, and what went wrong last."""
    found = status(needed_team())
    if as_json:
        print_view(found)
    else:
        fields(_rows(found), screen())


def _rows(found: TeamStatus) -> list[tuple[str, str]]:
    copied = ", ".join(f"{name} ({root})" for name, root in found.projects.items())
    rows = [
        ("database", found.url),
        ("projects", copied or "none: name them in [team.projects], and they are copied"),
        ("waiting", counted(found.waiting, "row")),
        ("copied", counted(found.shipped, "row") + (f", the last at {found.last}" if found.last else "")),
    ]
    if found.trouble:
        rows.append(("failed", found.trouble))
    elif found.failures:
        rows.append(("failed", f"{counted(found.failures, 'time')}; next try at {found.next_try}: {found.error}"))
    return rows


@command.command("ship", epilog="Example:  leeboard team ship")
@click.option("--again", is_flag=True, help="Everything, also what was copied before: after a restore of the database.")
@json_option
@quiet_option
def ship_command(*, again: bool, as_json: bool, quiet: bool) -> None:
    """Copy now all that waits, instead of in the background."""
    count = ship(needed_team(), again=again)
    if as_json:
        print_json({"kind": "team_ship", "copied": count})
    elif not quiet:
        screen().print(words(f"copied {counted(count, 'row')} to the team's database"))


@command.command("sql", epilog='Example:  leeboard team sql | psql "$ADMIN_URL"')
@click.option("--role", metavar="ROLE", help="What lets this role in, instead of the tables; needs --project.")
@click.option("--project", metavar="NAME", help="The project that the role has a part in.")
@json_option
def sql_command(role: str | None, project: str | None, *, as_json: bool) -> None:
    """Print the SQL that the administrator of the database runs: its tables, roles and row-level security.

    It can be run again after an update, and changes nothing that is there already. Leeboard itself never makes or
    changes a table there: the roles that members connect as own nothing.
    """
    if bool(role) != bool(project):
        raise click.UsageError("--role and --project go together")
    text = member_sql(role, project) if role and project else team_sql()
    if as_json:
        print_json({"kind": "team_sql", "sql": text})
    else:
        click.echo(text, nl=False)
