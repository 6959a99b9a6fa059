"""`leeboard explain RULE`."""

from __future__ import annotations

import click

from leeboard.errors import ConfigError
from leeboard.model.text import nearest
from leeboard.model.verdict import subclass_of
from leeboard.rule import LoadedRule, discover, rule_named
from leeboard.surfaces.cli.screen import json_option, print_json, screen
from leeboard.surfaces.cli.session.rules import rule_object


@click.command(epilog="Example:  leeboard explain scope_drift")
@click.argument("rule")
@json_option
def command(rule: str, *, as_json: bool) -> None:
    """Show the page of RULE: what it catches, why it matters, an example, its limits, and how to switch it off.

    RULE is its name or its code, such as LB-S001.
    """
    found = find_rule(rule)
    page = f"{found.page}\n\n{switching_off(found)}"
    if as_json:
        print_json(rule_object(found) | {"page": page})
        return
    from rich.markdown import Markdown  # noqa: PLC0415 - only the page for people needs it

    console = screen()
    if not console.is_terminal:
        console.print(f"# {found.id} ({found.code})\n\n{page}")
        return
    console.print(Markdown(f"# {found.id} ({found.code})\n\n{page}"), soft_wrap=False)


def find_rule(name: str) -> LoadedRule:
    """The rule of that code or name, written with _ or -; ConfigError with the nearest one where there is none."""
    spelled = name.strip().lower().replace("-", "_")
    found = rule_named(name.strip()) or rule_named(spelled)
    if found is not None:
        return found
    rules = [rule.id for rule in discover()]
    near = nearest(spelled, rules)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(rules)}"
    raise ConfigError(f"there is no rule {name!r}; {hint}")


# The last part of a rule's page: what the rule stands in the way of, and how a person makes it stop.


HEADING = "## Switching it off"


def switching_off(rule: LoadedRule) -> str:
    return (
        f"{HEADING}\n{_refusal(rule)} `[rules.{rule.id}] enabled = false` in `leeboard.toml` switches it off;\n"
        f"{_permission(rule)}"
    )


def _refusal(rule: LoadedRule) -> str:
    subclass = rule.traits.subclass
    if subclass_of(subclass).escalates:
        return (
            f"Class {subclass}. What is certain (confidence above 0.85) is refused before it is\n"
            "written, under the profiles `advise` and `enforce`."
        )
    if subclass:
        return f"Class {subclass}. It never refuses anything."
    when = "always, under the profile `advise` too" if rule.traits.denies else "under the profile `enforce` only"
    return f"It refuses {when}."


def _permission(rule: LoadedRule) -> str:
    if subclass_of(rule.traits.subclass).passes_by_value:
        return "`leeboard allow ID --reason WHY` lets one secret pass in one file; `leeboard report` shows the id."
    return f"`leeboard allow {rule.id} --path GLOB --reason WHY` lets it be for a part of the project."
