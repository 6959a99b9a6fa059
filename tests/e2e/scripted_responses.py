"""OpenAI's Responses API on 127.0.0.1, answering as a Script says, and Codex run headless against it."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import msgspec

from tests.e2e.client import LIMIT
from tests.e2e.model_script import DONE, JSON, Reply, Script

CODEX = os.environ.get("LEEBOARD_E2E_CODEX", "")
_SETTINGS = """model = "gpt-5.1-codex"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
"""


class CodexRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of Codex: how it ended, what it printed and what it asked."""

    code: int
    output: list[JSON]
    requests: list[JSON]

    @property
    def commands(self) -> list[str]:
        """What it ran."""
        items = [told["item"] for told in self.output if told.get("type") == "item.completed"]
        return [item["command"] for item in items if item["type"] == "command_execution"]

    @property
    def messages(self) -> list[str]:
        items = [told["item"] for told in self.output if told.get("type") == "item.completed"]
        return [item["text"] for item in items if item["type"] == "agent_message"]


def run_codex(
    prompt: str,
    script: Script,
    repo: str,
    env: dict[str, str],
    before: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> CodexRun:
    """Run it until it ends by itself. `before` is what stands before it on its command line."""
    with _serving(script) as (requests, address):
        home = f"{env['HOME']}/.codex"
        os.makedirs(home, exist_ok=True)  # noqa: PTH103 - a string is at hand
        with open(f"{home}/config.toml", "a+", encoding="utf-8") as file:  # noqa: PTH123 - as above
            file.seek(0)
            _before, plugins, rest = file.read().partition("[marketplaces.")  # what `codex plugin` has written
            file.truncate(0)
            file.write(_SETTINGS.format(address=address) + plugins + rest)
        flags = ("--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
        line = (*before, CODEX, "exec", *flags, *options, prompt)
        done = subprocess.run(
            line,
            cwd=repo,
            env={**env, "SCRIPTED_KEY": "sk-fake"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    output = [json.loads(told) for told in done.stdout.splitlines() if told.startswith(b"{")]
    return CodexRun(code=done.returncode, output=output, requests=requests)


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


def _items(reply: Reply) -> list[JSON]:
    name, items = uuid4().hex[:16], []
    if reply.thinking:
        summary = [{"type": "summary_text", "text": reply.thinking}]
        items.append({"type": "reasoning", "id": f"rs_{name}", "summary": summary, "encrypted_content": "ZmFrZQ=="})
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        said = {"type": "message", "id": f"msg_{name}", "role": "assistant", "status": "completed"}
        items.append({**said, "content": content})
    for number, each in enumerate(reply.uses):
        call = {"type": "function_call", "id": f"fc_{name}{number}", "call_id": f"call_{name}{number}"}
        items.append({**call, "name": each.tool, "arguments": json.dumps(each.input)})
    return items


def _events(reply: Reply) -> Iterator[JSON]:
    response: JSON = {"id": f"resp_{uuid4().hex[:20]}", "object": "response", "status": "in_progress", "output": []}
    items = _items(reply)
    yield {"type": "response.created", "response": response}
    for at, item in enumerate(items):
        begun = {**item, "content": []} if item["type"] == "message" else item
        yield {"type": "response.output_item.added", "output_index": at, "item": begun}
        if item["type"] == "message":
            place = {"item_id": item["id"], "output_index": at, "content_index": 0}
            yield {"type": "response.output_text.delta", **place, "delta": reply.text}
        yield {"type": "response.output_item.done", "output_index": at, "item": item}
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    usage_details: JSON = {
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    done = {**response, "status": "completed", "output": items, "usage": usage | usage_details}
    yield {"type": "response.completed", "response": done}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script
    requests: list[JSON]
    lock: threading.Lock

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Keep the test's output free of it."""

    def do_GET(self) -> None:
        data = b'{"object": "list", "data": [], "models": []}'
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        with self.lock:
            before = len(self.requests)
            self.requests.append(body)
        reply = self.script.main[before] if before < len(self.script.main) else DONE
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(_events(reply)):
            told = json.dumps({**event, "sequence_number": number})
            data = f"event: {event['type']}\ndata: {told}\n\n".encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")
