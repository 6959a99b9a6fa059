"""An answer carried to a client as the proxy does it: fed in chunks, its calls ruled on, all that is written collected."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import (
    HELD_LIMIT,
    RELEASE,
    UNCHECKED,
    Api,
    CallRuling,
    Reasoning,
    ResponseRewriter,
    Summary,
    WireCall,
)
from tests.wire.answers import facts

Rulings = Mapping[str, CallRuling] | Callable[[WireCall], CallRuling]
When = Literal["at once", "next chunk", "at the end", "at the end, reversed"]


class Passed:
    """What a client was given, and what was seen on the way."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.calls: list[WireCall] = []
        self.reasoning: list[Reasoning] = []
        self.summary = Summary()

    @property
    def data(self) -> bytes:
        return b"".join(self.written)

    def said(self, kind: str) -> str:
        return "".join(part.text for part in self.reasoning if part.kind == kind)


def withhold(text: str = "Stay with the task.") -> CallRuling:
    return CallRuling("withhold", text)


def one_by_one(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def cut_at(data: bytes, cuts: Iterable[int]) -> list[bytes]:
    places = [0, *sorted(cut for cut in set(cuts) if 0 < cut < len(data)), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(places)]


def carry(
    api: Api,
    chunks: Iterable[bytes],
    rulings: Rulings | None = None,
    when: When = "at once",
    *,
    cut: bool = False,
    limit: int = HELD_LIMIT,
    unread: CallRuling = UNCHECKED,
) -> Passed:
    """Calls without a ruling of their own are released."""
    rewriter = open_rewriter(facts(api), "text/event-stream; charset=utf-8", limit, unread)
    assert rewriter is not None
    return drive(rewriter, chunks, rulings, when, cut=cut)


def drive(
    rewriter: ResponseRewriter, chunks: Iterable[bytes], rulings: Rulings | None, when: When, *, cut: bool
) -> Passed:
    passed = Passed()
    waiting: list[WireCall] = []

    def rule() -> None:
        for call in list(waiting):
            waiting.remove(call)
            passed.written.append(rewriter.rule(call.id, _ruling(rulings, call)))

    for chunk in chunks:
        if when == "next chunk":
            rule()
        carried = rewriter.feed(chunk)
        passed.written.append(carried.data)
        passed.reasoning += carried.reasoning
        passed.calls += carried.calls
        waiting += carried.calls
        if when == "at once":
            rule()
    carried = rewriter.close(cut=cut)
    passed.written.append(carried.data)
    passed.reasoning += carried.reasoning
    passed.calls += carried.calls
    waiting += carried.calls
    if when == "at the end, reversed":
        waiting.reverse()
    rule()
    assert not rewriter.holding
    assert not rewriter.waiting
    passed.summary = rewriter.summary
    return passed


def _ruling(rulings: Rulings | None, call: WireCall) -> CallRuling:
    if rulings is None:
        return RELEASE
    return rulings.get(call.id, RELEASE) if isinstance(rulings, Mapping) else rulings(call)
