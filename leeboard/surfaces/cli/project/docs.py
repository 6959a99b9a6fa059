"""`leeboard docs [TOPIC]`."""

from __future__ import annotations

import click

from leeboard.app.views.manual import topic_page, topics
from leeboard.surfaces.cli.screen import json_option, print_markdown, print_view, screen, table, words


@click.command(epilog="Example:  leeboard docs settings")
@click.argument("topic", required=False)
@json_option
def command(topic: str | None, *, as_json: bool) -> None:
    """Read these pages without a network; without TOPIC list them.

    TOPIC is a page such as `settings` or `trust`, a command or a rule.
    """
    if topic is not None:
        found = topic_page(topic)
        if as_json:
            print_view(found)
        else:
            print_markdown(found.page)
        return
    listed = topics()
    if as_json:
        for one in listed:
            print_view(one)
        return
    table(("TOPIC", "TITLE"), [(words((one.name, "bold")), one.title) for one in listed], screen())
