"""The last part of a rule's page: what the rule stands in the way of, and how a person makes it stop."""

from __future__ import annotations

from leeboard.rule import LoadedRule

HEADING = "## Switching it off"


def switching_off(rule: LoadedRule) -> str:
    return (
        f"{HEADING}\n{_refusal(rule)} `[rules.{rule.id}] enabled = false` in `leeboard.toml` switches it off;\n"
        f"{_permission(rule)}"
    )


def _refusal(rule: LoadedRule) -> str:
    match rule.rule.subclass:
        case "B1" | "B2":
            return (
                f"Class {rule.rule.subclass}. What is certain (confidence above 0.85) is refused before it is\n"
                "written, under the profiles `advise` and `enforce`."
            )
        case "":
            when = "always, under the profile `advise` too" if rule.rule.denies else "under the profile `enforce` only"
            return f"It refuses {when}."
        case subclass:
            return f"Class {subclass}. It never refuses anything."


def _permission(rule: LoadedRule) -> str:
    if rule.rule.subclass == "B1":
        return "`leeboard allow ID --reason WHY` lets one secret pass in one file; `leeboard report` shows the id."
    return f"`leeboard allow {rule.id} --path GLOB --reason WHY` lets it be for a part of the project."
