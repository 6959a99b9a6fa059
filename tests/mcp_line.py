"""An MCP server as a process of its own, spoken to line by line: what it says while a call waits is heard too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


class McpLine:
    def __init__(self, project: Path, seconds: int = 120, env: Mapping[str, str] | None = None) -> None:
        env = {
            **(os.environ if env is None else env),
            "PYTHONPATH": str(ROOT),
            "LEEBOARD_GATE_SECONDS": str(seconds),
            "CLAUDECODE": "1",
        }
        self.process = subprocess.Popen(
            (sys.executable, "-m", "leeboard.surfaces.mcp"),
            cwd=project,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._key = 0
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "line", "version": "1"}}
        self.send("initialize", hello)
        self.answer()
        self._write({"method": "notifications/initialized"})

    def send(self, method: str, params: dict[str, Any]) -> None:
        self._key += 1
        self._write({"id": self._key, "method": method, "params": params})

    def call(self, tool: str, **arguments: Any) -> None:
        """Ask, and wait for nothing."""
        self.send(
            "tools/call", {"name": f"haiku_{tool}", "arguments": arguments, "_meta": {"progressToken": self._key}}
        )

    def heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def until_it_waits(self) -> None:
        """For a person, as it says itself."""
        while "waiting for a person" not in str(self.heard().get("params")):
            pass

    def answer(self) -> dict[str, Any]:
        while (found := self.heard()).get("id") != self._key:
            pass
        return found

    def action(self) -> str:
        told = self.answer()["result"]["content"][0]["text"].partition("\n---\n")[0]
        return str(json.loads(told)["action"])

    def kill(self) -> None:
        self.process.kill()
        self.close()

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process.wait()

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()
