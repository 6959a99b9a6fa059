"""What a rule looks like to a person: its line in the table of rules, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.app.own_rules import read_rules
from leeboard.app.settings_files import read_project
from leeboard.errors import ConfigError
from leeboard.model.own_rule import OwnRule
from leeboard.model.text import near_names
from leeboard.model.verdict import subclass_of
from leeboard.rule import LoadedRule, discover, rule_named


class RuleView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "rule"
    id: str
    code: str
    channel: str
    summary: str
    subclass: str
    refuses: str
    """`always`, `certain`, `enforce` or `never`."""
    denies: bool
    listens: tuple[str, ...]
    origin: str = ""
    """Who else decides that it counts here: the team's policy that names it; empty where nobody does."""
    off: bool = False
    """Whether the settings of this project switch it off."""


class RulePage(RuleView, frozen=True, kw_only=True):
    page: str
    """Markdown."""


def rule_views(root: str = "", env: Mapping[str, str] | None = None) -> tuple[RuleView, ...]:
    """As they count in a project; without one, as they are."""
    if not root:
        return tuple(RuleView(**_traits(rule)) for rule in discover())
    found = read_project(root, env or {})
    off, policy = found.settings.policy.disabled_rules, found.policy
    named = {key.removeprefix("rules.") for key in policy.settings.said} if policy else set()
    named -= set(policy.settings.policy.disabled_rules) if policy else set()
    place = f"team policy {policy.serial}" if policy else ""
    return tuple(
        RuleView(**_traits(rule), origin=place if rule.id in named else "", off=rule.id in off) for rule in discover()
    )


def rule_page(name: str, root: str = "") -> RulePage:
    """The page of the rule of that name, one of the project's own among them; ConfigError where there is none."""
    own = next((one for one in read_rules(root).rules if one.id == name.strip()), None) if root else None
    if own is not None:
        loaded = find_rule("own_refusal" if own.does == "refuse" else "own_rule")
        return RulePage(**(_traits(loaded) | {"id": own.id, "summary": own.message}), page=_own_page(own, loaded.id))
    rule = find_rule(name)
    return RulePage(**_traits(rule), page=f"{rule.page}\n\n{switching_off(rule)}")


def _own_page(rule: OwnRule, by: str) -> str:
    told = [rule.message, rule.note, f"It stands in `{rule.file}`, line {rule.line}, and does this: {rule.does}."]
    permit = f"`leeboard allow {by} --path '{rule.id}:GLOB' --reason WHY` lets it be for a part of the project."
    return "\n\n".join(filter(None, (*told, permit)))


def _traits(rule: LoadedRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "code": rule.code,
        "channel": rule.channel,
        "summary": rule.rule.summary,
        "subclass": rule.traits.subclass,
        "refuses": _refuses(rule),
        "denies": rule.traits.denies,
        "listens": tuple(sorted(rule.listens)),
    }


def _refuses(rule: LoadedRule) -> str:
    if rule.channel == "signal":
        return "certain" if subclass_of(rule.traits.subclass).escalates else "never"
    return "always" if rule.traits.denies else "enforce"


def find_rule(name: str) -> LoadedRule:
    """The rule of that code or name, written with _ or -; ConfigError with the nearest one where there is none."""
    spelled = name.strip().lower().replace("-", "_")
    found = rule_named(name.strip()) or rule_named(spelled)
    if found is not None:
        return found
    near = near_names(spelled, [rule.id for rule in discover()], 0.5)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    raise ConfigError(f"there is no rule {name!r}; {meant}`leeboard rules` shows them all")


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
    if rule.channel == "guard" and rule.listens == {"StopProposed"}:
        return "It keeps an agent from ending, under the profiles `advise` and `enforce`."
    when = "always, under the profile `advise` too" if rule.traits.denies else "under the profile `enforce` only"
    return f"It refuses {when}."


def _permission(rule: LoadedRule) -> str:
    if subclass_of(rule.traits.subclass).passes_by_value:
        told = "`leeboard allow ID --reason WHY` lets one secret pass in one file"
        return f"{told}; `leeboard report` and `leeboard scan --verbose` show the id."
    return f"`leeboard allow {rule.id} --path GLOB --reason WHY` lets it be for a part of the project."
