"""What a reader of session files remembers between two lines. All of it is bounded."""

from __future__ import annotations

from typing import Generic, TypedDict, TypeVar

import msgspec

from leeboard.model.event import Event, Source, ToolCall, TurnEnded

V = TypeVar("V")

_LONGEST_QUEUE = 256
_OPEN_CALLS = 4_096
_SEEN_KEYS = 65_536


class Base(TypedDict):
    """The fields that events of one record share."""

    session: str
    agent: str
    cwd: str
    time: float
    source: Source


class Recent(Generic[V]):
    """A mapping that drops its oldest entry when full."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: dict[str, V] = {}

    def put(self, key: str, value: V) -> None:
        self._entries[key] = value
        if len(self._entries) > self._size:
            del self._entries[next(iter(self._entries))]

    def get(self, key: str) -> V | None:
        return self._entries.get(key)

    def pop(self, key: str) -> V | None:
        return self._entries.pop(key, None)

    def __len__(self) -> int:
        return len(self._entries)


class SeenKeys:
    def __init__(self) -> None:
        self._keys: dict[str, None] = {}

    def is_new(self, key: str) -> bool:
        """True the first time. The empty key is always new: it names nothing."""
        keys = self._keys
        if key in keys:
            return False
        if key:
            keys[key] = None
            if len(keys) > _SEEN_KEYS:
                del keys[next(iter(keys))]
        return True


class PromptKeys:
    """One prompt id may cover a second text, typed while the agent worked: only the same words are the same prompt."""

    def __init__(self) -> None:
        self._told: Recent[int] = Recent(_SEEN_KEYS)

    def key_of(self, prompt_id: str, uuid: str, words: str) -> str | None:
        """The event key of a prompt; None when it was told before."""
        digest = hash(words)
        if prompt_id and self._told.get(prompt_id) == digest:
            return None
        name = prompt_id if prompt_id and self._told.get(prompt_id) is None else uuid
        if name and self._told.get(name) is not None:
            return None
        if name:
            self._told.put(name, digest)
        return f"prompt:{name}" if name else ""


class Echoes:
    """Pairs words that reach a file by two ways, in either order."""

    def __init__(self) -> None:
        self._alone: Recent[tuple[str, int]] = Recent(_OPEN_CALLS)

    def is_first(self, way: str, words: str) -> bool:
        """False when the other way brought the same words before, and nothing was paired with them yet."""
        name = str(hash(words))
        first_way, count = self._alone.pop(name) or (way, 0)
        count += 1 if first_way == way else -1
        if count:
            self._alone.put(name, (first_way, count))
        return first_way == way


class OpenCalls:
    """Proposed calls without a result yet, with the message that proposed them."""

    def __init__(self) -> None:
        self._calls: Recent[tuple[ToolCall, str]] = Recent(_OPEN_CALLS)

    def put(self, call: ToolCall, message: str) -> None:
        self._calls.put(call.id, (call, message))

    def take(self, call_id: str) -> tuple[ToolCall, str]:
        return self._calls.pop(call_id) or (ToolCall(id=call_id, tool="", action="other"), "")

    def __len__(self) -> int:
        return len(self._calls)


class _Turn(msgspec.Struct):
    message: str
    base: Base
    calls: list[str] = msgspec.field(default_factory=list)
    answered: bool = False


class Turns:
    """The turn each agent is in. A message that comes back after its turn was closed opens none."""

    def __init__(self) -> None:
        self._open: dict[str, _Turn] = {}
        self._closed: Recent[bool] = Recent(_OPEN_CALLS)

    def begin(self, base: Base, message: str) -> list[Event]:
        """Note an assistant message; the turn that it ends, if any."""
        turn = self._open.get(base["agent"])
        if turn and turn.message == message and (message or not turn.answered):
            turn.base = base
            return []
        if message and self._closed.get(message):
            return []
        ended = self.end(base["agent"])
        self._open[base["agent"]] = _Turn(message, base)
        return ended

    def add_call(self, agent: str, message: str, call_id: str) -> None:
        turn = self._open.get(agent)
        if turn and turn.message == message:
            turn.calls.append(call_id)

    def note_answer(self, agent: str) -> None:
        """A tool result came. Where messages have no ids, the next one opens a new turn."""
        turn = self._open.get(agent)
        if turn:
            turn.answered = True

    def end(self, agent: str) -> list[Event]:
        turn = self._open.pop(agent, None)
        if turn is None:
            return []
        if turn.message:
            self._closed.put(turn.message, value=True)
        return [TurnEnded(**turn.base, message=turn.message, calls=tuple(turn.calls))]

    def end_all(self) -> list[Event]:
        return [event for agent in list(self._open) for event in self.end(agent)]


class Typed(msgspec.Struct):
    """Words typed while the agent worked."""

    words: str
    name: str
    """What tells them from the same words typed again."""
    base: Base
    taken: bool = False


class PromptQueue:
    """Words that wait to be delivered. A later record brings most of them once more, but not all."""

    def __init__(self) -> None:
        self._waiting: list[Typed] = []

    def add(self, typed: Typed) -> None:
        self._waiting = [*self._waiting, typed][-_LONGEST_QUEUE:]

    def take(self, words: str = "", name: str = "") -> None:
        """The client handed the oldest words to the agent, or these."""
        typed = self._find(words)
        if typed:
            typed.taken = True
            typed.name = name or typed.name

    def drop(self, words: str) -> None:
        """The oldest words, or these, will never reach the agent."""
        typed = self._find(words)
        if typed:
            self._waiting.remove(typed)

    def withdraw(self) -> None:
        """The human took back what was not handed over yet."""
        self._waiting = [typed for typed in self._waiting if typed.taken]

    def match(self, command: str, words: str) -> None:
        """A record shows these words: what waited is told by it."""
        same = (
            typed for typed in self._waiting if typed.words == words or (command and typed.words.startswith(command))
        )
        taken = (typed for typed in self._waiting if typed.taken)
        told = next(same, None) or next(taken, None)
        if told:
            self._waiting.remove(told)

    def release(self, *, all_of_them: bool = False) -> list[Typed]:
        """Words handed over that no record showed; at the end of a file all that is left."""
        if not self._waiting:
            return []
        released = [typed for typed in self._waiting if typed.taken or all_of_them]
        self._waiting = [typed for typed in self._waiting if not (typed.taken or all_of_them)]
        return released

    def _find(self, words: str) -> Typed | None:
        return next((typed for typed in self._waiting if not typed.taken and words in ("", typed.words)), None)


class Sidechains:
    """Names sub-agents that older versions wrote into the main file without an id: by the first record of the chain."""

    def __init__(self) -> None:
        self._roots: Recent[str] = Recent(_SEEN_KEYS)
        self._last = ""

    def name(self, uuid: str, parent: str, *, starts: bool) -> str:
        """`starts` when the record looks like a task given to a sub-agent."""
        known = self._roots.get(parent) if parent else None
        root = known or (self._last if parent and not starts else "") or uuid or parent
        self._roots.put(uuid, root)
        self._last = root
        return f"sidechain-{root}"
