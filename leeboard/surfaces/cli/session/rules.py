"""`leeboard rules`."""

from __future__ import annotations

import click

from leeboard.app.views.rules import rule_views
from leeboard.surfaces.cli.screen import json_option, print_view, screen, table, words


@click.command(epilog="Example:  leeboard rules --json | jq -r .id")
@json_option
def command(*, as_json: bool) -> None:
    """List the rules, what each flags and what it listens to.

    A rule that refuses always does so under the profile `advise` too, one that refuses what is certain as well.
    Those of `enforce` refuse there alone, where they bring the score below 5, as a broken limit always does; the others
    only speak. `leeboard explain RULE` shows a rule's page.
    """
    rules = rule_views()
    if as_json:
        for rule in rules:
            print_view(rule)
        return
    rows = [(rule.code, words((rule.id, "bold")), rule.subclass or "-", rule.refuses, rule.summary) for rule in rules]
    table(("CODE", "RULE", "CLASS", "REFUSES", "WHAT IT FLAGS"), rows, screen())
