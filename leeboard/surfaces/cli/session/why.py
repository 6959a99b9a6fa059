"""`leeboard why ID`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.replay import verdict_object
from leeboard.errors import ConfigError
from leeboard.model.outcome import Judged
from leeboard.model.verdict import Correction, Finding, Verdict
from leeboard.rule import rule_named, with_code
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.archive import known_archive
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.screen import fields, json_option, print_json, screen, words
from leeboard.surfaces.cli.session_view import print_message, show_signal, signal_object

if TYPE_CHECKING:
    from rich.console import Console

_SESSIONS_SEARCHED = 500


@click.command(epilog="Example:  leeboard why v3f9a")
@click.argument("id_", metavar="ID")
@json_option
def command(id_: str, *, as_json: bool) -> None:
    """How a verdict, a correction, a signal or a finding came about.

    ID is a verdict's (v...), a correction's (c...) or a signal's (s...) or the start of one, as `leeboard report` shows
    them, or a finding as rule:subject, such as scope_drift:src/theme.css or LB-S001:src/theme.css.
    """
    with known_archive() as store:
        signal = store.signal(id_) if id_.startswith("s") and ":" not in id_ else None
        if signal is not None:
            owner = _owner(store, signal)
            if as_json:
                print_json(signal_object(signal, owner))
            else:
                show_signal(signal, owner, screen())
            return
        verdict = find_verdict(store, id_, here())
        findings = store.findings(verdict.id)
    if as_json:
        evidence = [msgspec.to_builtins(finding) for finding in findings]
        print_json(verdict_object(verdict) | {"id": verdict.id, "trace": list(verdict.trace), "findings": evidence})
    else:
        _show(verdict, findings, screen())


def find_verdict(store: SqliteStore, id_: str, root: str) -> Verdict:
    """The verdict that an id of any kind leads to; ConfigError where it leads nowhere."""
    found = (
        _by_finding(store, with_rule_id(id_), root) if ":" in id_ else store.verdict(id_) or _by_correction(store, id_)
    )
    if found is None:
        raise ConfigError(f"nothing is known of {id_!r}; `leeboard report` shows the ids of a session")
    return found


def with_rule_id(fingerprint: str) -> str:
    """A finding as rule:subject, with the rule's id where its code was given."""
    name, colon, subject = fingerprint.partition(":")
    rule = rule_named(name)
    return f"{rule.id if rule else name}{colon}{subject}"


def _owner(store: SqliteStore, signal: Judged) -> str:
    """The session it belongs to."""
    sessions = (session.id for session in store.sessions(None, _SESSIONS_SEARCHED))
    return next((id_ for id_ in sessions if any(one.id == signal.id for one in store.signals(id_))), "")


def _by_correction(store: SqliteStore, start: str) -> Verdict | None:
    for session in store.sessions(None, _SESSIONS_SEARCHED):
        for offer in store.corrections(session.id):
            if offer.correction.id.startswith(start):
                return _origin(store.verdicts(session.id), offer.correction)
    return None


def _origin(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """The verdict on the action that the words were about; else the one that said them."""
    by_call = (v for v in verdicts if v.tool_use_id == correction.tool_use_id and v.trace and correction.tool_use_id)
    by_words = (v for v in verdicts if v.message == correction.text)
    return next(by_call, None) or _by_script(verdicts, correction) or next(by_words, None)


def _by_script(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """What a script changed belongs to no call: the verdict of that turn that shares most of paths and rules."""
    if correction.tool_use_id:
        return None
    same = [v for v in verdicts if v.event == "FilesChanged" and v.trace and v.turn == correction.turn]
    shared = [v for v in same if {*v.paths} & {*correction.paths} and {*v.rules} & {*correction.rules}]
    return max(shared, key=lambda v: len({*v.paths} & {*correction.paths}), default=None)


def _by_finding(store: SqliteStore, fingerprint: str, root: str) -> Verdict | None:
    """The newest verdict of this project with that finding."""
    for session in store.sessions(root, _SESSIONS_SEARCHED):
        for verdict in reversed(store.verdicts(session.id)):
            if any(finding.fingerprint == fingerprint for finding in store.findings(verdict.id)):
                return verdict
    return None


def _event(verdict: Verdict) -> str:
    if verdict.event == "FilesChanged":
        return "files that a script changed"
    return f"{verdict.event} {verdict.tool_use_id}".rstrip()


def _show(verdict: Verdict, findings: tuple[Finding, ...], console: Console) -> None:
    fields(
        [
            ("verdict", f"{verdict.id}, {verdict.action.name}, score {verdict.score}/10, level {verdict.level}"),
            ("about", f"{_event(verdict)}, turn {verdict.turn}, session {verdict.session}"),
        ],
        console,
    )
    for finding in findings:
        console.print()
        console.print(words((with_code(finding.rule), "bold"), f"  {finding.subject}"))
        for item in finding.evidence:
            console.print(words(f"  {item.delta:+d}  {item.text}" if item.delta else f"   0  {item.text}"))
        if finding.cap < 10:
            console.print(words(f"      and no score above {finding.cap} while it stands"))
        if finding.remedy:
            console.print(words(("      remedy: ", "dim"), finding.remedy))
    if verdict.trace:
        console.print()
        console.print(words((verdict.trace[-1], "dim")))
    if verdict.message:
        console.print()
        print_message(verdict.message, console, indent=2)
