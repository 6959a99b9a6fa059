"""What the core may ask of the stored world. Two implementations exist: SQLite and memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from leeboard.model.contract import Allowance
from leeboard.model.ledger import Rows
from leeboard.model.outcome import Outcome, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict


class Transaction(Protocol):
    """One short write transaction over one session. Leaving it without `commit` changes nothing."""

    def session(self, session_id: str) -> Session | None: ...

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows: ...

    def answered(self, session_id: str, key: str) -> Verdict | None: ...

    def commit(self, outcome: Outcome) -> None: ...

    def __enter__(self) -> Transaction: ...

    def __exit__(self, *exc_info: object) -> None: ...


class Store(Protocol):
    """Sessions and what belongs to them."""

    def session(self, session_id: str) -> Session | None: ...

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows: ...

    def answered(self, session_id: str, key: str) -> Verdict | None: ...

    def allowances(self, project: str, session_id: str) -> tuple[Allowance, ...]: ...

    def transaction(self, session_id: str) -> Transaction: ...

    def past_steps(
        self, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
    ) -> tuple[Step, ...]: ...
