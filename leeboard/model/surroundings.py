"""What rules look things up in while one event is judged: the work tree, the registry, what agents know of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec

from leeboard.model.known import Disk, Known
from leeboard.model.ledger import Entry, Kind
from leeboard.model.lookup import BaseFiles, Files, Store, Transaction
from leeboard.model.symbol import Symbols


class _NoFiles:
    """Nobody knows the work tree: a recording without its repository."""

    def text(self, path: str) -> str | None:  # noqa: ARG002 - as the protocol has it
        return None

    def exists(self, path: str) -> bool | None:  # noqa: ARG002 - as above
        return None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - as above
        return None

    def ignored(self, path: str) -> bool | None:  # noqa: ARG002 - as above
        return None


NO_FILES = _NoFiles()


def no_symbols() -> Symbols | None:
    return None


class Tree(msgspec.Struct, frozen=True):
    """The work tree as far as anybody knows it."""

    files: Files = NO_FILES
    symbols: Callable[[], Symbols | None] = no_symbols
    """Opened when a rule asks."""
    base: BaseFiles = NO_FILES
    """As it was when the work began."""
    disk: Disk | None = None
    """As it is now, to be compared with what agents knew; None in a recording."""


class KnownFiles:
    """What the agents of a session know of files, beside the files themselves."""

    def __init__(self, reader: Store | Transaction, session_id: str, disk: Disk | None) -> None:
        self._reader = reader
        self._session_id = session_id
        self.disk = disk
        self._read: dict[tuple[str, str], Known | None] = {}
        self._newest: dict[int, tuple[Known, ...]] = {}
        """Of all agents, by how many were asked for."""

    def known(self, agent: str, path: str) -> Known | None:
        """Read once: a rule asks before it loads what compares files, and again when it does."""
        if self.disk is None:
            return None
        if (agent, path) not in self._read:
            self._read[agent, path] = self._reader.known(self._session_id, agent, self.disk.root, path)
        return self._read[agent, path]

    def newest_known(self, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """Read once for a line that ran: for what it left of all files, and for what it undid of the agent's own."""
        if self.disk is None:
            return ()
        rows = self._newest.get(limit)
        if rows is not None and agent is not None and len(rows) < limit:
            return tuple(row for row in rows if row.agent == agent)
        if rows is None or agent is not None:
            rows = self._reader.newest_known(self._session_id, self.disk.root, limit, agent)
        if agent is None:
            self._newest[limit] = rows
        return rows

    def writers(self, path: str, digest: str) -> tuple[Known, ...]:
        return self._reader.writers(self.disk.root, path, digest) if self.disk else ()


class Around:
    """The work tree and the session's registry, for one event: what is in the store under what was added since."""

    def __init__(self, reader: Store | Transaction, session_id: str, tree: Tree, added: tuple[Entry, ...] = ()) -> None:
        self._reader = reader
        self._session_id = session_id
        self._tree = tree
        self._added = added

    @property
    def files(self) -> Files:
        return self._tree.files

    @property
    def symbols(self) -> Symbols | None:
        return self._tree.symbols()

    @property
    def base(self) -> BaseFiles:
        return self._tree.base

    @cached_property
    def knowledge(self) -> KnownFiles:
        return KnownFiles(self._reader, self._session_id, self._tree.disk)

    def remembering(self, entries: tuple[Entry, ...]) -> Around:
        if not entries:
            return self
        more = Around(self._reader, self._session_id, self._tree, (*self._added, *entries))
        more.knowledge = self.knowledge
        return more

    @cached_property
    def _newest_first(self) -> dict[Kind, list[Entry]]:
        """What was added, by kind: a call that writes thousands of things adds thousands of rows."""
        by_kind: dict[Kind, list[Entry]] = {}
        for entry in reversed(self._added):
            by_kind.setdefault(entry.kind, []).append(entry)
        return by_kind

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = tuple(keys)
        stored = self._reader.entries(self._session_id, kind, wanted)
        own = self._newest_first.get(kind) if self._added else None
        return (*(entry for entry in own if entry.key in wanted), *stored) if own else stored

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        own = self._newest_first.get(kind) if self._added else None
        if not own:
            return self._reader.newest(self._session_id, kind, limit)
        return (*own[:limit], *self._reader.newest(self._session_id, kind, max(0, limit - len(own))))
