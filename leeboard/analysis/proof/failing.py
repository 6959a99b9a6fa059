"""Which tests of a session fail, and whether they did so before it changed any code."""

from __future__ import annotations

import posixpath
import re

import msgspec

from leeboard.analysis.proof.run import CheckRun, runs
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.text.language import is_test_path, language_of

_CHANGES = 400
_DATA = frozenset({"json", "yaml", "html", "markdown", ""})


class Failing(msgspec.Struct, frozen=True, kw_only=True):
    """A test that failed and was not seen to pass since."""

    run: CheckRun
    """The newest run in which it failed."""
    untouched: bool
    """It failed with the code as the session found it."""


def failing(registry: Registry, path: str, name: str) -> Failing | None:
    """What is known of a test, or of the file it lies in; None where it did not fail or passed since."""
    newest: CheckRun | None = None
    first = 0
    for run in runs(registry, "tests"):
        if run.ok and newest is None:
            return None
        if run.ok is False and _concerns(run, path, name):
            newest, first = newest or run, run.turn
    if newest is None:
        return None
    return Failing(run=newest, untouched=not any(change.turn < first for change in code_changes(registry)))


def _concerns(run: CheckRun, path: str, name: str) -> bool:
    """A run that names nothing may mean any test."""
    if not run.names:
        return True
    base = posixpath.basename(path)
    bare = name.partition("[")[0]
    word = re.compile(rf"(?<![\w]){re.escape(bare)}(?![\w])") if bare else None
    folder = posixpath.dirname(path)
    return any(
        base in failed or (word and word.search(failed)) or (folder and failed.rstrip("/").endswith(folder))
        for failed in run.names
    ) or (bool(word) and any(failed in bare for failed in run.names if len(failed) > len("test_")))


def code_changes(registry: Registry) -> tuple[Entry, ...]:
    """Changes of code that is no test, the newest first."""
    return tuple(change for change in registry.newest("change", _CHANGES) if is_code(change.path))


def is_code(path: str) -> bool:
    return language_of(path) not in _DATA and not is_test_path(path)
