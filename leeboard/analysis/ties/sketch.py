"""The names in what an agent read, was shown and wrote, kept as short digests: enough to know one again, no text.

A row of the registry holds the names of one result or of one edit. Judging an edit looks at the newest of them, so that
what is asked is how *rare* a shared name is and how much of an edit is known, never how much a long session has seen.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

from leeboard.analysis.ties.wording import TEXT_READ, names_in, wording_of
from leeboard.model.event import ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.workspace import Workspace, is_inside
from leeboard.model.world import Analysis
from leeboard.secrets.redaction import redact_start

Doc = Literal["wrote", "read", "shown"]

WINDOW = 160
"""Rows that are looked back over."""
SHOWN_READ = 4_000
"""Characters of a result whose names are kept: its beginning says what it is about."""

_WIDTH = 4
_SEARCHES = frozenset({"grep", "glob", "ls"})


@lru_cache(maxsize=16_384)
def mark(name: str) -> str:
    """The four characters a name is known by."""
    crc = binascii.crc32(name.encode()).to_bytes(4, "big")
    return binascii.b2a_base64(crc[:3], newline=False).decode("ascii")


def marks(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(mark, names))


@lru_cache(maxsize=1_024)
def unpacked(data: str) -> frozenset[str]:
    return frozenset(data[at : at + _WIDTH] for at in range(0, len(data), _WIDTH))


def sketch_entries(event: ToolFinished, analysis: Analysis, turn: int, place: Workspace) -> Iterator[Entry]:
    """The rows a finished call adds: what it wrote, or what it showed of which file."""
    if event.outcome == "denied":
        return
    changed = [path for path in analysis.modified if is_inside(path)]
    if changed and event.outcome == "done":
        wording = wording_of(event, place)
        for path in changed[:16]:
            told = wording.of(path)
            yield _row(event, turn, "wrote", path, told.names, told.added)
        return
    reads = [touch.path for touch in analysis.touches if touch.kind == "read" and is_inside(touch.path)]
    file_read = event.call.action == "read" and event.call.tool.lower() not in _SEARCHES and bool(reads)
    names = names_in(redact_start(event.output, SHOWN_READ if file_read else TEXT_READ)[:SHOWN_READ])
    if file_read:
        yield _row(event, turn, "read", reads[0], names)
        return
    if names:
        yield _row(event, turn, "shown", "", names)
    for path in reads[:8]:
        yield _row(event, turn, "read", path, ())


def _row(event: ToolFinished, turn: int, doc: Doc, path: str, names: Iterable[str], added: Iterable[str] = ()) -> Entry:
    return Entry(
        kind="sketch",
        key=doc,
        path=path,
        turn=turn,
        agent=event.agent,
        call=event.call.id,
        data="".join(sorted(marks(names))),
        text="".join(sorted(marks(added))),
    )
