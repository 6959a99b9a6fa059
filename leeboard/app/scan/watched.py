"""A scan that stays: looked at again is what changed since the last look."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from leeboard.app.scan.page import ScanOptions, ScanPage, scan_page
from leeboard.app.scan.target import Target, find_targets

_SECONDS = 0.5
_LIST_AGAIN = 4
"""Looks between two listings: a new file is seen a little later than a changed one."""

Look = dict[Target, tuple[int, int]]


def rounds(
    paths: tuple[str, ...],
    asked: ScanOptions,
    *,
    ignored_too: bool = False,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[ScanPage]:
    """All files first, then a page for each round in which some changed, with those alone. It has no end of its own."""
    targets = find_targets(paths, ignored_too=ignored_too)[0]
    seen = _look(targets)
    yield scan_page(targets, asked, _nothing)
    number = 0
    while True:
        wait(_SECONDS)
        number += 1
        if number % _LIST_AGAIN == 0:
            targets = find_targets(paths, ignored_too=ignored_too)[0]
        now = _look(targets)
        changed = tuple(target for target, look in now.items() if seen.get(target) != look)
        seen = now
        if changed:
            yield scan_page(changed, asked, _nothing)


def _look(targets: tuple[Target, ...]) -> Look:
    found: Look = {}
    for target in targets:
        try:
            seen = os.stat(os.path.join(target.root, target.name))  # noqa: PTH116, PTH118 - names that are no valid text
        except OSError:
            continue
        found[target] = (seen.st_mtime_ns, seen.st_size)
    return found


def _nothing() -> None:
    """Nobody waits for the single file."""
