"""Comments that let a finding stand, in the files that a shell line may change: what of them came while it ran.

A comment in the words of a line is judged before the line runs. One that a program puts together is seen here, whatever
program it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from leeboard.io.git.tree_files import CommittedFiles, DiskFiles
from leeboard.model.lookup import Files
from leeboard.model.text import digest
from leeboard.secrets.redaction import redact

if TYPE_CHECKING:
    from leeboard.settings.decisions.suppression import Suppression

MOST_FILES = 200
MOST_TOLD = 8
_MARK = "leeboard:"

Comments = Mapping[str, tuple[str, ...]]
"""By path, each as the digest of what it says: the words of a file are kept nowhere."""


def comments_in(root: str, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Only files that have some."""
    disk, found = DiskFiles(root), {}
    for path in list(dict.fromkeys(paths))[:MOST_FILES]:
        if said := tuple(map(_known_as, _comments(disk, path))):
            found[path] = said
    return found


def brought(root: str, paths: Iterable[str], before: Comments, dirty: Iterable[str], command: str) -> tuple[str, ...]:
    """As `path:line`. What a file of the last commit had, or another of these files that lost it, is not new; nor is
    what stands in the line itself, for that was judged. `before` tells of all `dirty` files.
    """
    disk, committed, known = DiskFiles(root), CommittedFiles(root), set(dirty)
    now = {path: _comments(disk, path) for path in list(dict.fromkeys((*paths, *before)))[:MOST_FILES]}
    if not any(now.values()):
        return ()
    had = Counter(one for path in now for one in _before(path, before, committed, known))
    judged = _said(command, "")
    found = []
    for path, comments in now.items():
        for one in comments:
            had[_known_as(one)] -= 1
            if had[_known_as(one)] < 0 and not any(_is_in(one, other) for other in judged):
                found.append(f"{redact(path)}:{one.line}")
    return tuple(found[:MOST_TOLD])


def _is_in(one: Suppression, line: Suppression) -> bool:
    """Behind the reason that is written stands the rest of the line."""
    return one.rules == line.rules and line.reason.startswith(one.reason)


def _before(path: str, before: Comments, committed: Files, dirty: set[str]) -> tuple[str, ...]:
    if path in before or path in dirty:
        return before.get(path, ())
    return tuple(map(_known_as, _comments(committed, path)))


def _known_as(one: Suppression) -> str:
    return digest(repr(one.said), 12)


def _comments(files: Files, path: str) -> tuple[Suppression, ...]:
    text = files.text(path)
    return _said(text, path) if text and _MARK in text else ()


def _said(text: str, path: str) -> tuple[Suppression, ...]:
    if _MARK not in text:
        return ()
    from leeboard.settings.decisions.suppression import (  # noqa: PLC0415 - hardly any text has one
        has_comments,
        suppressions_in,
    )

    return (
        tuple(one for one in suppressions_in(text, path) if not one.problem) if not path or has_comments(path) else ()
    )
