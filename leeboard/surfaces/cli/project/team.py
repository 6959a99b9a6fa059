"""`leeboard team status | ship | sql | policy`."""

from __future__ import annotations

import click

from leeboard.app.team.ship import TeamBack, TeamStatus, needed_team, ship, status
from leeboard.store.team.migrations import RIGHTS, forget_sql, member_sql, team_sql
from leeboard.surfaces.cli.project.team_policy import policy
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, quiet_option, say, screen, words
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
        (
            "waiting",
            counted(found.waiting, "row") if found.begun else "all that is recorded so far: `team ship` begins",
        ),
        ("copied", counted(found.shipped, "row") + (f", the last at {found.last}" if found.last else "")),
    ]
    rows += [("back", _back(one)) for one in found.back] if found.refreshed else []
    rows += [("settings", fault) for fault in found.faults]
    if found.policy_note:
        rows.append(("policy", f"not taken: {found.policy_note}"))
    if found.refused:
        rows.append(("refused", f"{found.refused}: {_MAY_NOT}"))
    if found.trouble:
        rows.append(("failed", found.trouble))
    elif found.failures:
        rows.append(("failed", f"{counted(found.failures, 'time')}; next try at {found.next_try}: {found.error}"))
    return rows


def _back(one: TeamBack) -> str:
    policy = f"policy {one.policy}" if one.policy else "no policy"
    return f"{one.project}: {counted(one.allowances, 'allowance')}, {counted(one.steps, 'step')} of others, {policy}"


@command.command("ship", epilog="Example:  leeboard team ship")
@click.option("--again", is_flag=True, help="Everything, also what was copied before: after a restore of the database.")
@json_option
@quiet_option
def ship_command(*, again: bool, as_json: bool, quiet: bool) -> None:
    """Copy now all that waits, and take in what the team gives back, instead of in the background."""
    done = ship(needed_team(), again=again)
    if as_json:
        told = {"copied": done.copied, "refused": list(done.refused), "forgotten": list(done.forgotten)}
        print_json({"kind": "team_ship", **told})
        return
    if done.refused:
        say(f"not shared: {', '.join(done.refused)}: {_MAY_NOT}")
    if quiet:
        return
    for name in done.forgotten:
        screen().print(words(f"the team's database forgot what it had of {name} from you"))
    if done.copied or not (done.refused or done.forgotten):
        screen().print(words(f"copied {counted(done.copied, 'row')} to the team's database"))


_MAY_NOT = "your role may not share allowances, see `leeboard team sql --may`"


@command.command("sql", epilog='Example:  leeboard team sql | psql "$ADMIN_URL"')
@click.option("--role", metavar="ROLE", help="What lets this role in, instead of the tables; needs --project.")
@click.option("--project", metavar="NAME", help="The project that the role has a part in.")
@click.option("--may", type=click.Choice(RIGHTS), multiple=True, help="What the role may do beside sharing records.")
@click.option("--forget", is_flag=True, help="What forgets the project, the role, or what the one has in the other.")
@json_option
def sql_command(role: str | None, project: str | None, may: tuple[str, ...], *, forget: bool, as_json: bool) -> None:
    """Print the SQL that the administrator of the database runs: its tables, roles and row-level security.

    It can be run again after an update, and changes nothing that is there already. Leeboard itself never makes or
    changes a table there: the roles that members connect as own nothing. With --role and --project it lets a role in,
    with the rights that --may names and no other; with --forget it deletes what was recorded.
    """
    if forget:
        if not (project or role) or may:
            raise click.UsageError("--forget goes with --project, with --role, or with both")
        text = forget_sql(project or "", role or "")
    elif bool(role) != bool(project) or (may and not role):
        raise click.UsageError("--role and --project go together, --may with both")
    else:
        text = member_sql(role, project, may) if role and project else team_sql()
    if as_json:
        print_json({"kind": "team_sql", "sql": text})
    else:
        click.echo(text, nl=False)


command.add_command(policy)
