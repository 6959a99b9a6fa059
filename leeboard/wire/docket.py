"""The calls of one answer and what becomes of each: the same for a stream and for an answer that comes whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from leeboard.errors import WireError
from leeboard.wire.seam import UNCHECKED, CallRuling, Substitute, Summary, Usage, WireCall
from leeboard.wire.sse import CUT, DEEPEST, read_json, without_depths

Fate = Literal["open", "waiting", "released", "unchecked", "substituted", "withheld", "abandoned"]

_WORDLESS = "A tool call was withheld by Leeboard before it ran."
_UNKNOWN_CALL = "*"
AMBIGUOUS = "they are written so that clients read them differently"
"""Said of frames that one reader takes for a part of a call, and another for none, or for a part of another call."""


class HeldCall:
    """A call on its way. It is open while it is being written, and waits from then on until it is ruled on."""

    __slots__ = ("call", "fate", "ruling")

    def __init__(self) -> None:
        self.call: WireCall | None = None
        self.fate: Fate = "open"
        self.ruling: CallRuling | None = None

    @property
    def may_go(self) -> bool:
        """It is settled what becomes of it."""
        return self.fate not in {"open", "waiting"}

    @property
    def is_refused(self) -> bool:
        """The client gets it otherwise than the model wrote it, or not at all."""
        return self.fate in {"substituted", "withheld", "abandoned"}

    @property
    def substitute(self) -> Substitute | None:
        """What the client gets in its place; None where it gets nothing."""
        return self.ruling.substitute if self.ruling and self.fate == "substituted" else None


class CallRun:
    """Calls that belong together. None is looked at again once it is settled: there may be many."""

    def __init__(self, calls: Iterable[HeldCall] = ()) -> None:
        self.calls = [*calls]
        self._settled = 0
        self._has_refused = False
        self._has_left = False

    def add(self, held: HeldCall) -> None:
        self.calls.append(held)

    @property
    def may_go(self) -> bool:
        """Whether every call is settled, so that the answer need not be held any longer."""
        self._look()
        return self._settled == len(self.calls)

    @property
    def is_refused(self) -> bool:
        """One at least does not reach the client as it was written."""
        self._look()
        return self._has_refused

    @property
    def has_left(self) -> bool:
        """One at least reaches the client, or another in its place."""
        self._look()
        return self._has_left

    def _look(self) -> None:
        while self._settled < len(self.calls) and (held := self.calls[self._settled]).may_go:
            self._has_refused |= held.is_refused
            self._has_left |= held.substitute is not None or not held.is_refused
            self._settled += 1


class Docket:
    """Keeps the calls of one answer, and what is to be said of those that the client never sees."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.stop_reason = ""
        self.error = ""
        self.is_complete = False
        self._calls: list[HeldCall] = []
        self._fresh: list[WireCall] = []
        self._waiting: dict[str, HeldCall] = {}
        self._names: set[str] = set()
        self._is_blind = False

    def open(self) -> HeldCall:
        held = HeldCall()
        self._calls.append(held)
        return held

    def complete(self, held: HeldCall, call: WireCall) -> None:
        """The model has written the call to its end. What was let through unchecked stays so.

        One with the id of another that is complete, or what comes late of that, is ruled on by itself.
        """
        if call.id in self._names:
            call = msgspec.structs.replace(call, id=self._free_name(call.id), unreadable=AMBIGUOUS)
        self._names.add(call.id)
        held.call = call
        if held.fate == "open":
            held.fate = "waiting"
            self._fresh.append(call)
            self._waiting[call.id] = held

    def _free_name(self, call_id: str) -> str:
        name = f"{call_id}+{len(self._calls)}"
        while name in self._names:
            name += "+"
        return name

    def take_fresh(self) -> tuple[WireCall, ...]:
        """The calls that nobody was told of yet."""
        if not self._fresh:
            return ()
        fresh = tuple(self._fresh)
        self._fresh.clear()
        return fresh

    def rule(self, call_id: str, ruling: CallRuling) -> bool:
        """Settle a waiting call; False where none of this id waits."""
        held = self._waiting.pop(call_id, None)
        if held is None:
            return False
        held.ruling, held.fate = ruling, _fate(ruling)
        return True

    def hurry(self, ruling: CallRuling) -> None:
        """More than may be kept is waiting: what is not ruled on yet is ruled on unread."""
        for held in self._calls:
            if not held.may_go:
                held.ruling, held.fate = ruling, _fate(ruling)
        self._fresh.clear()
        self._waiting.clear()

    def go_blind(self) -> None:
        """From here on nobody looks for calls."""
        self._is_blind = True
        self.hurry(UNCHECKED)

    def abandon(self) -> None:
        """The answer broke off: what is not written to its end never will be."""
        for held in self._calls:
            if held.fate == "open":
                held.fate = "abandoned"

    @property
    def waiting(self) -> frozenset[str]:
        return frozenset(self._waiting)

    @property
    def is_changed(self) -> bool:
        """The client gets another answer than the model wrote."""
        return any(held.is_refused for held in self._calls)

    @property
    def calls(self) -> tuple[HeldCall, ...]:
        return tuple(self._calls)

    @property
    def summary(self) -> Summary:
        unchecked = (*self._ids("unchecked"), *((_UNKNOWN_CALL,) if self._is_blind else ()))
        return Summary(
            calls=len(self._calls),
            released=self._ids("released"),
            withheld=self._ids("withheld"),
            substituted=self._ids("substituted"),
            unchecked=tuple(dict.fromkeys(unchecked)),
            usage=self.usage,
            stop_reason=self.stop_reason,
            is_complete=self.is_complete,
            error=self.error,
        )

    def _ids(self, fate: Fate) -> tuple[str, ...]:
        return tuple(held.call.id if held.call else _UNKNOWN_CALL for held in self._calls if held.fate == fate)


def _fate(ruling: CallRuling) -> Fate:
    if ruling.verdict == "release":
        return "unchecked" if ruling.is_unchecked else "released"
    return "withheld" if ruling.substitute is None else "substituted"


def read_arguments(text: str) -> tuple[dict[str, object] | None, str]:
    """Arguments as they were written, decoded where they are an object; and why they are not, where they are not."""
    try:
        value = read_json(text or "{}")
    except WireError:
        return None, "they are no JSON"
    if not isinstance(value, dict):
        return None, "they are no JSON object"
    if CUT in text or (text.count("{") + text.count("[") > DEEPEST and _is_deep(text)):
        return None, "they are nested too deeply"
    return value, ""


def _is_deep(text: str) -> bool:
    encoded = text.encode("utf-8", "surrogatepass")
    return without_depths(encoded) != encoded


def closing_words(calls: Iterable[HeldCall]) -> str:
    """What an answer says in place of its calls; empty where one is left, or where none was withheld."""
    calls = tuple(calls)
    fates = {held.fate for held in calls}
    if "withheld" not in fates or not fates <= {"withheld", "abandoned"}:
        return ""
    texts = [held.ruling.text.strip() for held in calls if held.ruling]
    return "\n\n".join(dict.fromkeys(text for text in texts if text)) or _WORDLESS
