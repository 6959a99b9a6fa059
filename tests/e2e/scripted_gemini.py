"""Google's Gemini API on 127.0.0.1, answering as a Script says, and Gemini CLI run headless against it."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

from tests.e2e.client import LIMIT
from tests.e2e.model_script import DONE, JSON, Reply, Script

GEMINI = os.environ.get("LEEBOARD_E2E_GEMINI", "")
SETTINGS: JSON = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}
_ROUTED = {"reasoning": "x", "model_choice": "flash", "complexity_score": 10, "complexity_reasoning": "x"}
"""What the client asks a small model before each turn."""


class GeminiRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of Gemini CLI: how it ended, what it printed and what it asked for its turns."""

    code: int
    output: list[JSON]
    requests: list[JSON]

    @property
    def said(self) -> list[str]:
        """The newest message of each request, as the model got it."""
        return [json.dumps(request["contents"][-1]) for request in self.requests]


def write_settings(home: Path) -> Path:
    """What its user has of settings before anything of ours is there."""
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(SETTINGS, indent=4), encoding="utf-8")
    return path


def run_gemini(prompt: str, script: Script, repo: str, env: dict[str, str]) -> GeminiRun:
    """Run it until it ends by itself."""
    assert GEMINI, "LEEBOARD_E2E_GEMINI names no client: run `make e2e`"
    with _serving(script) as (requests, address):
        own = {"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": address, "NO_BROWSER": "1"}
        line = (GEMINI, "-p", prompt, "-o", "stream-json", "--yolo")
        done = subprocess.run(
            line,
            cwd=repo,
            env={**env, **own, "GEMINI_CLI_TRUST_WORKSPACE": "true"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    output = [json.loads(told) for told in done.stdout.splitlines() if told.startswith(b"{")]
    return GeminiRun(code=done.returncode, output=output, requests=requests)


@contextmanager
def _serving(script: Script) -> Iterator[tuple[list[JSON], str]]:
    requests: list[JSON] = []
    handler = type("Handler", (_Handler,), {"script": script, "requests": requests, "lock": threading.Lock()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield requests, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _parts(reply: Reply) -> list[JSON]:
    said: list[JSON] = [{"text": reply.text}] if reply.text else []
    return [*said, *({"functionCall": {"name": one.tool, "args": one.input}} for one in reply.uses)]


def _answer(parts: list[JSON], finish: str = "") -> JSON:
    candidate: JSON = {"content": {"role": "model", "parts": parts}, "index": 0}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    return {"candidates": [candidate | ({"finishReason": finish} if finish else {})], "usageMetadata": usage}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script
    requests: list[JSON]
    lock: threading.Lock

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Keep the test's output free of it."""

    def do_GET(self) -> None:
        self._send({"models": []})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = json.loads(raw or b"{}")
        if "countTokens" in self.path:
            self._send({"totalTokens": len(raw) // 4})
        elif "streamGenerateContent" not in self.path or not body.get("tools"):
            self._send(_answer([{"text": json.dumps(_ROUTED)}], "STOP"))
        else:
            self._stream(self._reply(body))

    def _reply(self, body: JSON) -> Reply:
        with self.lock:
            before = len(self.requests)
            self.requests.append(body)
        return self.script.main[before] if before < len(self.script.main) else DONE

    def _stream(self, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        parts = _parts(reply)
        for number, part in enumerate(parts):
            told = _answer([part], "STOP" if number == len(parts) - 1 else "")
            data = f"data: {json.dumps(told)}\r\n\r\n".encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, answer: JSON) -> None:
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
