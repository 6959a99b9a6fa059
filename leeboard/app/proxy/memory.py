"""What the proxy knows of the answers that are on their way, in memory alone: nothing here outlives its process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from typing import Generic, TypeVar

from leeboard.app.proxy.wire_events import ProposedCalls
from leeboard.app.proxy.withdrawal import JudgedCall
from leeboard.wire.seam import CallRuling, RequestFacts, Restoration, Summary, WireCall

Key = TypeVar("Key")
Value = TypeVar("Value")

_SESSIONS = 512
_CALLS = 4_096
_WORDS_ROOM = 4_000
_CALL_ROOM = 32_000
"""Characters of a withheld call that is remembered as it was."""
_REPLACED = 200
"""Withheld calls that are remembered of one session."""


class _Newest(Generic[Key, Value]):
    """So many entries at most; the oldest goes first. Safe to be asked from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._entries.get(key)

    def pop(self, key: Key) -> Value | None:
        with self._lock:
            return self._entries.pop(key, None)

    def items(self) -> list[tuple[Key, Value]]:
        with self._lock:
            return list(self._entries.items())


class ProxyMemory:
    """Shared by all threads of one proxy. `folder` is where an agent works that does not say so itself."""

    def __init__(self, folder: str = "") -> None:
        self.folder = folder
        self.calls = ProposedCalls()
        self._requests: _Newest[tuple[str, str], tuple[str, str]] = _Newest(_SESSIONS)
        self._hooked: _Newest[str, bool] = _Newest(_SESSIONS)
        self._sensed: _Newest[tuple[str, str], float] = _Newest(_CALLS)
        self._blind: _Newest[str, float] = _Newest(_SESSIONS)
        self._replaced: _Newest[str, dict[str, Restoration]] = _Newest(_SESSIONS)
        self._said: _Newest[tuple[str, str], str] = _Newest(_SESSIONS)
        self._judged: _Newest[tuple[str, str], tuple[str, list[JudgedCall]]] = _Newest(_SESSIONS)
        self._places: _Newest[tuple[str, str], tuple[str, int]] = _Newest(_SESSIONS)
        self._notes: _Newest[tuple[str, str], str] = _Newest(_SESSIONS)

    def met(self, facts: RequestFacts, *, hooked: bool) -> None:
        """A request has come: whether it is the last one again is known until the next comes."""
        self._hooked.put(facts.session_id, hooked)
        who = (facts.session_id, facts.agent_id)
        _, newest = self._requests.get(who) or ("", "")
        self._requests.put(who, (newest, facts.digest))

    def is_retry(self, facts: RequestFacts) -> bool:
        """Whether the agent has sent this very request just before."""
        before, newest = self._requests.get((facts.session_id, facts.agent_id)) or ("", "")
        return bool(facts.digest) and before == newest == facts.digest

    def is_shortened(self, facts: RequestFacts) -> bool:
        """Whether the conversation has lost what the agent's last request ended with. Asked once a request."""
        who = (facts.session_id, facts.agent_id)
        anchor, messages = self._places.get(who) or ("", 0)
        if facts.anchor:
            self._places.put(who, (facts.anchor, facts.messages))
        whole = bool(facts.anchors) and not facts.server_keeps_history
        return whole and bool(anchor) and anchor not in facts.anchors and facts.messages < messages

    def judged(self, facts: RequestFacts, call: JudgedCall) -> None:
        """Remember the ruling on a call until the answer it stands in is over; those of an earlier one are dropped."""
        who = (facts.session_id, facts.agent_id)
        request, calls = self._judged.get(who) or ("", [])
        self._judged.put(who, (facts.digest, [*calls, call] if request == facts.digest else [call]))

    def unsettled(self, facts: RequestFacts, summary: Summary) -> list[str]:
        """Calls that were judged, and of which the client got nothing when the answer broke off."""
        request, calls = self._judged.get((facts.session_id, facts.agent_id)) or ("", [])
        settled = {*summary.released, *summary.unchecked, *summary.withheld, *summary.substituted}
        return [call.id for call in calls if call.id not in settled] if request == facts.digest else []

    def take_judged(self, facts: RequestFacts, ids: Collection[str] | None = None) -> list[JudgedCall]:
        """The calls of the last answer to this request, or those of them with these ids: each is given once."""
        who = (facts.session_id, facts.agent_id)
        request, calls = self._judged.get(who) or ("", [])
        taken = [call for call in calls if ids is None or call.id in ids] if request == facts.digest else []
        if taken:
            self._judged.put(who, (request, [call for call in calls if call not in taken]))
        return taken

    def sessions_without_hooks(self) -> list[str]:
        return [session for session, hooked in self._hooked.items() if not hooked]

    def sensed(self, session: str, call_id: str, at: float) -> None:
        self._sensed.put((session, call_id), at)

    def sensed_at(self, session: str, call_id: str) -> float:
        """When a call was judged that a hook was to be asked about; zero where there was none."""
        return self._sensed.get((session, call_id)) or 0.0

    def turn_blind(self, session: str, since: float) -> None:
        self._blind.put(session, since)

    def blind_since(self, session: str) -> float:
        """Since when the hooks of a session have missed a call; zero where they have missed none."""
        return self._blind.get(session) or 0.0

    def replaced(self, facts: RequestFacts, call: WireCall, ruling: CallRuling, mark: str) -> None:
        """Another call takes the place of this one. What is long, or no JSON, stays as the client knows it.

        So does all of it once the proxy was started anew: what a call would have written is kept nowhere else. The
        conversation is whole all the same, and the harmless call in it has printed the reason.
        """
        if ruling.substitute is None or call.input is None or len(call.input_text) > _CALL_ROOM or "__" in call.name:
            return
        kept = Restoration(
            id=call.id,
            name=call.name,
            input_text=call.input_text,
            words=f"{mark} {ruling.text}",
            substitute=ruling.substitute,
            mark=mark,
        )
        known = self._replaced.get(facts.session_id) or {}
        self._replaced.put(facts.session_id, dict([*known.items(), (call.id, kept)][-_REPLACED:]))

    def replacements(self, facts: RequestFacts) -> tuple[Restoration, ...]:
        return tuple((self._replaced.get(facts.session_id) or {}).values())

    def said(self, facts: RequestFacts, words: str) -> None:
        self._said.put((facts.session_id, facts.agent_id), words[-_WORDS_ROOM:])

    def last_words(self, facts: RequestFacts) -> str:
        return self._said.pop((facts.session_id, facts.agent_id)) or ""

    def note(self, facts: RequestFacts, words: str) -> None:
        """For the record of the answer that is on its way."""
        key = (facts.session_id, facts.agent_id)
        if words:
            known = self._notes.get(key)
            self._notes.put(key, f"{known}; {words}" if known else words)

    def take_note(self, facts: RequestFacts) -> str:
        return self._notes.pop((facts.session_id, facts.agent_id)) or ""
