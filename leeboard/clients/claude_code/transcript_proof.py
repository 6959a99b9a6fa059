"""Which prompts of a transcript are the user's, where hooks tell of the session and no hook told of the prompt.

Some honest ones never reach a hook: words in a refusal, and what was typed while the agent worked. A line that somebody
appends looks the same. But the client goes on from what it has in memory: each record names the one before it, so a
made-up prompt is never above a later call that a hook told of, and an honest one always is. Until such a call shows
which it is, reading waits before the prompt. A call counts as later only where its name stands nowhere before the
prompt: a copied line proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import msgspec

from leeboard.clients.transcript_lines import Proof, TranscriptEvents
from leeboard.model.event import Event, PromptGiven, ToolProposed

State = Literal["proven", "open", "made up"]

_REFUSED = "prompt:refused-"


class _Link(msgspec.Struct, rename="camel"):
    """What ties a record to the one before it."""

    type: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    """After a compaction the other one is empty."""
    is_sidechain: bool | None = None


class Chain:
    """The lines of one reading. `is_told` knows what hooks told; `earlier` is what stands in the file before them."""

    def __init__(
        self, lines: Sequence[bytes], told: TranscriptEvents, is_told: Callable[[Event], bool], earlier: bytes
    ) -> None:
        self._lines = lines
        self._told = told
        self._is_told = is_told
        self._earlier = earlier
        self._links = [_link(line) for line in lines]
        self._parents = list(self._above_each())

    def proof(self) -> Proof:
        untold: set[int] = set()
        made_up: list[PromptGiven] = []
        unshown: list[PromptGiven] = []
        for position, prompt in self._doubtful():
            if position in untold:
                continue
            if self._links[position].type == "assistant":
                unshown.append(prompt)
                continue
            state = self._state(position, prompt)
            if state == "open":
                return Proof(until=position, untold=frozenset(untold), made_up=tuple(made_up), unshown=tuple(unshown))
            if state == "made up":
                made_up.append(prompt)
                untold |= self._below(position)
        return Proof(until=len(self._told), untold=frozenset(untold), made_up=tuple(made_up), unshown=tuple(unshown))

    def _above_each(self) -> Iterator[str | None]:
        """The record that each one follows: by its own word, or the one before it where it names one that was never
        written here (clients leave some out).
        """
        seen: set[str] = set()
        before: str | None = None
        for link in self._links:
            parent = link.parent_uuid or link.logical_parent_uuid
            unknown = parent and parent not in seen and parent.encode() not in self._earlier
            yield before if unknown else parent
            if link.uuid and not link.is_sidechain:
                seen.add(link.uuid)
                before = link.uuid

    def _doubtful(self) -> Iterator[tuple[int, PromptGiven]]:
        for position, (_, events) in enumerate(self._told):
            for event in events:
                if isinstance(event, PromptGiven) and event.text and not self._is_told(event):
                    yield position, event

    def _state(self, position: int, prompt: PromptGiven) -> State:
        refused = prompt.key.startswith(_REFUSED)
        # Results of calls that ran side by side do not follow one another: the call they answer is in the chain.
        above = {self._links[position].uuid, self._parents[position] if refused else None} - {None, ""}
        for later, link in enumerate(self._links):
            if self._parents[later] in above:
                above.add(link.uuid)
            if later > position and not link.is_sidechain and self._witnesses(position, later):
                doubled = refused and self._is_answered_twice(prompt.key.removeprefix(_REFUSED))
                return "proven" if link.uuid in above and not doubled else "made up"
        return "open"

    def _witnesses(self, position: int, later: int) -> bool:
        """Whether a hook told what this line holds, and it is not in the file before the prompt."""
        for event in self._told[later][1]:
            name = event.key.partition(":")[2].encode("utf-8", "surrogatepass")
            if isinstance(event, ToolProposed | PromptGiven) and name and self._is_told(event):
                return name not in self._earlier and not any(name in line for line in self._lines[:position])
        return False

    def _is_answered_twice(self, call: str) -> bool:
        name = call.encode("utf-8", "surrogatepass")
        return sum(b'"tool_result"' in line and name in line for line in self._lines) > 1

    def _below(self, position: int) -> set[int]:
        names = {self._links[position].uuid} - {None, ""}
        found = {position}
        for later in range(position + 1, len(self._links)):
            if self._parents[later] in names:
                names.add(self._links[later].uuid)
                found.add(later)
        return found


def _link(line: bytes) -> _Link:
    try:
        return msgspec.json.decode(line, type=_Link)
    except (ValueError, RecursionError):
        return _Link()


# How full a model's context is, by the last answer in a transcript of Claude Code.


WINDOW, WIDE_WINDOW = 200_000, 1_000_000


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0


class _Message(msgspec.Struct, frozen=True):
    usage: _Usage | None = None
    model: str = ""


class _Record(msgspec.Struct, frozen=True):
    type: str = ""
    isSidechain: bool = False  # noqa: N815 - as the file has it
    message: _Message | None = None


class ContextUse(msgspec.Struct, frozen=True, kw_only=True):
    used: int
    window: int

    @property
    def left(self) -> float:
        """The share of the context window that is still free, between zero and one."""
        return max(0.0, 1.0 - self.used / self.window)


def context_use(tail: bytes) -> ContextUse | None:
    """From the end of a transcript; None where no answer of the main agent tells."""
    for line in reversed(tail.splitlines()):
        if b'"usage"' not in line:
            continue
        try:
            record = _decoder.decode(line)
        except (ValueError, RecursionError):
            continue
        message = record.message
        if record.type == "assistant" and not record.isSidechain and message and message.usage:
            return _use(message.usage, message.model)
    return None


def _use(usage: _Usage, model: str) -> ContextUse | None:
    used = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens + usage.output_tokens
    if used <= 0:
        return None
    return ContextUse(used=used, window=WIDE_WINDOW if used > WINDOW or "[1m]" in model else WINDOW)


_decoder = msgspec.json.Decoder(_Record)
