"""A model behind a real socket on this machine: it answers what it is told to, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

Answer = Callable[[str], str | int]
"""What is said to a text: words, or the number of an error."""


class ScriptedModel:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.address = ""

    def reply(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes, dict[str, str]]:
        asked = msgspec.json.decode(body)
        self.paths.append(path)
        self.headers.append(headers)
        self.asked.append(asked)
        said = self.answer(asked["messages"][0]["content"])
        if isinstance(said, int):
            return said, b"{}", {"location": f"{self.address}/elsewhere"} if said < 400 else {}
        if path.endswith("/messages"):
            return 200, msgspec.json.encode({"content": [{"type": "text", "text": said}]}), {}
        return 200, msgspec.json.encode({"choices": [{"message": {"content": said}}]}), {}


@contextmanager
def scripted_model(answer: Answer) -> Iterator[ScriptedModel]:
    model = ScriptedModel(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            told = {name.lower(): value for name, value in self.headers.items()}
            status, data, more = model.reply(self.path, told, body)
            self.send_response(status)
            for name, value in {**more, "content-length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
