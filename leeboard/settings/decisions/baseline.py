"""The findings a project has accepted for now: one committed file, one line for each, known again wherever it moves.

An entry is known by its rule, its file and what the rule says of it, never by a line. Where its file is gone, the same
finding in another file is the one that moved there. Of a secret the file holds its kind, its name and sixteen bits of a
digest: enough to tell another value under the same name, too little to try values against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from leeboard.errors import ConfigError
from leeboard.rule import code_of
from leeboard.settings.decisions import BASELINE, committed_file
from leeboard.settings.decisions.committed_file import CommittedFile

FILE = BASELINE
LARGEST = 8 << 20


class AcceptedFinding(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A finding that a project has decided to live with, known again wherever its line moves."""

    path: str
    rule: str
    what: str
    """What the rule says of it, without path and line."""


class _File(CommittedFile, frozen=True):
    findings: tuple[AcceptedFinding, ...] = ()


class Matched(msgspec.Struct, frozen=True, kw_only=True):
    """Findings beside a baseline."""

    known: frozenset[AcceptedFinding] = frozenset()
    """Findings that are in it, as they are found now."""
    stale: tuple[AcceptedFinding, ...] = ()
    """Entries that stand for nothing any more."""


def parse(text: str, name: str = FILE) -> tuple[AcceptedFinding, ...]:
    """ConfigError for what is no baseline."""
    return committed_file.read(text, _File, name, "leeboard scan --write-baseline").findings


def known_entries(text: str | None) -> tuple[AcceptedFinding, ...]:
    """What a file accepted as it was then: one that could not be read accepted nothing."""
    try:
        return parse(text) if text else ()
    except ConfigError:
        return ()


def render(entries: Iterable[AcceptedFinding]) -> str:
    return committed_file.written("findings", sorted(set(entries)))


def match(
    entries: Iterable[AcceptedFinding],
    found: Iterable[AcceptedFinding],
    *,
    looked_at: Callable[[str], bool],
    is_there: Callable[[str], bool],
) -> Matched:
    """`looked_at`: whether the scan covered a path, or all that a file which is gone may have become; `is_there`:
    whether there is such a file.
    """
    accepted, seen = set(entries), set(found)
    known = accepted & seen
    left = accepted - known
    moved = Counter((entry.rule, entry.what) for entry in left if not is_there(entry.path))
    for entry in sorted(seen - known):
        if moved[entry.rule, entry.what]:
            moved[entry.rule, entry.what] -= 1
            known.add(entry)
    stale = [entry for entry in sorted(left) if _is_stale(entry, moved, looked_at, is_there)]
    return Matched(known=frozenset(known), stale=tuple(stale))


def _is_stale(
    entry: AcceptedFinding,
    unmoved: Counter[tuple[str, str]],
    looked_at: Callable[[str], bool],
    is_there: Callable[[str], bool],
) -> bool:
    if is_there(entry.path):
        return looked_at(entry.path)
    gone = unmoved[entry.rule, entry.what] > 0
    unmoved[entry.rule, entry.what] -= gone
    return gone and looked_at(entry.path)


def described(entry: AcceptedFinding) -> str:
    return f"{entry.path}: {code_of(entry.rule) or entry.rule} {entry.what}"
