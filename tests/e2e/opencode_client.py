"""opencode run headless against the scripted API."""

from __future__ import annotations

import json
import os
import subprocess

import msgspec

from tests.e2e.client import LIMIT
from tests.e2e.desk import PROXY, ROOT, Desk
from tests.e2e.model_script import JSON, Reply, Script
from tests.e2e.scripted_api import Request, serving

OPENCODE = os.environ.get("LEEBOARD_E2E_OPENCODE", "")
_MODEL = {"name": "scripted", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}


class OpencodeRun(msgspec.Struct, frozen=True, kw_only=True):
    code: int
    output: list[JSON]
    requests: list[Request]

    @property
    def parts(self) -> list[JSON]:
        """What it said and did."""
        return [told["part"] for told in self.output if told.get("type") in {"text", "tool_use"}]

    @property
    def words(self) -> list[str]:
        return [part["text"] for part in self.parts if part["type"] == "text"]

    @property
    def calls(self) -> list[tuple[str, JSON]]:
        return [(part["tool"], part["state"]["input"]) for part in self.parts if part["type"] == "tool"]


def run_opencode(desk: Desk, prompt: str, *replies: Reply, proxy: bool = False) -> OpencodeRun:
    assert OPENCODE, "LEEBOARD_E2E_OPENCODE names no client: run `make e2e`"
    off = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    npm = {"npm_config_registry": "http://127.0.0.1:1", "npm_config_fetch_retries": "0"}
    env = {**desk.env, **{f"OPENCODE_DISABLE_{name}": "1" for name in off}, **npm}
    with serving(Script(main=replies)) as (api, address):
        provider = {"options": {"baseURL": f"{address}/v1", "apiKey": "fake"}, "models": {"claude-scripted": _MODEL}}
        model = {"model": "anthropic/claude-scripted", "small_model": "anthropic/claude-scripted"}
        settings = {"autoupdate": False, "share": "disabled", "provider": {"anthropic": provider}, **model}
        desk.write("opencode.json", json.dumps(settings))
        line = (*(PROXY if proxy else ()), OPENCODE, "run", "--format", "json", "--auto", prompt)
        done = subprocess.run(
            line,
            cwd=desk.repo,
            env={**env, **({"PYTHONPATH": str(ROOT)} if proxy else {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    output = [json.loads(told) for told in done.stdout.splitlines() if told.startswith(b"{")]
    return OpencodeRun(code=done.returncode, output=output, requests=api.requests)
