"""What lies in a work tree already, told apart from what somebody is about to commit.

A session refuses what an agent writes, and `--diff` and `--staged` look at a change. A scan of a tree looks at what
is there: of a line that was committed before, some findings are worth a look and no more, or only a line in the log
(`Signal.at_rest`). Code that has been read and has run is seldom wrong where a new line of the same form often is. A
line that git does not have yet is one that is being written, and so is a way on which one line is new or gone. Where
no git takes the file, all of it lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from msgspec.structs import replace

from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan
from leeboard.io.git.tree_files import CommittedFiles, DiskFiles
from leeboard.model.text import lazy
from leeboard.model.verdict import PlacedFinding

MOST = 0.8
"""How sure such a one is at most: it is told at a pause."""
_NAME = lazy(r"[^\W\d]\w*")


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


def _each(items: tuple[PlacedFinding, ...], lies: Callable[[PlacedFinding], bool]) -> tuple[PlacedFinding, ...]:
    return tuple(_rested(item) if _is_asked(item) and lies(item) else item for item in items)


def _rested(item: PlacedFinding) -> PlacedFinding:
    if item.rests_at == "LOG":
        return replace(item, disposition="LOG", confidence=min(item.confidence, MOST), note=item.at_rest)
    told = f"{item.message} Worth a look and no more where it lies already: {item.at_rest}."
    return replace(item, disposition="QUEUE", confidence=min(item.confidence, MOST), message=told)


def _lying(target: Target) -> Callable[[PlacedFinding], bool]:
    """Whether what was found in this file was committed before, or no git takes the file."""
    files = DiskFiles(target.root)
    if files.ignored(target.name) is not False:
        return lambda _item: True
    committed = CommittedFiles(target.root).text(target.name) or ""
    return _Compared(committed, files.text(target.name) or "").lies


class _Compared:
    """A file as it was committed, and as it is."""

    def __init__(self, committed: str, text: str) -> None:
        self._is_same = committed == text
        self._lines = [line.strip() for line in text.split("\n")]
        self._known = frozenset(line.strip() for line in committed.split("\n"))
        self._committed = _joined(line.strip() for line in committed.split("\n"))

    def lies(self, item: PlacedFinding) -> bool:
        """Of what takes a way, all from its first line to its last stood there before: a line that was taken out may
        have been a check. A new line elsewhere that names the function or the call, as a route or an import does, may
        be what makes it dangerous.
        """
        if self._is_same or not item.steps:
            return self._is_same or item.text in self._known
        way = (item.line, *item.steps)
        block = _joined(self._lines[min(way) - 1 : max(way)])
        return block in self._committed and not self._names_of(item) & self._written

    @cached_property
    def _written(self) -> frozenset[str]:
        """Names in lines that are new."""
        return frozenset(name for line in self._lines if line not in self._known for name in _NAME.findall(line))

    def _names_of(self, item: PlacedFinding) -> frozenset[str]:
        """Of the function it lies in, and of the call that it reaches."""
        within, _, reached = item.what.partition(":")
        return frozenset(_NAME.findall(f"{within} {reached.partition(':')[2]}"))


def _joined(lines: Iterable[str]) -> str:
    """Line by line, without the empty ones; none of them is found as a part of another."""
    return "".join(f"\n{line}\n" for line in lines if line)
