"""The process of the server: the pipes, the loop, and the tools once they are wanted."""

from __future__ import annotations

import os

import leeboard
from leeboard.surfaces.mcp.protocol import (
    INVALID_PARAMS,
    UNKNOWN_METHOD,
    UNSUPPORTED_VERSION,
    VERSIONS,
    Batch,
    BatchReply,
    ClientGoneError,
    Lines,
    Malformed,
    McpNotice,
    McpRequest,
    Reply,
    client_name,
    error,
    foreign_version,
    handshake,
    result,
    take_over,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from leeboard.surfaces.mcp.calls import McpCalls, Tools
    from leeboard.surfaces.mcp.protocol import Channel, Message

    Answer = Callable[[Mapping[str, Any] | None], None]
    from leeboard.surfaces.mcp.calls import McpCall


def serve(root: str = "") -> None:
    """Answer the client on stdin and stdout until it leaves. `root` is where the project is; empty: here."""
    try:
        McpLoop(take_over(), lambda: _load(root or os.getcwd())).serve()  # noqa: PTH109 - pathlib would cost a third
    except KeyboardInterrupt:
        return


def _load(root: str) -> Tools:
    _say_aloud(root)
    return Toolbox(root, lives_on=True)


def _say_aloud(root: str) -> None:
    """That the guard here is paused or silent, where a person finds it: clients show or keep what a server says on
    stderr.
    """
    import sys  # noqa: PLC0415 - the handshake does not wait for it

    from leeboard.app.guard.alive import loud_words  # noqa: PLC0415 - as above
    from leeboard.io.places import project_root  # noqa: PLC0415 - as above

    for line in loud_words(project_root(root), os.environ):
        sys.stderr.write(f"leeboard: {line}\n")


# The server's loop: who asks is answered by this thread, whatever may take time by one of its own.
#
# `initialize` and `ping` need nothing but this module and `json`; the world is loaded when a tool is called.


FINISH_SECONDS = 20.0
"""How long calls may go on when the client has closed its end. What is cut off then is taken up by the next tick."""
INSTRUCTIONS = (
    "Work that lives on disk, step by step. Call haiku_run_next, do the one action it names, call it again; never "
    "guess what comes next. Your context may be lost at any moment: haiku_run_next always knows where things stand. "
    "What belongs to the engine is changed with these tools, not by editing files below .haiku/. Only the person "
    "decides at a gate."
)


class McpLoop:
    """Answers one client until it leaves."""

    def __init__(self, channel: Channel, load_tools: Callable[[], Tools]) -> None:
        self._channel = channel
        self._load_tools = load_tools
        self._loaded: Tools | None = None
        self._calls: McpCalls | None = None

    def serve(self) -> None:
        lines = Lines()
        try:
            while data := self._channel.read():
                self._take(lines, data)
            self._take(lines, b"")
            if self._calls is not None:
                self._calls.finish(FINISH_SECONDS)
        except ClientGoneError:
            return

    def _take(self, lines: Lines, data: bytes) -> None:
        for message in lines.feed(data):
            if isinstance(message, Batch):
                owed = sum(not isinstance(part, McpNotice) for part in message.messages)
                reply: Answer = BatchReply(self._channel, owed)
                for part in message.messages:
                    self._receive(part, reply)
            else:
                self._receive(message, Reply(self._channel))

    def _receive(self, message: Message, reply: Answer) -> None:
        if isinstance(message, Malformed):
            reply(error(message.key, message.code, message.message))
        elif isinstance(message, McpNotice):
            if message.method == "notifications/cancelled" and self._calls is not None:
                self._calls.cancel(message.params.get("requestId"))
        elif message.method == "tools/call":
            self._call(message, reply)
        else:
            reply(self._answered(message))

    def _answered(self, request: McpRequest) -> Mapping[str, Any]:
        if request.method == "initialize":
            greeting = handshake(request.params, INSTRUCTIONS, leeboard.__version__)
            if greeting is None:
                return error(request.key, INVALID_PARAMS, "protocolVersion is missing")
            self._channel.client = client_name(request.params)
            return result(request.key, greeting)
        if request.method == "ping":
            return result(request.key, {})
        if request.method == "tools/list":
            return self._refused_version(request) or result(request.key, {"tools": self._tools.listed()})
        from leeboard.secrets.redaction import redact  # noqa: PLC0415 - the handshake does not wait for it

        return error(request.key, UNKNOWN_METHOD, f"there is no method {redact(request.method)[:64]!r}")

    def _call(self, request: McpRequest, reply: Answer) -> None:
        if refused := self._refused_version(request):
            reply(refused)
            return
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            reply(error(request.key, INVALID_PARAMS, "a call has a name, and its arguments are an object"))
            return
        if self._calls is None:
            from leeboard.surfaces.mcp.calls import McpCalls  # noqa: PLC0415 - the handshake does not wait for threads

            self._calls = McpCalls(self._channel, self._tools)
        self._calls.start(request, reply)

    @property
    def _tools(self) -> Tools:
        if self._loaded is None:
            self._loaded = self._load_tools()
        return self._loaded

    @staticmethod
    def _refused_version(request: McpRequest) -> Mapping[str, Any] | None:
        """A client that skips the handshake speaks a protocol that is not spoken here, and is told which ones are."""
        if not (asked := foreign_version(request)):
            return None
        data = {"supported": list(VERSIONS), "requested": asked}
        return error(request.key, UNSUPPORTED_VERSION, "begin with initialize", data)


# All tools of a project: listed by their schemas alone, run by handlers that are loaded with the first call.


class Toolbox:
    """Nothing is decided by what an earlier call saw: what does not look as it did is read from disk anew.

    In a process that `lives_on` the system tells which tracked files changed between two calls.
    """

    def __init__(self, root: str, *, lives_on: bool = False) -> None:
        from leeboard.surfaces.mcp.tools import tools  # noqa: PLC0415 - the handshake needs none of them

        self._root = root
        self._lives_on = lives_on
        self._tools = {tool.name: tool for tool in tools()}

    def listed(self) -> list[dict[str, Any]]:
        return [tool.listed for tool in self._tools.values()]

    def knows(self, name: str) -> bool:
        return name in self._tools

    def run(self, name: str, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        from leeboard.plan.disk.truth.surface import WATCHES  # noqa: PLC0415 - a listing needs no engine
        from leeboard.surfaces.mcp.handlers import handle  # noqa: PLC0415 - as above

        if self._lives_on:
            WATCHES.begin()
        return handle(self._root, self._tools[name], arguments, call)
