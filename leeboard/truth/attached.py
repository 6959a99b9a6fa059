"""Files that the user attaches to a prompt with `@path`: the client shows them to the agent, and no call tells of it.

A mention counts where such a text lies in the work tree; addresses, decorators and names of packages do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from leeboard.model.event import PromptGiven
from leeboard.model.known import Disk, FileState, Knowledge, Known, Ranges
from leeboard.model.text import lazy
from leeboard.model.workspace import is_inside
from leeboard.model.world import World
from leeboard.truth.change import seen_again
from leeboard.truth.state import joined, row_of, state_of

MOST_FILES = 20
MOST_WORDS = 200
"""That are looked up on the disk: a text that was pasted in may be full of them."""
MOST_LINES = 2_000
"""Clients show no more of a file by themselves."""
_MENTION = lazy(r'(?<!\S)@(?:"([^"\n]{1,1000})"|([^\s"]\S{0,999}\b))')
_LINES = lazy(r"L(\d{1,7})(?:-L?(\d{1,7}))?$")

Span = tuple[int, int]
"""The first and the last line that are asked for; zeros: all of them."""


def attached(world: World, knowledge: Knowledge) -> tuple[Known, ...]:
    """What the agent knows of the files that it is shown with a prompt."""
    event, disk = world.analysis.event, knowledge.disk
    if not isinstance(event, PromptGiven) or not event.is_live or disk is None or not world.secret_key:
        return ()
    rows = []
    for path, spans in _files(event, world, disk).items():
        now = state_of(disk.text(path) or "", world.secret_key)
        known = knowledge.known(event.agent, path)
        seen = _seen(known, now, joined(*(_shown(span, now) for span in spans)))
        wrote = known is not None and known.wrote and known.digest == now.digest
        rows += [row_of(event, disk, path, now, seen, wrote=wrote)] if seen or not now.count else []
    return tuple(rows)


def _files(event: PromptGiven, world: World, disk: Disk) -> dict[str, list[Span]]:
    """The texts that are mentioned, and which parts of them."""
    found: dict[str, list[Span]] = {}
    for word, span in mentioned(event.text):
        path = world.workspace.spell(word, event.cwd)
        is_new = len(found) < MOST_FILES and is_inside(path) and disk.text(path) is not None
        if path in found or is_new:
            found.setdefault(path, []).append(span)
    return found


def mentioned(text: str) -> Iterator[tuple[str, Span]]:
    """Each word that may be a path, as it is written: `@a.py`, `@"my notes.md"`, `@a.py#L3`, `@a.py#L10-20`."""
    for found in islice(_MENTION.finditer(text), MOST_WORDS):
        path, _, behind = (found[1] or found[2]).partition("#")
        lines = _LINES.match(behind)
        first, last = (int(lines[1]), int(lines[2] or lines[1])) if lines else (0, 0)
        yield path, (first, last)


def _shown(span: Span, now: FileState) -> Ranges:
    first = max(span[0], 1)
    last = min(span[1] or now.count, now.count, first + MOST_LINES - 1)
    return ((first, last),) if first <= last else ()


def _seen(known: Known | None, now: FileState, shown: Ranges) -> Ranges:
    """None of it where what changed since was not shown: that stays news."""
    if known is None or not shown:
        return shown
    return joined(known.seen, shown) if known.digest == now.digest else seen_again(known, now, shown) or ()
