"""`leeboard explain RULE`."""

from __future__ import annotations

import click

from leeboard.app.views.rules import rule_page
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_markdown, print_view


@click.command(epilog="Example:  leeboard explain scope_drift")
@click.argument("rule")
@json_option
def command(rule: str, *, as_json: bool) -> None:
    """Show the page of RULE: what it catches, why it matters, an example, its limits, and how to switch it off.

    RULE is its name or its code, such as LB-S001, or the id of a rule of this project's own.
    """
    found = rule_page(rule, current_project())
    if as_json:
        print_view(found)
        return
    print_markdown(f"# {found.id} ({found.code})\n\n{found.page}")
