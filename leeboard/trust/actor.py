"""What in a repository may act here: what would run, loosen the guard or be told to agents, and what a person trusted.

An Actor is one such thing as it lies there now, known by the digest of what it says. A Record keeps, for one
repository, the digests that were trusted, beside the words they were shown in, so that a change can be shown too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

MOST_KEPT = 300
"""Digests of one part: several branches may each have their own."""
LONGEST_KEPT = 2_000
"""Characters of a line that is kept to show a change by; the digest is of all of it."""


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a repository that acts once it is trusted."""

    part: str
    """What it is, the same through all its changes: `settings:leeboard.toml`, `gates:login`."""
    digest: str
    """The digest of what it says now; empty where nobody can read it, and then it is never trusted."""
    place: str
    """The file or folder, from the top of the work tree."""
    does: str
    """What it would do, in a few words."""
    shown: tuple[str, ...] = ()
    """Exactly what would run, loosen or be told, a line for each."""
    acts: bool = True
    """Not of a plan that is over: it has to be trusted before it is taken up again, and does nothing until then."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """One digest that counts, and how it came to that."""

    digest: str
    shown: tuple[str, ...] = ()
    by: str = ""
    """`person`, or `made here`: by our own engine, or by a command that a person ran."""
    at: str = ""


class TrustRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has trusted in a repository, each part by the digest it had then."""

    repository: str
    """The real path of what its work trees have in common."""
    parts: dict[str, tuple[Granted, ...]] = {}
    version: int = 1

    def trusts(self, part: str, digest: str) -> bool:
        return bool(digest) and any(each.digest == digest for each in self.parts.get(part, ()))

    def knows(self, part: str) -> bool:
        """Whether this part was trusted before, as it is now or as it was then."""
        return bool(self.parts.get(part))


def asleep(actors: Iterable[Actor], record: TrustRecord) -> tuple[Actor, ...]:
    return tuple(actor for actor in actors if not record.trusts(actor.part, actor.digest))


def granted(record: TrustRecord, actors: Iterable[Actor], by: str, at: str) -> TrustRecord:
    """The record with these as they are now; what was trusted before stays, for the branches that have it."""
    parts = dict(record.parts)
    for actor in actors:
        others = tuple(each for each in parts.get(actor.part, ()) if each.digest != actor.digest)
        new = Granted(digest=actor.digest, shown=tuple(map(_kept, actor.shown)), by=by, at=at)
        parts[actor.part] = (*others, new)[-MOST_KEPT:]
    return replace(record, parts=parts)


def revoked(record: TrustRecord, parts: Iterable[str]) -> TrustRecord:
    gone = set(parts)
    return replace(record, parts={part: kept for part, kept in record.parts.items() if part not in gone})


def difference(record: TrustRecord, actors: Sequence[Actor]) -> tuple[str, ...]:
    """How the lines of a part differ from what was trusted of it; `- ` for what is gone, `+ ` for what came.

    Nothing where nothing of it was ever trusted. `actors` are all of the part, as they are now: where one thing was
    trusted at a time the newest is compared, and of a part that is several things all of them.
    """
    kept = record.parts.get(actors[0].part, ()) if actors else ()
    if not kept:
        return ()
    several = len(actors) > 1 or actors[0].part.startswith("gates:")
    before = dict.fromkeys(line for each in (kept if several else kept[-1:]) for line in each.shown)
    now = dict.fromkeys(_kept(line) for actor in actors for line in actor.shown)
    return (*(f"- {line}" for line in before if line not in now), *(f"+ {line}" for line in now if line not in before))


def _kept(line: str) -> str:
    return line[:LONGEST_KEPT]
