"""What each unit brought forth, as it was written: `stages/{stage}/produced/{unit}.jsonl`.

A line is one write to the end of the file, so units that run side by side, and agents on one unit, lose nothing of each
other's. Who wrote it and how the unit stood then is kept too: an agent that ends is asked by that what it owes.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan.folder import Folder
from leeboard.model.plan_place import PRODUCED
from leeboard.model.unit import Unit

MOST_BYTES = 1 << 20
"""Of a record that are read: the newest count."""


class Wrote(msgspec.Struct, frozen=True, kw_only=True):
    """A file that an agent wrote for a unit, relative to the tree the unit is worked on in."""

    path: str
    at: str = ""
    session: str = ""
    agent: str = ""
    """Empty for the main agent."""
    hat: str = ""
    bolt: int = 0
    passes: int = 0
    exchange: int = 0
    """How often the person had spoken in that session."""

    @property
    def what(self) -> tuple[str | int, ...]:
        """Everything but the time."""
        return self.path, self.session, self.agent, self.hat, self.bolt, self.passes, self.exchange


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes, and when."""

    session: str
    agent: str = ""
    at: str = ""
    exchange: int = 0


def record_outputs(home: str, slug: str, unit: Unit, paths: Iterable[str], writer: Writer) -> int:
    """Put down what was written for a unit as it stands now; how many lines that took. The same again takes none."""
    folder = Folder(home)
    place = _place(slug, unit.stage, unit.id)
    known = {line.what for line in _read(folder, place)}
    new = [
        Wrote(
            path=path,
            at=writer.at,
            session=writer.session,
            agent=writer.agent,
            hat=unit.hat,
            bolt=unit.bolt,
            passes=len(unit.passes),
            exchange=writer.exchange,
        )
        for path in dict.fromkeys(paths)
    ]
    added = [line for line in new if line.what not in known]
    for line in added:
        folder.append(place, msgspec.json.encode(line))
    return len(added)


def produced(home: str, slug: str, stage: str, unit: str) -> tuple[str, ...]:
    """The files a unit brought forth, in the order they came."""
    return tuple(dict.fromkeys(line.path for line in written(home, slug, stage, unit)))


def written(home: str, slug: str, stage: str, unit: str) -> tuple[Wrote, ...]:
    """Everything that was put down for a unit, oldest first."""
    return _read(Folder(home), _place(slug, stage, unit))


def _place(slug: str, stage: str, unit: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/{PRODUCED}/{unit}.jsonl"


def _read(folder: Folder, place: str) -> tuple[Wrote, ...]:
    lines = (_decoded(line) for line in folder.tail(place, MOST_BYTES).splitlines())
    return tuple(line for line in lines if line is not None)


def _decoded(line: bytes) -> Wrote | None:
    """None for a half line of a writer that was killed."""
    try:
        return msgspec.json.decode(line, type=Wrote)
    except (ValueError, RecursionError):
        return None
