"""`leeboard rules`."""

from __future__ import annotations

import click

from leeboard.model.verdict import subclass_of
from leeboard.rule import LoadedRule, discover
from leeboard.surfaces.cli.screen import json_option, print_json, screen, table, words


@click.command(epilog="Example:  leeboard rules --json | jq -r .id")
@json_option
def command(*, as_json: bool) -> None:
    """List the rules, what each flags and what it listens to.

    A rule that refuses always does so under the profile `advise` too, one that refuses what is certain as well.
    Those of `enforce` refuse there alone, where they bring the score below 5, as a broken limit always does; the others
    only speak. `leeboard explain RULE` shows a rule's page.
    """
    loaded = discover()
    if as_json:
        for rule in loaded:
            print_json(rule_object(rule))
        return
    console = screen()
    table(
        ("CODE", "RULE", "CLASS", "REFUSES", "WHAT IT FLAGS"),
        [
            (rule.code, words((rule.id, "bold")), rule.traits.subclass or "-", refuses(rule), rule.rule.summary)
            for rule in loaded
        ],
        console,
    )


def refuses(rule: LoadedRule) -> str:
    if rule.channel == "signal":
        return "certain" if subclass_of(rule.traits.subclass).escalates else "never"
    return "always" if rule.traits.denies else "enforce"


def rule_object(rule: LoadedRule) -> dict[str, object]:
    return {
        "kind": "rule",
        "id": rule.id,
        "code": rule.code,
        "channel": rule.channel,
        "summary": rule.rule.summary,
        "subclass": rule.traits.subclass,
        "refuses": refuses(rule),
        "denies": rule.traits.denies,
        "listens": sorted(rule.listens),
    }
