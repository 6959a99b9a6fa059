"""How a command works through an archive: by which settings, and who does the work, in how many processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import count
from typing import Any, TypeVar, cast

import click
import msgspec

from leeboard.app.backtest.chosen_settings import BARE, ChosenSettings, named_settings, project_settings, under_profile
from leeboard.app.engine.cluster import Cluster, opened_cluster
from leeboard.io.places import current_project
from leeboard.model.policy import Profile
from leeboard.surfaces.cli.screen import say, screen

Command = TypeVar("Command", bound=Callable[..., Any])
WORTH_A_POOL = 4
_PROFILE = click.Choice(["observe", "advise", "enforce"])


class JudgedBy(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen on the command line."""

    chosen: ChosenSettings
    """Those of the project that the command runs in, unless others were asked for."""
    for_all: bool
    """They were asked for, and hold whatever project a session is of."""
    profile: Profile | None = None


def settings_options(command: Command) -> Command:
    """The three options, as the parameter `by`. What is wrong with the settings is said on stderr."""

    @wraps(command)
    def with_settings(*given: Any, settings: str, no_settings: bool, profile: Profile | None, **options: Any) -> Any:
        if settings and no_settings:
            raise click.UsageError("choose one of --settings and --no-settings", click.get_current_context())
        chosen = _chosen(settings, bare=no_settings)
        for note in chosen.notes:
            say(note)
        by = JudgedBy(chosen=under_profile(chosen, profile), for_all=bool(settings) or no_settings, profile=profile)
        return command(*given, by=by, **options)

    for option in (
        click.option("--no-settings", is_flag=True, help="Judge by the defaults, whatever any file says."),
        click.option("--settings", metavar="FILE", default="", help="Judge by this settings file alone."),
        click.option("--profile", type=_PROFILE, help="Judge as this profile would."),
    ):
        option(with_settings)
    return cast("Command", with_settings)


def _chosen(file: str, *, bare: bool) -> ChosenSettings:
    if file:
        return named_settings(file)
    return BARE if bare else project_settings(current_project(), os.environ)


def fitting_jobs(files: int) -> int:
    return 1 if files < WORTH_A_POOL else os.cpu_count() or 1


@contextmanager
def session_bar(doing: str, total: int, *, shown: bool) -> Iterator[Callable[[], None]]:
    """A bar on stderr where a person waits and there is much to do."""
    console = screen(stderr=True)
    if not shown or total < WORTH_A_POOL or not console.is_terminal:
        yield _nothing
        return
    ended = count(1)
    try:
        yield lambda: console.rewrite(f"{doing} {next(ended)} of {total}")
    finally:
        console.rewrite("")


def _nothing() -> None:
    return


def on_option(command: Command) -> Command:
    return click.option(
        "--on",
        metavar="CLUSTER",
        default="",
        help="Work on a Dask cluster: tcp://host:port, tls://host:port, or local.",
    )(command)


@contextmanager
def chosen_cluster(on: str, jobs: int | None) -> Iterator[Cluster | None]:
    """None where none was asked for. What becomes of it is said on stderr."""
    if not on:
        yield None
        return
    with opened_cluster(on, say, jobs or 0) as cluster:
        yield cluster
