"""`leeboard trust`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.views.trust import PartView, TrustPage, trust_page
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, screen, words
from leeboard.text.words import counted
from leeboard.trust import record
from leeboard.trust.released import release

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

ASLEEP = 1
NOTHING = "nothing in this repository needs your trust"


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
            ctx.fail(f"put options after {ctx.invoked_subcommand}")
        return None
    require_person("trust")
    root = current_project()
    page = trust_page(root)
    _tell_problem(page)
    if not as_json:
        _show_parts(page.sleeping_parts, screen())
        _tell_loosening(page, screen())
    done = bool(page.wanted) and (yes or (not as_json and _agreed(root)))
    if done:
        record.grant(root, page.wanted, record.PERSON)
    if done or not page.wanted:
        release(root)
    if as_json:
        found = msgspec.to_builtins(page.sleeping)
        print_json({"kind": "trust", "repository": page.repository, "trusted": done, "actors": found})
    else:
        _tell_end(page, screen(), done=done)
    return ASLEEP if page.wanted and not done else 0


def _agreed(root: str) -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("nobody is here to answer: read what is shown, then pass --yes")
    return click.confirm(f"May this act in {record.escaped(root)}?", default=False)


def _tell_end(page: TrustPage, console: Console, *, done: bool) -> None:
    if done:
        told = f" {counted(len(page.wanted), 'thing')}; `leeboard untrust` takes it back"
        console.print(words(("trusted", "green"), told))
    elif page.wanted:
        console.print(words("nothing was trusted; it stays asleep"))
    elif not _tell_unread(page):
        console.print(words("nothing is asleep here" if page.actors else NOTHING))


@command.command(epilog="Example:  leeboard trust show")
@json_option
def show(*, as_json: bool) -> int:
    """What this repository brings that would act, and whether it is trusted.

    Exits 1 when something sleeps.
    """
    page = trust_page(current_project())
    _tell_problem(page)
    if as_json:
        for actor in page.actors:
            print_view(actor)
        return ASLEEP if page.wanted else 0
    console = screen()
    for title, parts in (
        ("trusted", page.awake_parts),
        ("asleep until you run `leeboard trust`", page.sleeping_parts),
    ):
        if parts:
            console.print(words((title, "bold")))
            _show_parts(parts, console)
    if not _tell_unread(page) and not page.actors:
        console.print(words(NOTHING))
    return ASLEEP if page.wanted else 0


def _show_parts(parts: tuple[PartView, ...], console: Console) -> None:
    """Part by part; where a part was trusted before, how it differs from that."""
    for part in parts:
        console.print(words((", ".join(part.places), "bold"), f": {part.does}"))
        if part.changed:
            all_of_it = f"all of {part.settings} sleeps since it changed; " if part.settings else ""
            console.print(words((f"  {all_of_it}changed since you trusted it", "yellow")))
        for line in part.changed or part.shown:
            console.print(words("    ", line))
        if part.too_much:
            console.print(words(("    it is too large to be shown, and can not be trusted", "red")))


def _tell_loosening(page: TrustPage, console: Console) -> None:
    if page.loosens:
        console.print(words(("running sessions pick up the looser settings at once", "yellow")))


def _tell_problem(page: TrustPage) -> None:
    if page.problem:
        click.echo(f"leeboard: {page.problem}", err=True)


def _tell_unread(page: TrustPage) -> bool:
    """Whether settings here can not be read, in whole or in part: nobody can tell what sleeps in them. It is said."""
    for note in page.unread:
        click.echo(f"leeboard: {note}; what can not be read of it neither counts nor is shown", err=True)
    return bool(page.unread)
