"""What a person lets stand: a rule, here or below a path, or exactly what an id leads to; and what they let in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from leeboard.app.allowances import new_allowance, scope_rules, spelled_in_project
from leeboard.app.views.rules import find_rule
from leeboard.app.views.why import find_verdict, with_rule_id
from leeboard.errors import ConfigError
from leeboard.judge.score import lets_guard_pass
from leeboard.model.contract import Allowance
from leeboard.model.verdict import Finding, Verdict, subclass_of
from leeboard.rule import rule_named, with_code
from leeboard.store.sqlite import SqliteStore

_WHERE_IDS_ARE = "`leeboard report` shows the ids of a session, `leeboard scan --verbose` those of files"


def allowances_for(store: SqliteStore, root: str, what: str, terms: Mapping[str, str]) -> tuple[Allowance, ...]:
    """`terms` are `reason`, `until` and `glob`. ConfigError where nothing is known of it, or nothing says why."""
    reason, until = terms["reason"], terms.get("until", "")
    path = spelled_in_project(terms["glob"], root) if terms.get("glob") else ""
    if ":" in what:
        find_rule(what.partition(":")[0])
        return _without_the_guard(new_allowance(fingerprint=with_rule_id(what), reason=reason, until=until))
    if _is_verdict(what):
        verdict, found = _of_verdict(store, root, what)
        if not found:
            raise ConfigError(f"{what} has no finding that could be allowed")
        return _without_the_guard(*(_finding_allowance(one, verdict.session, reason, until) for one in found))
    if what[:1] == "s" and _is_hex(what[1:]):
        return (_signal_allowance(store, what, reason, until),)
    rule = find_rule(what)
    if subclass_of(rule.traits.subclass).passes_by_value:
        raise ConfigError(f"a secret is let pass by its id, for that value in that file: {_WHERE_IDS_ARE}")
    return _without_the_guard(new_allowance(rule=rule.id, path=path, reason=reason, until=until))


def secrets_named(store: SqliteStore, root: str, what: str) -> dict[str, str]:
    """By fingerprint, which secret it is that the id lets pass: a digest tells a person nothing."""
    found = _of_verdict(store, root, what)[1] if _is_verdict(what) else ()
    secrets = [one for one in found if one.signal and subclass_of(one.signal.subclass).passes_by_value]
    return {one.fingerprint: one.evidence[0].text for one in secrets if one.evidence}


def _is_verdict(what: str) -> bool:
    return what[:1] in {"v", "c"} and what[1:2].isalnum() and _is_hex(what[1:])


def _of_verdict(store: SqliteStore, root: str, what: str) -> tuple[Verdict, tuple[Finding, ...]]:
    """With the findings that it told."""
    verdict = find_verdict(store, what, root)
    found = store.findings(verdict.id)
    return verdict, tuple(one for one in found if not verdict.message or one.rule in verdict.rules)


def _without_the_guard(*made: Allowance) -> tuple[Allowance, ...]:
    """The same; ConfigError where agents could loosen their own guard from then on."""
    for one in made:
        rule = rule_named(one.rule or one.fingerprint.partition(":")[0])
        if rule is not None and rule.traits.permit == "terminal" and not lets_guard_pass(one):
            raise ConfigError(
                f"{with_code(rule.id)} keeps agents from loosening their own guard, and is let pass for one file "
                f"alone: `leeboard allow {rule.id} --path leeboard.toml --reason ...`. Run such a command yourself, in "
                "your own terminal; `leeboard pause --for 30m --reason ...` stops all judging for a while"
            )
    return made


def for_project(allowances: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """The same for everybody, in every session. ConfigError for a secret: only a key of this machine knows it."""
    for one in allowances:
        rule = rule_named(one.rule or one.fingerprint.partition(":")[0])
        if rule is not None and subclass_of(rule.traits.subclass).passes_by_value:
            raise ConfigError(
                f"a secret is not let stand for everybody by an id of this machine: write a comment beside it, "
                f"`leeboard: allow {rule.code} WHY`, or accept it with `leeboard scan --write-baseline`"
            )
    return tuple(replace(one, session="") for one in allowances)


def _finding_allowance(found: Finding, session: str, reason: str, until: str) -> Allowance:
    """What an agent did stands in its own session alone: another has its own goal, and limits that the user may state
    anew. What it wrote is known again by its content, and stands wherever that is.
    """
    made = new_allowance(fingerprint=found.fingerprint, reason=reason, until=until)
    return made if found.signal is not None else replace(made, session=session)


def _signal_allowance(store: SqliteStore, start: str, reason: str, until: str) -> Allowance:
    signal = store.signal(start)
    if signal is None:
        raise ConfigError(f"nothing is known of {start!r}; {_WHERE_IDS_ARE}")
    return new_allowance(fingerprint=f"{signal.rule}:{signal.subject}", reason=reason, until=until)


def _is_hex(text: str) -> bool:
    return bool(text) and all(letter in "0123456789abcdef" for letter in text)


def widenings_for(root: str, paths: tuple[str, ...], reason: str, until: str) -> tuple[Allowance, ...]:
    """One for each rule that asks where the work lies; ConfigError for a path outside of the project."""
    spelled = [spelled_in_project(path, root) for path in paths]
    return tuple(
        new_allowance(rule=rule, path=path, reason=reason, until=until) for path in spelled for rule in scope_rules()
    )
