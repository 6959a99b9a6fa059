"""The last part of a rule's page: what the rule stands in the way of, and how a person makes it stop."""

from __future__ import annotations

from leeboard.model.signal_class import subclass_of
from leeboard.rule import LoadedRule

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
