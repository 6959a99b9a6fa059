"""Where an answer goes: to the client at once, or into the one line that answers a batch."""

from __future__ import annotations

import _thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leeboard.surfaces.mcp.channel import Channel


class Reply:
    """Takes one answer; None: there is none, since it was called off."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def __call__(self, answer: Mapping[str, Any] | None) -> None:
        if answer is not None:
            self._channel.send(answer)


class BatchReply:
    """Takes as many answers as there are requests, and sends them together."""

    def __init__(self, channel: Channel, requests: int) -> None:
        self._channel = channel
        self._owed = requests
        self._answers: list[Mapping[str, Any]] = []
        self._counting = _thread.allocate_lock()

    def __call__(self, answer: Mapping[str, Any] | None) -> None:
        with self._counting:
            self._owed -= 1
            if answer is not None:
                self._answers.append(answer)
            complete = self._owed == 0 and bool(self._answers)
        if complete:
            self._channel.send(self._answers)
