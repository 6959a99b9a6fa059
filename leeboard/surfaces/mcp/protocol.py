"""MCP: bytes to messages, messages to lines, and the two pipes they come and go through.

JSON-RPC 2.0, one message a line. A server is started anew for every session and the client waits for its first word, so
this module and what it imports is built for its start: `json`, and classes without a library. The tools themselves are
loaded when somebody asks for them.
"""

from __future__ import annotations

import _thread
import json
import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Those that begin with a handshake, the newest last."""
PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION = -32022
LONGEST = 16 * 1024 * 1024
"""Bytes of a message."""
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_MARK = b"\xef\xbb\xbf"
_ENDS = 300
"""Bytes at both ends of a message that are searched for its id."""


class McpRequest:
    """A message that has to be answered."""

    def __init__(self, key: int | str, method: str, params: dict[str, Any]) -> None:
        self.key = key
        self.method = method
        self.params = params

    @property
    def progress_token(self) -> int | str | None:
        """What the asker wants to hear of progress by; None: nothing."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if _is_key(token) else None


class McpNotice:
    """A message that nobody waits for an answer to."""

    def __init__(self, method: str, params: dict[str, Any]) -> None:
        self.method = method
        self.params = params


class Malformed:
    """Is answered with an error; `key` is None where nobody can tell whose it is."""

    def __init__(self, key: int | str | None, code: int, message: str) -> None:
        self.key = key
        self.code = code
        self.message = message


class Batch:
    """Several messages that are answered in one line."""

    def __init__(self, messages: tuple[McpRequest | McpNotice | Malformed, ...]) -> None:
        self.messages = messages


Message = McpRequest | McpNotice | Malformed


class Lines:
    """Cuts a stream into messages; what is too long is dropped as it comes, and never kept."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[Message | Batch]:
        """What these bytes complete. Empty bytes end the stream: a last line needs no newline."""
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._add(part)
            yield from self._complete()
        self._add(rest)
        if not data:
            yield from self._complete()

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._longest:
            self._parts.append(part)
            return
        kept = b"".join((*self._parts, part))
        self._parts = [kept[:_ENDS], kept[_ENDS:][-_ENDS:]]

    def _complete(self) -> Iterator[Message | Batch]:
        line, size = b"".join(self._parts), self._size
        self._parts, self._size = [], 0
        if size > self._longest:
            words = f"a message of {size} bytes was refused: at most {self._longest} are read"
            yield Malformed(_key_in(line), INVALID_REQUEST, words)
        elif line.strip():
            yield from parse(line)


def parse(line: bytes) -> Iterator[Message | Batch]:
    """One line; nothing where it holds an answer, since nothing is ever asked here."""
    try:
        value = json.loads(line.removeprefix(_MARK).decode(), parse_constant=_refuse)
    except UnicodeDecodeError:
        yield Malformed(_key_in(line), PARSE_ERROR, "the message is not valid UTF-8")
    except ValueError as error:
        yield Malformed(_key_in(line), PARSE_ERROR, f"the message is not valid JSON: {_short(error)}")
    except RecursionError:
        yield Malformed(_key_in(line), PARSE_ERROR, "the message is nested too deeply")
    else:
        if not isinstance(value, list):
            yield from _read(value)
        elif messages := tuple(message for part in value for message in _read(part)):
            yield Batch(messages)
        elif not value:
            yield Malformed(None, INVALID_REQUEST, "the batch is empty")


def _read(value: Any) -> Iterator[Message]:
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        key = value.get("id") if isinstance(value, dict) else None
        yield Malformed(key if _is_key(key) else None, INVALID_REQUEST, 'a message is an object with "jsonrpc": "2.0"')
        return
    key, method, params = value.get("id"), value.get("method"), value.get("params")
    known = key if _is_key(key) else None
    if "method" not in value and ("result" in value or "error" in value):
        return
    if not isinstance(method, str):
        yield Malformed(known, INVALID_REQUEST, "the message names no method")
    elif "id" in value and known is None:
        yield Malformed(None, INVALID_REQUEST, "the id of a request is a text or a whole number")
    elif not isinstance(params, dict | None):
        yield Malformed(known, INVALID_PARAMS, "params is an object")
    elif known is None:
        yield McpNotice(method, params or {})
    else:
        yield McpRequest(known, method, params or {})


def handshake(params: Mapping[str, Any], instructions: str, version: str) -> dict[str, Any] | None:
    """The result of `initialize`: the version that was asked for, else the newest. None: the params are no such."""
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        return None
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "leeboard", "title": "Leeboard", "version": version},
        "instructions": instructions,
    }


def client_name(params: Mapping[str, Any]) -> str:
    """What a client calls itself in `initialize`."""
    about = params.get("clientInfo")
    name = about.get("name") if isinstance(about, dict) else ""
    return name[:100] if isinstance(name, str) else ""


def foreign_version(request: McpRequest) -> str:
    """The version of a request that carries its own, without a handshake: none of them is spoken here."""
    meta = request.params.get("_meta")
    asked = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
    return asked if isinstance(asked, str) and asked not in VERSIONS else ""


def result(key: int | str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "result": value}


def error(key: int | str | None, code: int, message: str, data: Any = None) -> dict[str, Any]:
    body = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": key, "error": body}


def progress(token: int | str, done: int, message: str) -> dict[str, Any]:
    params = {"progressToken": token, "progress": done, "message": message}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def answer(text: str, *, is_error: bool = False) -> dict[str, Any]:
    """The result of a tool call."""
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def render(message: Mapping[str, Any] | list[Mapping[str, Any]]) -> bytes:
    """A line. Lone surrogates, which no UTF-8 can hold, become question marks."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _is_key(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _short(error: ValueError) -> str:
    return str(error)[:200]


