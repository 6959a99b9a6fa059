"""What may be asked of the stored world. Two implementations exist: SQLite and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Protocol, Self

import msgspec

from leeboard.model.contract import Allowance, Held
from leeboard.model.known import Disk, Knowledge, Known
from leeboard.model.ledger import Entry, Kind, Rows
from leeboard.model.outcome import Capture, Judged, Offer, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.symbol import Symbols
from leeboard.model.unsaved import NOBODY_KNOWS, Unsaved
from leeboard.model.verdict import Finding, Verdict


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """How far a growing file was read; another inode at the same path is another file."""

    path: str
    inode: int = 0
    offset: int = 0
    session: str = ""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """That a surface was asked something, how long it took and how it ended: failures stay visible here."""

    ts: float
    """Epoch seconds."""
    event: str
    outcome: str
    session: str = ""
    ms: float = 0.0
    note: str = ""
    project: str = ""
    """Where a command was run, or the session of a hook works; empty in receipts of earlier versions' hooks."""
    client: str = ""
    """Whose hook it was, by the folder in `leeboard.clients`; empty where it was none."""
    agent: str = ""
    """Empty for the main agent."""
    call: str = ""
    """The client's own id of the tool call, where the hook was about one."""
    place: str = ""
    """`worktree` where the agent works in a linked work tree of the project; else empty."""
    slow: str = ""
    """The rules that took longest for it, with their milliseconds, as JSON; empty where none took any time."""


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """That hooks of one kind were heard in a project: the newest receipt of them, and how many there were."""

    client: str
    event: str
    """The client's own name of it; `canary` for the self-test at the start of a session."""
    part: str
    """Who was working: `main` or `sub-agent`, with ` in a worktree` where it was one."""
    ts: float
    count: int = 1


class Registry(Protocol):
    """What the session read, built, fetched and decided, under an overlay of what this event adds. Newest first."""

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]: ...

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]: ...


class Files(Protocol):
    """Files of the work tree as they are now."""

    def text(self, path: str) -> str | None:
        """None where there is none, it can not be read, is not text or is too large."""

    def exists(self, path: str) -> bool | None:
        """None where nobody knows."""

    def lies_at(self, place: str) -> bool | None:
        """The same of a whole path or one below `~/`, wherever it is: what would be copied into the work tree."""

    def ignored(self, path: str) -> bool | None:
        """Whether git ignores it; None where nobody knows."""


class BaseFiles(Files, Protocol):
    """Files as they were at the commit the work began at."""


class Surroundings(Registry, Protocol):
    """What rules may look things up in while one event is judged."""

    @property
    def files(self) -> Files: ...

    @property
    def symbols(self) -> Symbols | None:
        """None where the work tree is not indexed."""

    @property
    def base(self) -> BaseFiles:
        """The work tree as it was when the work began."""

    @property
    def unsaved(self) -> Unsaved:
        """Work that is in one place alone."""

    @property
    def knowledge(self) -> Knowledge:
        """What the agents of the session know of files."""

    def remembering(self, entries: tuple[Entry, ...]) -> Surroundings:
        """The same with these on top of the registry."""


