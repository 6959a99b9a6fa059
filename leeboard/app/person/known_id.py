"""Whether an id leads to anything: a person who mistypes one has let nothing stand, and is told."""

from __future__ import annotations

import shlex
from posixpath import isfile, join

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import Terms
from leeboard.app.views.why import find_verdict
from leeboard.errors import ConfigError
from leeboard.model.text import near_names
from leeboard.model.verdict import subclass_of
from leeboard.rule import rule_named, same_as
from leeboard.store.sqlite import SqliteStore

_ALIKE = 0.8


def why_unknown(store: SqliteStore, root: str, fingerprint: str) -> str:
    """What is said of an id that no session has met and no scan of its file finds; empty for one that is known, and of
    a rule that judges what agents do: it may stand before anything is found.
    """
    rule, _, subject = fingerprint.partition(":")
    judge = same_as(rule) or rule
    if not _reads_texts(judge):
        return ""
    name = file_named(root, subject)
    ids = _ids_in(name, root, rule, judge) if name else set()
    if fingerprint in ids or _was_met(store, root, fingerprint):
        return ""
    if not name:
        return "nothing is known by this id, and it names no file of this project"
    near = near_names(fingerprint, ids, _ALIKE, most=1)
    meant = f"did you mean {shlex.quote(near[0])}? " if near else ""
    return f"nothing is known by this id; {meant}`leeboard scan {shlex.quote(name)} --verbose` shows those of the file"


def _ids_in(name: str, root: str, rule: str, judge: str) -> set[str]:
    (seen,) = scan((Target(name, root, name),), {root: Terms()}, 1)
    found = (one for one in (*seen.found, *seen.decided) if one.rule == judge)
    return {f"{rule}:{one.fingerprint.partition(':')[2]}" for one in found}


def file_named(root: str, subject: str) -> str:
    """The file that a finding is about by its subject; empty where there is none. Its name may have colons in it."""
    ends = [at for at, letter in enumerate(subject) if letter == ":"]
    return next((subject[:at] for at in reversed(ends) if isfile(join(root, subject[:at]))), "")


def _reads_texts(rule: str) -> bool:
    loaded = rule_named(rule)
    return loaded is not None and subclass_of(loaded.traits.subclass).scan == "text"


def _was_met(store: SqliteStore, root: str, fingerprint: str) -> bool:
    try:
        find_verdict(store, fingerprint, root)
    except ConfigError:
        return False
    return True