def _key_in(line: bytes) -> int | str | None:
    """The id of a message that can not be read, so that its asker does not wait for ever.

    Only where it stands first or last, since there it can be nothing else than the message's own.
    """
    key = rb'"id"\s{0,9}:\s{0,9}(\d{1,15}|"[\w.:-]{1,64}")'
    version = rb'"jsonrpc"\s{0,9}:\s{0,9}"2\.0"\s{0,9}'
    method = rb'"method"\s{0,9}:\s{0,9}"[\w/-]{1,64}"\s{0,9}'
    head = rb"\s{0,9}\{\s{0,9}(?:%b,\s{0,9})?(?:%b,\s{0,9})?(?:%b,\s{0,9})?%b\s{0,9}," % (version, method, version, key)
    tail = rb"[,]\s{0,9}%b\s{0,9}(?:,\s{0,9}%b)?\}\s{0,9}\Z" % (key, version)
    found = re.match(head, line[:_ENDS]) or re.search(tail, line[-_ENDS:])
    return json.loads(found[1]) if found else None


# The two pipes of the server, taken away from everybody else.
#
# Whoever prints, and every process that is started, gets stderr for its stdout and nothing for its stdin: the pipe to
# the client carries the protocol alone, and no child can eat a request.


_PART = 65536


class ClientGoneError(Exception):
    """Nobody reads what is answered."""


class Channel:
    """Reads parts of a stream, and writes whole lines: from any thread, one at a time."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self.client = ""
        """What the other side calls itself; empty: it did not say."""
        self._writing = _thread.allocate_lock()

    def read(self) -> bytes:
        """Empty at the end."""
        return os.read(self._source, _PART)

    def send(self, message: Mapping[str, Any] | list[Mapping[str, Any]]) -> None:
        line = memoryview(render(message))
        with self._writing:
            try:
                while line:
                    line = line[os.write(self._target, line) :]
            except OSError as error:
                raise ClientGoneError from error


def take_over() -> Channel:
    """The channel of this process's stdin and stdout, which from now on lead elsewhere."""
    source, target = os.dup(0), os.dup(1)  # not inherited by children
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return Channel(source, target)


# Where an answer goes: to the client at once, or into the one line that answers a batch.


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
