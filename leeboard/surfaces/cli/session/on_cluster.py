"""The option `--on` of commands that work through archives: who does the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from leeboard.app.engine.cluster import Cluster, opened_cluster
from leeboard.surfaces.cli.screen import say

Command = TypeVar("Command", bound=Callable[..., Any])


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
