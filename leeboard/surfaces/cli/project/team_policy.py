"""`leeboard team policy sign | publish | check | show`."""

from __future__ import annotations

import os

import click

from leeboard.app.settings_files import read_project
from leeboard.app.team.policy import PolicyTerms, PolicyView, checked, policy_view, published, read_document, signed
from leeboard.app.team.share import shared_project
from leeboard.app.team.ship import needed_team
from leeboard.app.team_files import policy_file
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.settings.team_policy import ALL
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, screen, words


@click.group(epilog="Example:  leeboard team policy show")
def policy() -> None:
    """A policy that the team publishes, signed: settings that only ever make the guard stricter.

    Whoever keeps the team's key writes the settings as in a leeboard.toml, signs them and publishes them. Members take
    what one of their `policy_keys` has signed; what would loosen does not count.
    """


@policy.command("sign", epilog="Example:  leeboard team policy sign p.toml --serial 1 --key ~/.ssh/team > p.signed")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--serial", type=click.IntRange(min=1), required=True, help="Higher than that of the policy before.")
@click.option(
    "--key", metavar="FILE", required=True, help="An Ed25519 key of ssh; a .pub file where an agent holds it."
)
@click.option("--project", metavar="NAME", default=ALL, help="The project it is for; without it, every one.")
@click.option(
    "--expires",
    metavar="DATE",
    default="",
    help="The last day on which it may be taken, by UTC, such as 2027-01-31; or a day with a time.",
)
@json_option
def sign_command(file: str, serial: int, key: str, *, project: str, expires: str, as_json: bool) -> None:
    """Print the settings in FILE as a signed policy.

    Only people may sign, in a terminal of their own. A policy that was taken holds on when its time is up.
    """
    require_person("team policy sign")
    document = signed(read_document(file), PolicyTerms(project=project, serial=serial, expires=expires), key)
    if as_json:
        print_json({"kind": "team_policy_document", "document": document})
    else:
        click.echo(document, nl=False)


@policy.command("publish", epilog="Example:  leeboard team policy publish p.signed")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@json_option
def publish_command(file: str, *, as_json: bool) -> None:
    """Put a signed policy into the team's database, for the projects it is for.

    Your role needs `--may publish`, and only people may publish, in a terminal of their own.
    """
    require_person("team policy publish")
    team = needed_team()
    found, names = published(read_document(file), team)
    if as_json:
        print_json({"kind": "team_policy_published", "serial": found.serial, "projects": list(names)})
    else:
        screen().print(words(f"published policy {found.serial} for {', '.join(names)}"))


@policy.command("check", epilog="Example:  leeboard team policy check p.signed")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@json_option
def check_command(file: str, *, as_json: bool) -> int:
    """Whether a signed policy is the team's, and what it would do here.

    Exit 1 where it is the team's and would not be taken, which is said: its time is up, it is for another project, or a
    newer one was taken. Exit 2 where it is not the team's.
    """
    found, not_taken = checked(read_document(file), needed_team())
    here = read_project(current_project(), os.environ)
    _show(policy_view(found, here.untightened or here.settings, not_taken=not_taken), as_json=as_json)
    return 1 if not_taken else 0


@policy.command("show", epilog="Example:  leeboard team policy show")
@json_option
def show_command(*, as_json: bool) -> None:
    """The policy that counts in this project, what it tightens, and what of it is ignored."""
    root = current_project()
    _team, name = shared_project(root)
    here = read_project(root, os.environ)
    if here.policy is None:
        raise ConfigError(
            f"no policy was taken for {name}: `leeboard team ship` asks the team, `team status` says more"
        )
    _show(policy_view(here.policy, here.untightened or here.settings, policy_file(name)), as_json=as_json)


def _show(view: PolicyView, *, as_json: bool) -> None:
    if as_json:
        print_view(view)
        return
    over = ": it is over, and holds on until a new one comes" if view.expired and not view.not_taken else ""
    expires = f"{view.expires}{over}"
    rows = [
        ("policy", f"serial {view.serial} for {'every project' if view.project == ALL else view.project}"),
        ("issued", view.issued),
        ("expires", expires if view.expires else "never"),
        ("tightens", ", ".join(view.tightens) or "nothing that is not so already"),
    ]
    rows += [("ignored", one) for one in view.ignored]
    if view.not_taken:
        rows.append(("not taken", view.not_taken))
    if view.place:
        rows.append(("kept in", view.place))
    fields(rows, screen())
