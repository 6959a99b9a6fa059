"""A model API on 127.0.0.1 that answers as a Script says and keeps every request."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from uuid import uuid4

import msgspec

from tests.e2e.model_script import DONE, JSON, Reply, Script, blocks_of, say, stream

Kind = Literal["main", "sub_agent", "summary", "aside"]

_OURS = re.compile(r"<leeboard.*?</leeboard>", re.DOTALL)
_ASKS_FOR_SUMMARY = ("create a detailed summary of the conversation", "CRITICAL: Respond with TEXT ONLY")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request for a message."""

    kind: Kind
    body: JSON

    @property
    def text(self) -> str:
        """All that the model is given to read."""
        parts = (text_of(message.get("content")) for message in self.body["messages"])
        return "\n".join((text_of(self.body.get("system")), *parts))

    @property
    def our_words(self) -> list[str]:
        """What Leeboard says in it, from the first message to the last."""
        return _OURS.findall(self.text)

    @property
    def results(self) -> list[JSON]:
        """The tool results of the newest message that has any."""
        for message in reversed(self.body["messages"]):
            content = message["content"]
            found = [] if isinstance(content, str) else [part for part in content if part["type"] == "tool_result"]
            if found:
                return found
        return []


class ScriptedApi:
    """The script's state: what was asked so far. Requests come from several threads."""

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._script = script
        self._lock = threading.Lock()

    def reply(self, request: Request) -> Reply:
        """The next reply of its kind."""
        with self._lock:
            before = sum(1 for earlier in self.requests if earlier.kind == request.kind)
            self.requests.append(request)
            return self._pick(request.kind, before)

    def _pick(self, kind: Kind, before: int) -> Reply:
        if kind == "summary":
            return say(self._script.summary)
        if kind == "aside":
            return say('{"title": "scripted"}')
        replies = self._script.main if kind == "main" else self._script.sub_agent
        return replies[before] if before < len(replies) else DONE


@contextmanager
def serving(script: Script) -> Iterator[tuple[ScriptedApi, str]]:
    """The API and its address, for as long as the block lasts."""
    api = ScriptedApi(script)
    handler = type("Handler", (_Handler,), {"api": api})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield api, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def kind_of(agent: str, body: JSON) -> Kind:
    """Whose request it is, by the marks the client puts on it."""
    last = body["messages"][-1] if body.get("messages") else {}
    words = text_of(last.get("content"))
    if any(mark in words for mark in _ASKS_FOR_SUMMARY):
        return "summary"
    if agent or "cc_is_subagent=true" in text_of(body.get("system")):
        return "sub_agent"
    return "main" if body.get("tools") else "aside"


def text_of(content: Any) -> str:
    """A message's or a system prompt's text, wherever in its blocks it stands."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (block.get("text") or block.get("content") for block in content if isinstance(block, dict))
    return "\n".join(text_of(part) for part in parts)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: ScriptedApi

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Keep the test's output free of it."""

    def do_HEAD(self) -> None:
        self._send({})

    def do_GET(self) -> None:
        self._send({"data": [], "has_more": False})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send({"input_tokens": 1_000})
        elif path.endswith("/v1/messages"):
            self._answer(body)
        else:
            self._send({"type": "error", "error": {"type": "not_found_error", "message": "no"}}, 404)

    def _answer(self, body: JSON) -> None:
        request = Request(kind=kind_of(self.headers.get("x-claude-code-agent-id") or "", body), body=body)
        reply, name = self.api.reply(request), uuid4().hex[:22]
        if reply.meanwhile:
            subprocess.run(("/bin/sh", "-c", reply.meanwhile), check=True)
        if body.get("stream"):
            self._stream(reply, name, str(body.get("model")))
            return
        usage = {"input_tokens": reply.tokens, "output_tokens": 50}
        message = {"id": f"msg_{name}", "type": "message", "role": "assistant", "model": body.get("model")}
        message |= {"content": blocks_of(reply, name), "stop_reason": "end_turn", "usage": usage}
        self._send(message)

    def _stream(self, reply: Reply, name: str, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in stream(reply, name, model):
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, answer: JSON, status: int = 200) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
