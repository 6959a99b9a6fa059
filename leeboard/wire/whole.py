"""The rewriting of an answer that comes as one JSON object: kept until it is there, judged by the same docket."""

from __future__ import annotations

from typing import Any, Protocol

from leeboard.errors import WireError
from leeboard.wire.docket import Docket
from leeboard.wire.seam import HELD_LIMIT, UNCHECKED, CallRuling, Carried, Reasoning, Summary
from leeboard.wire.sse import TOO_LONG, read_object, too_long, write_json


class AnswerShape(Protocol):
    """How one API writes an answer that comes whole."""

    def read(self, body: dict[str, Any]) -> tuple[Reasoning, ...]:
        """Puts the calls on the docket, complete, and returns what was said beside them."""

    def write(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer as the rulings want it, when all are there."""


class WholeRewriter:
    """A ResponseRewriter for an answer that is no stream."""

    keep_alive = b""

    def __init__(
        self, docket: Docket, shape: AnswerShape, limit: int = HELD_LIMIT, unread: CallRuling = UNCHECKED
    ) -> None:
        self._docket = docket
        self._shape = shape
        self._limit = limit
        self._unread = unread
        self._pieces: list[bytes] = []
        self._size = 0
        self._body: dict[str, Any] | None = None
        self._is_blind = False

    @property
    def holding(self) -> bool:
        return bool(self._pieces)

    @property
    def waiting(self) -> frozenset[str]:
        return self._docket.waiting

    @property
    def summary(self) -> Summary:
        return self._docket.summary

    def feed(self, chunk: bytes) -> Carried:
        if self._is_blind:
            return Carried(chunk)
        self._size += len(chunk)
        if self._size > self._limit and self._unread.verdict == "withhold":
            self._docket.error = TOO_LONG
            self._pieces = [write_json(too_long())]
            return Carried()
        self._pieces.append(chunk)
        return Carried(self.give_up()) if self._size > self._limit else Carried()

    def rule(self, call_id: str, ruling: CallRuling) -> bytes:
        return self._written() if self._docket.rule(call_id, ruling) else b""

    def close(self, *, cut: bool = False) -> Carried:
        if cut or self._is_blind:
            return Carried(self._raw())
        try:
            self._body = read_object(b"".join(self._pieces))
            said = self._shape.read(self._body)
        except WireError:
            return Carried(self._raw())
        calls = self._docket.take_fresh()
        return Carried(self._written(), calls, said)

    def give_up(self) -> bytes:
        self._docket.go_blind()
        self._is_blind = True
        return self._raw() if self._body is None else self._written()

    def _written(self) -> bytes:
        """The answer, once no call waits: the very bytes where nothing is changed."""
        if self._body is None or self._docket.waiting:
            return b""
        raw = self._raw()
        return write_json(self._shape.write(self._body)) if self._docket.is_changed else raw

    def _raw(self) -> bytes:
        raw = b"".join(self._pieces)
        self._pieces.clear()
        return raw
