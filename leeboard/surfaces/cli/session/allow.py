"""`leeboard allow`."""

from __future__ import annotations

import click

from leeboard.app.allowances import new_allowance, spelled_in_project
from leeboard.app.archive import opened_archive
from leeboard.app.views.rules import find_rule
from leeboard.app.views.session import allowance_view, allowed_here, find_verdict, with_rule_id
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.model.contract import Allowance
from leeboard.model.verdict import subclass_of
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.person import require_no_agent, require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, screen, table, words
from leeboard.surfaces.cli.session_view import described, how_long


@click.command(epilog="Example:  leeboard allow scope_drift --path 'docs/**' --reason 'docs ride along' --until 3d")
@click.argument("what", metavar="RULE|ID", default="")
@click.option("--path", "glob", default="", help="Only for paths that this glob matches.")
@click.option("--reason", default="", help="Why it may stand; kept with it.")
@click.option("--until", default="", help="2h, 3d or a date; without it, for good.")
@click.option("--list", "listing", is_flag=True, help="Show what is allowed in this project.")
@click.option("--revoke", metavar="ID", default="", help="Revoke an allowance.")
@json_option
def command(what: str, *, listing: bool, revoke: str, as_json: bool, **terms: str) -> None:
    """Let a finding stand, with a reason and an end.

    RULE is a rule's name or code, for the whole project or with --path for a part of it. ID is a verdict, correction or
    signal from `leeboard report`, or a finding as rule:subject: then exactly that may stand. A secret is let pass by
    its id alone, for that one value in that one file. Only people may do this, in a terminal of their own: inside an
    agent, a quality gate or a script it refuses.
    """
    root = current_project()
    if listing:
        _list(root, as_json=as_json)
        return
    (require_no_agent if revoke else require_person)("allow")
    with opened_archive() as store:
        if revoke:
            _revoke(store, revoke, as_json=as_json)
            return
        if not what:
            raise ConfigError("say what may stand: a rule or an id; `leeboard allow --help` shows how")
        for allowance in _allowances(store, what, terms, root):
            store.allow(allowance, root)
            _tell(allowance, as_json=as_json)


def _allowances(store: SqliteStore, what: str, terms: dict[str, str], root: str) -> tuple[Allowance, ...]:
    reason, until = terms["reason"], terms["until"]
    path = spelled_in_project(terms["glob"], root) if terms["glob"] else ""
    if ":" in what:
        find_rule(what.partition(":")[0])
        return (new_allowance(fingerprint=with_rule_id(what), reason=reason, until=until),)
    if what[:1] in {"v", "c"} and what[1:2].isalnum() and _is_hex(what[1:]):
        found = store.findings(find_verdict(store, what, root).id)
        if not found:
            raise ConfigError(f"{what} has no finding that could be allowed")
        return tuple(new_allowance(fingerprint=f.fingerprint, reason=reason, until=until) for f in found)
    if what[:1] == "s" and _is_hex(what[1:]):
        return (_signal_allowance(store, what, reason, until),)
    rule = find_rule(what)
    if subclass_of(rule.traits.subclass).passes_by_value:
        raise ConfigError("a secret is let pass by its id, for that value in that file: `leeboard report` shows ids")
    return (new_allowance(rule=rule.id, path=path, reason=reason, until=until),)


def _signal_allowance(store: SqliteStore, start: str, reason: str, until: str) -> Allowance:
    signal = store.signal(start)
    if signal is None:
        raise ConfigError(f"nothing is known of {start!r}; `leeboard report` shows the ids of a session")
    return new_allowance(fingerprint=f"{signal.rule}:{signal.subject}", reason=reason, until=until)


def _is_hex(text: str) -> bool:
    return bool(text) and all(letter in "0123456789abcdef" for letter in text)


def _revoke(store: SqliteStore, allowance_id: str, *, as_json: bool) -> None:
    if not store.revoke(allowance_id):
        raise ConfigError(f"there is no allowance {allowance_id!r}; `leeboard allow --list` shows them")
    if as_json:
        print_json({"kind": "revoked", "id": allowance_id})
    else:
        screen().print(words(f"revoked: {allowance_id}"))


def _tell(allowance: Allowance, *, as_json: bool) -> None:
    view = allowance_view(allowance)
    if as_json:
        print_view(view)
        return
    line = words("allowed ", (described(view), "bold"), f", {how_long(view)}")
    screen().print(line, words((f"  (`leeboard allow --revoke {view.id}` takes it back)", "dim")), sep="")


def _list(root: str, *, as_json: bool) -> None:
    known = allowed_here(root)
    if as_json:
        for view in known:
            print_view(view)
    elif not known:
        screen().print(words("nothing is allowed in this project beyond its goal"))
    else:
        rows = [(one.id, described(one), how_long(one), one.by, one.reason) for one in known]
        table(("ID", "WHAT MAY STAND", "HOW LONG", "BY", "REASON"), rows, screen())
