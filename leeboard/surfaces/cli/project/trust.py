"""`leeboard trust`."""

from __future__ import annotations

import os
import sys

import click

from leeboard.app.actors import actors, known_here
from leeboard.errors import ConfigError
from leeboard.model.trust import asleep
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words
from leeboard.surfaces.cli.trust_view import actor_object, show_actors, tell_loosening, tell_unread
from leeboard.text.words import counted
from leeboard.trust import record
from leeboard.trust.record import release

ASLEEP = 1


@click.group(invoke_without_command=True, epilog="Example:  leeboard trust show --json")
@click.option("--yes", is_flag=True, help="Do not ask: you looked at `leeboard trust show`.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, yes: bool, as_json: bool) -> int | None:
    """Trust what this repository brings: show it, and ask.

    Plans with the commands of their quality gates, studios, acceptance commands and settings that loosen the guard came
    with the repository, so they sleep until you let them act. Shown is exactly what would run, loosen or be told to
    agents; where something changed since you trusted it, the difference. It holds for this repository with all its work
    trees, and for these very contents. Sessions that run here take over the settings as they are now, looser ones too.
    Only people may do this.

    Exits 0 when everything is trusted, 1 when something still sleeps, 2 for wrong use.
    """
    if ctx.invoked_subcommand is not None:
        if as_json or yes:
            ctx.fail(f"write options behind {ctx.invoked_subcommand}")
        return None
    require_person("trust")
    root = here()
    every = actors(root, os.environ)
    known = known_here(root, every)
    wanted = asleep(every, known.record)
    if known.problem:
        click.echo(f"leeboard: {record.escaped(known.problem)}", err=True)
    if as_json:
        done = bool(wanted) and yes
        if done:
            record.grant(root, wanted, record.PERSON)
        if done or not wanted:
            release(root)
        found = [actor_object(actor, known.record, every) for actor in wanted]
        print_json({"kind": "trust", "repository": known.record.repository, "trusted": done, "actors": found})
        return ASLEEP if wanted and not done else 0
    console = screen()
    if not wanted:
        if not tell_unread(root):
            console.print(words("nothing sleeps here" if every else "nothing in this repository needs your trust"))
        release(root)
        return 0
    show_actors(wanted, every, known.record, console)
    tell_loosening(wanted, console)
    if not yes and not _agreed(root):
        console.print(words("nothing was trusted; it sleeps on"))
        return ASLEEP
    record.grant(root, wanted, record.PERSON)
    release(root)
    console.print(words(("trusted", "green"), f" {counted(len(wanted), 'thing')}; `leeboard untrust` takes it back"))
    return 0


def _agreed(root: str) -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("nobody is there to answer: look at what is shown, then give --yes")
    return click.confirm(f"May this act in {record.escaped(root)}?", default=False)


@command.command(epilog="Example:  leeboard trust show")
@json_option
def show(*, as_json: bool) -> int:
    """What this repository brings that would act, and whether it is trusted.

    Exits 1 when something sleeps.
    """
    root = here()
    every = actors(root, os.environ)
    known = known_here(root, every)
    wanted = asleep(every, known.record)
    if known.problem:
        click.echo(f"leeboard: {record.escaped(known.problem)}", err=True)
    if as_json:
        for actor in every:
            print_json(actor_object(actor, known.record, every))
        return ASLEEP if wanted else 0
    console = screen()
    awake = [actor for actor in every if actor not in wanted]
    for title, found in (("trusted", awake), ("asleep until you run `leeboard trust`", wanted)):
        if found:
            console.print(words((title, "bold")))
            show_actors(found, every, known.record, console)
    if not tell_unread(root) and not every:
        console.print(words("nothing in this repository needs your trust"))
    return ASLEEP if wanted else 0
