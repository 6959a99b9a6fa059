"""A scan that stays: looked at again is what changed since the last look."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from posixpath import join

from msgspec.structs import replace

from leeboard.app.scan.page import ScanOptions, ScanPage, root_around, scan_page
from leeboard.app.scan.target import Target, find_targets
from leeboard.errors import LeeboardError
from leeboard.model.own_rule import RULES_FOLDER
from leeboard.settings.decisions.loosened import FILES, is_decision

_SECONDS = 0.5
_LIST_AGAIN = 4
"""Looks between two listings: a new file is seen a little later than a changed one."""

_Look = dict[Target, tuple[int, int, int]]


def rounds(
    paths: tuple[str, ...],
    asked: ScanOptions,
    *,
    ignored_too: bool = False,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[ScanPage]:
    """All files first, then a page for each round in which some changed or went, with those alone; with all of them
    after a change of what people have decided. It has no end of its own.
    """
    targets = find_targets(paths, ignored_too=ignored_too)[0]
    seen, decided = _look(targets), _look(_decisions(targets, paths))
    yield scan_page(targets, asked, _nothing)
    number = 0
    owed: frozenset[Target] = frozenset()
    while True:
        wait(_SECONDS)
        number += 1
        decided_then, decided = decided, _look(_decisions(targets, paths))
        is_decided_anew = decided != decided_then
        if is_decided_anew or number % _LIST_AGAIN == 0:
            targets = find_targets(paths, ignored_too=ignored_too)[0]
        now = _look(targets)
        gone = tuple(sorted(target.shown for target in seen.keys() - now.keys()))
        changed = {it for it, look in now.items() if seen.get(it) != look and not is_decision(it.name)}
        if is_decided_anew:
            changed = set(now)
        if changed or gone or is_decided_anew:
            page = _page(tuple(target for target in targets if target in changed or target in owed), asked)
            owed = frozenset() if page.scanned else owed | changed
            yield replace(page, gone=gone)
        seen = now


def _decisions(targets: tuple[Target, ...], paths: tuple[str, ...]) -> tuple[Target, ...]:
    """The files in which people decide: at the top of each work tree, wherever below it the scan looks."""
    roots = {target.root for target in targets} | {root_around(path) for path in paths}
    own = (join(RULES_FOLDER, name) for root in roots for name in _names_in(join(root, RULES_FOLDER)))
    names = sorted({*FILES, *own})
    return tuple(Target(name, root, name) for root in sorted(roots) for name in names)


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - as everywhere here, without pathlib
    except OSError:
        return []


def _page(targets: tuple[Target, ...], asked: ScanOptions) -> ScanPage:
    """A file of decisions may be half written, or hold the marks of a merge: its next change is waited for."""
    try:
        return scan_page(targets, replace(asked, whole=False), _nothing)
    except LeeboardError as error:
        return ScanPage(found=(), scanned=(), copies="", unheard=(str(error),), failed=True)


def _look(targets: tuple[Target, ...]) -> _Look:
    found: _Look = {}
    for target in targets:
        try:
            seen = os.stat(os.path.join(target.root, target.name))  # noqa: PTH116, PTH118 - names that are no valid text
        except OSError:
            continue
        found[target] = (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size)
    return found


def _nothing() -> None:
    """Nobody waits for the single file."""