class Transaction(Protocol):
    """One short write transaction over one session. Leaving it without `commit` changes nothing."""

    def session(self, session_id: str) -> Session | None: ...

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows: ...

    def entries(self, session_id: str, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        """Rows of the registry, newest first."""

    def newest(self, session_id: str, kind: Kind, limit: int) -> tuple[Entry, ...]: ...

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None: ...

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """What all agents know, or one, without the digests of lines."""

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        """Who left the file so, newest first, without the digests of lines."""

    def answered(self, session_id: str, key: str) -> Verdict | None: ...

    def commit(self, outcome: Outcome) -> None:
        """Keep it, one version on. Refuses (StateError) a session that was loaded before a sibling moved it."""

    def set_cursor(self, cursor: Cursor) -> None:
        """Move the cursor together with what was read up to it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc_info: object) -> None: ...


class Store(Protocol):
    """Sessions and what belongs to them."""

    def session(self, session_id: str) -> Session | None: ...

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows: ...

    def entries(self, session_id: str, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        """Rows of the registry, newest first."""

    def newest(self, session_id: str, kind: Kind, limit: int) -> tuple[Entry, ...]: ...

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None: ...

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """What all agents know, or one, without the digests of lines."""

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        """Who left the file so, newest first, without the digests of lines."""

    def answered(self, session_id: str, key: str) -> Verdict | None: ...

    def revoke(self, allowance_id: str) -> bool:
        """False when there is no such allowance."""

    def allowances(self, project: str, session_id: str | None, now: float) -> tuple[Allowance, ...]:
        """What holds in the whole project, and what holds in this session alone; None: in any one session."""

    def cursor(self, path: str) -> Cursor | None: ...

    def transaction(self, session_id: str) -> Transaction: ...

    def receipt(self, receipt: Receipt) -> None: ...

    def past_steps(
        self, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
    ) -> tuple[Step, ...]: ...


class Archive(Store, Protocol):
    """What people ask of a store, beyond what steering needs. Lists are newest first unless they tell a story."""

    def sessions(self, project: str | None, limit: int) -> tuple[Session, ...]: ...

    def held(self, root: str) -> Held | None:
        """What the newest words in a work tree promised, without their session."""

    def steps(self, session_id: str) -> tuple[Step, ...]:
        """In the order they were taken."""

    def verdicts(self, session_id: str) -> tuple[Verdict, ...]:
        """In the order they were given."""

    def verdict(self, verdict_id: str) -> Verdict | None:
        """By id or by the start of one; ConfigError when several start so."""

    def findings(self, verdict_id: str) -> tuple[Finding, ...]: ...

    def corrections(self, session_id: str) -> tuple[Offer, ...]:
        """Each once, in its latest state, in the order they were made."""

    def signals(self, session_id: str) -> tuple[Judged, ...]:
        """Each once, in its latest state, in the order they were detected."""

    def signal(self, signal_id: str) -> Judged | None:
        """By id or by the start of one; ConfigError when several start so."""

    def captures(self, project: str) -> tuple[Capture, ...]: ...

    def receipts(self, limit: int) -> tuple[Receipt, ...]: ...

    def hook_receipts(self, project: str, limit: int) -> tuple[Receipt, ...]:
        """Those of hooks in sessions of one project, however much happened in others meanwhile."""

    def heartbeats(self, project: str) -> tuple[Heartbeat, ...]:
        """Which hooks were heard in a project, by client, event and part."""

    def calls_heard(self, session_id: str, at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
        """The tool calls of a session that a hook was about, and since when receipts name them; zero: none does. `at`
        names the events that count; all do where it names none.
        """

    def receipts_ended(self, outcome: str, limit: int) -> tuple[Receipt, ...]:
        """Those that ended so, wherever."""

    def allow(self, allowance: Allowance, project: str) -> None: ...

    def mark_abandoned(self, before: float) -> int:
        """Give up active sessions without a sign of life since `before`; how many there were."""

    def purge(self, before: float) -> int:
        """Forget what is older: sessions and all that belongs to them, receipts, run-out allowances."""


# What rules look things up in while one event is judged: the work tree, the registry, what agents know of files.


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
    unsaved: Unsaved = NOBODY_KNOWS
    """What a line may take away for good. It remembers its answers: none is asked for while others wait."""


class KnownFiles:
    """What the agents of a session know of files, beside the files themselves."""

    def __init__(self, reader: Store | Transaction, session_id: str, disk: Disk | None) -> None:
        self._reader = reader
        self._session_id = session_id
        self.disk = disk
        self._read: dict[tuple[str, str], Known | None] = {}
        self._newest: dict[int, tuple[Known, ...]] = {}
        """What all agents know, by how many were asked for."""

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
        self._knowledge: KnownFiles | None = None

    @property
    def files(self) -> Files:
        return self._tree.files

    @property
    def symbols(self) -> Symbols | None:
        return self._tree.symbols()

    @property
    def base(self) -> BaseFiles:
        return self._tree.base

    @property
    def unsaved(self) -> Unsaved:
        return self._tree.unsaved

    @property
    def knowledge(self) -> KnownFiles:
        if self._knowledge is None:
            self._knowledge = KnownFiles(self._reader, self._session_id, self._tree.disk)
        return self._knowledge

    def remembering(self, entries: tuple[Entry, ...]) -> Around:
        if not entries:
            return self
        more = Around(self._reader, self._session_id, self._tree, (*self._added, *entries))
        more._knowledge = self._knowledge
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
