"""`leeboard bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.views.latency import Latency, LatencyPage, latency_page
from leeboard.errors import ConfigError
from leeboard.io.clock import ago, iso
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console


@click.command(epilog="Example:  leeboard bench --all --json")
@click.option("--all", "everywhere", is_flag=True, help="Of every project, not of this one alone.")
@json_option
def command(*, everywhere: bool, as_json: bool) -> None:
    """How long the guard really took here, by hook event and by rule.

    Nothing is run: the figures come from the receipts that your own hooks left, up to the newest 20,000. They count
    from the moment a hook was understood to its receipt, which is written after the answer; the start of the hook's own
    process is not in them (`make bench hook` in a checkout measures that). A rule is listed with the hooks in which it
    took a tenth of a millisecond or more.
    """
    page = latency_page(None if everywhere else current_project())
    if not page.events:
        raise ConfigError("no hook was answered here yet; `leeboard status` shows whether hooks stand here")
    if as_json:
        print_json({"kind": "bench", "since": iso(page.since), **msgspec.to_builtins(_without_since(page))})
    else:
        _show(page, screen())


def _without_since(page: LatencyPage) -> dict[str, object]:
    return {"events": page.events, "rules": page.rules, "without_store": page.without_store}


def _show(page: LatencyPage, console: Console) -> None:
    console.print(words(f"{counted(page.events[0].count, 'hook')} answered, the oldest {ago(page.since)}"))
    if page.without_store:
        console.print(words((f"{page.without_store} of them without the store", "yellow")))
    head = f"{'ms':<28}{'count':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'most':>9}"
    console.print(words((head, "dim")))
    for one in page.events:
        console.print(words(_line(one)))
    if page.rules:
        console.print(words(("rules, where they took 0.1 ms or more", "dim")))
    for one in page.rules:
        console.print(words(_line(one)))


def _line(one: Latency) -> str:
    return f"{one.name:<28}{one.count:>8}{one.median:>9.2f}{one.p95:>9.2f}{one.p99:>9.2f}{one.most:>9.2f}"
