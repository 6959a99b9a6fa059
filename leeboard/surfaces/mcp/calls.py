"""Calls under way: each in its own thread, so that one that waits for a person keeps nobody else waiting."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from leeboard.model.text import shown_line
from leeboard.secrets.redaction import redact
from leeboard.surfaces.mcp.answers import refused
from leeboard.surfaces.mcp.channel import Channel, ClientGoneError
from leeboard.surfaces.mcp.protocol import INVALID_PARAMS, INVALID_REQUEST, McpRequest, error, progress, result

MOST = 32
"""Calls at once: an agent's parallel workers, with some to spare."""


class McpCall:
    """One call as its handler sees it."""

    def __init__(self, channel: Channel, request: McpRequest) -> None:
        self._channel = channel
        self._token = request.progress_token
        self._told = 0
        self._ended = threading.Event()
        self.called_off = False

    def end(self, *, called_off: bool) -> None:
        """Somebody who waits shall wait no longer. Called off: no answer is wanted either."""
        self.called_off = self.called_off or called_off
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Whether there is reason to wait on: nobody has ended it."""
        return not self._ended.wait(seconds)

    def tell(self, words: str) -> None:
        """Of progress, where the client asked for it."""
        if self._token is not None:
            self._told += 1
            self._channel.send(progress(self._token, self._told, words))


class Tools(Protocol):
    """What can be called."""

    def listed(self) -> list[dict[str, Any]]:
        """All of them, with their schemas."""

    def knows(self, name: str) -> bool:
        """Whether there is such a tool."""

    def run(self, name: str, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        """The result, also of a refusal."""


class McpCalls:
    """All calls under way, by the id of their request."""

    def __init__(self, channel: Channel, tools: Tools) -> None:
        self._channel = channel
        self._tools = tools
        self._running: dict[int | str, McpCall] = {}
        self._changed = threading.Condition()

    def start(self, request: McpRequest, reply: Callable[[Mapping[str, Any] | None], None]) -> None:
        """Answer it later; at once where it can not be taken."""
        call = McpCall(self._channel, request)
        with self._changed:
            refused = self._refused(request)
            if not refused:
                self._running[request.key] = call
        if refused:
            reply(error(request.key, INVALID_REQUEST, refused))
        else:
            threading.Thread(target=self._run, args=(request, call, reply), daemon=True).start()

    def cancel(self, key: object) -> None:
        """The asker wants no answer any more. What was begun is finished; only waiting ends."""
        with self._changed:
            call = self._running.get(key) if isinstance(key, int | str) else None
        if call is not None:
            call.end(called_off=True)

    def finish(self, seconds: float) -> bool:
        """Nothing more comes: whoever waits is answered, whatever works may end. Whether all did in time."""
        with self._changed:
            for call in self._running.values():
                call.end(called_off=False)
            return self._changed.wait_for(lambda: not self._running, seconds)

    def _refused(self, request: McpRequest) -> str:
        if request.key in self._running:
            return "a request with this id is under way"
        return f"{MOST} calls are under way: wait for one of them" if len(self._running) >= MOST else ""

    def _run(self, request: McpRequest, call: McpCall, reply: Callable[[Mapping[str, Any] | None], None]) -> None:
        try:
            answer = self._answer(request, call)
            reply(None if call.called_off else answer)
        except ClientGoneError:
            return  # the main thread sees the same end
        finally:
            with self._changed:
                del self._running[request.key]
                self._changed.notify_all()

    def _answer(self, request: McpRequest, call: McpCall) -> dict[str, Any]:
        name, arguments = request.params["name"], request.params.get("arguments") or {}
        if not self._tools.knows(name):
            words = f"there is no tool {redact(name)[:64]!r}; tools/list names them all"
            return error(request.key, INVALID_PARAMS, words)
        try:
            return result(request.key, self._tools.run(name, arguments, call))
        except ClientGoneError:
            raise
        except Exception as wrong:  # noqa: BLE001 - the edge of this surface: one call may fail, the server stays
            kind = type(wrong).__name__
            sys.stderr.write(f"leeboard mcp: {name}: {kind}: {shown_line(redact(str(wrong)))}\n")
            words = f"a fault of Leeboard itself ({kind}). Nothing is lost: what was done is on disk."
            return result(request.key, refused("internal_error", words))
