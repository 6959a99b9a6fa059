"""What a comparison with a baseline came to, remembered for as long as neither side changes.

Kept beside the digests, signed with this user's key: it is only a memory, and losing it costs the comparison.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec.structs import replace

from leeboard.io.digests.cache import cache_place, read_signed, write_signed
from leeboard.io.plan import layout
from leeboard.io.plan.folder import Folder
from leeboard.model.truth import Divergence

MOST = 500
"""Differences of a scope that are remembered."""
_STRIDE = 10
"""Ticks after which it is put down again that there was no difference."""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    """Of the baseline, the files and what is ignored."""
    baseline: str
    """Digest of its file, which is in order."""
    differs: tuple[Divergence, ...] = ()
    settled: int = -1
    """The last tick at which nothing differed: no line of the log before it explains or accuses anything."""
    log: int = -1
    """Bytes of the log then."""


class Memory:
    """Of one intent, by scope."""

    def __init__(self, folder: Folder, slug: str) -> None:
        self._place = cache_place(f"{folder.spelled(layout.intent_folder(slug))}\0compared")
        data = read_signed(self._place)
        try:
            self._scopes = msgspec.json.decode(data, type=dict[str, Compared]) if data is not None else {}
        except (ValueError, RecursionError):
            self._scopes = {}
        self._is_new = False

    @property
    def baselines(self) -> frozenset[str]:
        """Digests of those that are in order."""
        return frozenset(each.baseline for each in self._scopes.values())

    def get(self, scope: str, key: str) -> tuple[Divergence, ...] | None:
        """None where it has to be compared."""
        found = self._scopes.get(scope)
        return found.differs if found is not None and key and found.key == key else None

    def settled(self, scope: str) -> int:
        found = self._scopes.get(scope)
        return max(found.settled, 0) if found else 0

    def is_settled(self, scope: str, log: int) -> bool:
        """Whether nothing differed when the log was as long as it is now."""
        found = self._scopes.get(scope)
        return found is not None and found.log == log

    def put(self, scope: str, found: Compared) -> None:
        """`found.settled` is below zero where the log is not settled: then it stays as it was."""
        old = self._scopes.get(scope)
        if not found.key or len(found.differs) > MOST:
            self._is_new |= self._scopes.pop(scope, None) is not None
            return
        if found.settled < 0 and old is not None:
            found = replace(found, settled=old.settled, log=old.log)
        is_same = old is not None and (old.key, old.differs, old.log) == (found.key, found.differs, found.log)
        if old is None or not is_same or found.settled >= old.settled + _STRIDE:
            self._scopes[scope] = found
            self._is_new = True

    def keep(self) -> None:
        if self._is_new:
            write_signed(self._place, msgspec.json.encode(self._scopes))


def key_of(baseline: str, files: str, ignore: tuple[str, ...]) -> str:
    """Empty where one of both is not known."""
    return sha256(msgspec.json.encode([baseline, files, ignore])).hexdigest() if baseline and files else ""
