"""What a model thinks and says, kept as it comes and read only when somebody is to judge it.

Deltas of text are most of an answer. They are kept as bytes, the newest of each passage, and decoded when a call ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from leeboard.wire.seam import Reasoning

LONGEST = 64 * 1024
"""How much of a passage is handed on, in bytes: its end says what comes next."""
_KEPT = 8 * LONGEST
"""As much as that can be with what frames have around their text."""


class Passage:
    """One block or item in which the model thinks or speaks."""

    __slots__ = ("_pieces", "_size", "index")

    def __init__(self, index: int) -> None:
        self.index = index
        self._pieces: deque[bytes] = deque()
        self._size = 0

    def add(self, raw: bytes) -> None:
        self._pieces.append(raw)
        self._size += len(raw)
        while self._size > _KEPT and len(self._pieces) > 1:
            self._size -= len(self._pieces.popleft())

    def take(self) -> bytes:
        raw = b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        return raw


class Passages:
    """The passages of one answer. `read` says what is thought and what is spoken in the bytes of one."""

    def __init__(self, read: Callable[[bytes], tuple[str, str]]) -> None:
        self._read = read
        self._passages: list[Passage] = []
        self._current: Passage | None = None

    def begin(self, index: int) -> None:
        self._current = Passage(index)
        self._passages.append(self._current)

    def end(self) -> None:
        self._current = None

    def add(self, raw: bytes) -> None:
        """Takes bytes that belong to the current passage, if there is one."""
        if self._current is not None:
            self._current.add(raw)

    def take(self) -> tuple[Reasoning, ...]:
        """What was thought and said since the last time."""
        found = [reasoning for part in self._passages for reasoning in self._reasoning(part)]
        self._passages = [self._current] if self._current else []
        return tuple(found)

    def _reasoning(self, part: Passage) -> tuple[Reasoning, ...]:
        thought, said = self._read(part.take())
        return reasonings(thought, said, part.index)


def reasonings(thought: str, said: str, index: int) -> tuple[Reasoning, ...]:
    """What one block or item holds of the two, cut to its end where it is long."""
    found = (Reasoning(_end(thought), "thinking", index), Reasoning(_end(said), "text", index))
    return tuple(reasoning for reasoning in found if reasoning.text.strip())


def _end(text: str) -> str:
    return text if len(text) <= LONGEST else text.encode("utf-8", "replace")[-LONGEST:].decode("utf-8", "ignore")
