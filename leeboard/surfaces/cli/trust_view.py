"""What acts in a repository, shown so that a person can decide: exactly what would run or loosen, and what changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from leeboard.app.hook_origin import agent_above
from leeboard.app.settings_files import read_project
from leeboard.errors import ConfigError
from leeboard.model.trust import Actor, TrustRecord, difference
from leeboard.settings.over import LOOSEN
from leeboard.surfaces.cli.screen import Command, words
from leeboard.text.words import counted
from leeboard.trust import record as trust

if TYPE_CHECKING:
    from rich.console import Console


def trust_option(command: Command) -> Command:
    """`--trust`: for a build server, which says so by itself. Nothing of it is written down."""
    return click.option(
        "--trust",
        is_flag=True,
        expose_value=False,
        callback=_trust_this_run,
        help="Trust the repository's settings and commands for this run, as a build server has to say.",
    )(command)


def _trust_this_run(ctx: click.Context, _param: click.Parameter, value: object) -> None:
    if not value:
        return
    if mark := agent_above():
        raise ConfigError(f"only a person or a build server may say --trust, and {mark} says that an agent runs it.")
    ctx.with_resource(trust.whole_run())


def by_part(actors: Iterable[Actor]) -> dict[str, list[Actor]]:
    found: dict[str, list[Actor]] = {}
    for actor in actors:
        found.setdefault(actor.part, []).append(actor)
    return found


def show_actors(sleeping: Iterable[Actor], every: Iterable[Actor], record: TrustRecord, console: Console) -> None:
    """Part by part; where a part was trusted before, how it differs from that."""
    there = by_part(every)
    for part, actors in by_part(sleeping).items():
        places = dict.fromkeys(actor.place for actor in actors)
        console.print(words((", ".join(map(trust.escaped, places)), "bold"), f": {actors[0].does}"))
        changed = difference(record, there[part]) if record.knows(part) else ()
        if changed:
            console.print(words((f"  {_since(actors[0])}", "yellow")))
        for line in changed or [line for actor in actors for line in actor.shown]:
            console.print(words("    ", line))
        if not all(actor.digest for actor in actors):
            console.print(words(("    it is too much to be looked at, and can not be trusted", "red")))


def _since(actor: Actor) -> str:
    """Settings are trusted as a whole: one line that is new puts all of them to sleep."""
    all_of_it = f"all of {trust.escaped(actor.place)} sleeps since it changed; " if is_settings(actor) else ""
    return f"{all_of_it}changed since you trusted it"


def is_settings(actor: Actor) -> bool:
    return actor.part.startswith("settings:")


def tell_loosening(actors: Iterable[Actor], console: Console) -> None:
    if any(is_settings(actor) and LOOSEN in actor.does for actor in actors):
        console.print(words(("sessions that run here take over the looser settings at once", "yellow")))


def tell_unread(root: str) -> bool:
    """Whether settings here can not be read, in whole or in part: nobody can tell what sleeps in them. It is said."""
    notes = read_project(root, os.environ).notes
    for note in notes:
        click.echo(f"leeboard: {trust.escaped(note)}; what can not be read of it neither counts nor is shown", err=True)
    return bool(notes)


def asleep_text(actors: tuple[Actor, ...]) -> str:
    """`2 things sleep: leeboard.toml, .haiku/...`; empty where nothing does."""
    acting = [actor for actor in actors if actor.acts]
    places = dict.fromkeys(actor.place for actor in acting)
    listed = ", ".join(map(trust.escaped, [*places][:4])) + (", ..." if len(places) > 4 else "")
    return f"{counted(len(acting), 'thing')} not trusted, asleep: {listed} (`leeboard trust`)" if acting else ""


def actor_object(actor: Actor, record: TrustRecord, every: Iterable[Actor]) -> dict[str, Any]:
    same = [each for each in every if each.part == actor.part]
    trusted = trust.in_whole_run() or record.trusts(actor.part, actor.digest)
    return {
        "part": actor.part,
        "place": trust.escaped(actor.place),
        "does": actor.does,
        "shown": list(actor.shown),
        "digest": actor.digest,
        "trusted": trusted,
        "acts": actor.acts,
        "changed": [] if trusted else list(difference(record, same)),
    }
