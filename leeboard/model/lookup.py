"""What may be asked of the stored world. Two implementations exist: SQLite and memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, Self

import msgspec

from leeboard.model.contract import Allowance, Held
from leeboard.model.known import Knowledge, Known
from leeboard.model.ledger import Entry, Kind, Rows
from leeboard.model.outcome import Capture, Judged, Offer, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.symbol import Symbols
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
    """Where a command was run; empty for a hook, whose session tells."""


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
    def knowledge(self) -> Knowledge:
        """What the agents of the session know of files."""

    def remembering(self, entries: tuple[Entry, ...]) -> Surroundings:
        """The same with these on top of the registry."""


class Transaction(Protocol):
    """One short write transaction over one session. Leaving it without `commit` changes nothing."""

    def session(self, session_id: str) -> Session | None: ...

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows: ...

    def entries(self, session_id: str, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        """Of the registry, newest first."""

    def newest(self, session_id: str, kind: Kind, limit: int) -> tuple[Entry, ...]: ...

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None: ...

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """Of all agents or of one, without the digests of lines."""

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
        """Of the registry, newest first."""

    def newest(self, session_id: str, kind: Kind, limit: int) -> tuple[Entry, ...]: ...

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None: ...

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """Of all agents or of one, without the digests of lines."""

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        """Who left the file so, newest first, without the digests of lines."""

    def answered(self, session_id: str, key: str) -> Verdict | None: ...

    def allowances(self, project: str, session_id: str, now: float) -> tuple[Allowance, ...]: ...

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

    def allow(self, allowance: Allowance, project: str) -> None: ...

    def revoke(self, allowance_id: str) -> bool:
        """False when there is no such allowance."""

    def mark_abandoned(self, before: float) -> int:
        """Give up active sessions without a sign of life since `before`; how many there were."""

    def purge(self, before: float) -> int:
        """Forget what is older: sessions and all that belongs to them, receipts, run-out allowances."""
