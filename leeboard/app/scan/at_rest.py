"""What lies in a work tree already, told apart from what somebody is about to commit.

A session refuses what an agent writes, and `--diff` and `--staged` look at a change. A scan of a tree looks at what is
there: of a line that was committed before, some findings are worth a look and no more, or only a line in the log
(`Signal.at_rest`). Code that has been read and has run is seldom wrong where a new line of the same form often is. A
line that git does not have yet is one that is being written. Where no git takes the file, all of it lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan
from leeboard.io.git.tree_files import CommittedFiles, DiskFiles
from leeboard.model.verdict import PlacedFinding

MOST = 0.8
"""How sure such a one is at most: it is told at a pause."""


def laid_to_rest(targets: tuple[Target, ...], scanned: tuple[FileScan, ...]) -> Iterator[FileScan]:
    """The scans, with what was committed before at most queued, or logged, where its rule says so."""
    for target, one in zip(targets, scanned, strict=True):
        if not any(map(_is_asked, (*one.found, *one.decided))):
            yield one
            continue
        lies = _lying(target)
        yield replace(one, found=_each(one.found, lies), decided=_each(one.decided, lies))


def _is_asked(item: PlacedFinding) -> bool:
    return bool(item.at_rest) and item.disposition in ("FIRE", "QUEUE") and item.disposition != item.rests_at


def _each(items: tuple[PlacedFinding, ...], lies: Callable[[str], bool]) -> tuple[PlacedFinding, ...]:
    return tuple(_rested(item) if _is_asked(item) and lies(item.text) else item for item in items)


def _rested(item: PlacedFinding) -> PlacedFinding:
    if item.rests_at == "LOG":
        return replace(item, disposition="LOG", confidence=min(item.confidence, MOST), note=item.at_rest)
    told = f"{item.message} Worth a look and no more where it lies already: {item.at_rest}."
    return replace(item, disposition="QUEUE", confidence=min(item.confidence, MOST), message=told)


def _lying(target: Target) -> Callable[[str], bool]:
    """Whether a line of this file was committed before, or no git takes the file."""
    if DiskFiles(target.root).ignored(target.name) is not False:
        return lambda _line: True
    text = CommittedFiles(target.root).text(target.name) or ""
    return frozenset(line.strip() for line in text.split("\n")).__contains__
