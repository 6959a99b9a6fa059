"""Three tools that need nothing, over the real loop: `python tests/mcp_stand_in.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from leeboard.surfaces.mcp.calls import McpCall, refused, told
from leeboard.surfaces.mcp.protocol import take_over
from leeboard.surfaces.mcp.server import McpLoop
from leeboard.surfaces.mcp.tools import Tool

_UNTIL = {"kind": "identifier", "about": "A file that ends the waiting when it is there."}
TOOLS = (
    Tool("echo", "Says it again.", {"text": {"kind": "text", "about": "What."}}, reads=True),
    Tool("wait", "Waits until it is ended.", {"until": _UNTIL}),
    Tool("fail", "Refuses.", {}),
    Tool("break", "Has a fault.", {}),
    Tool("noise", "Prints, and starts a process that prints and reads.", {}),
)


class StandIn:
    def listed(self) -> list[dict[str, Any]]:
        return [tool.listed for tool in TOOLS]

    def knows(self, name: str) -> bool:
        return any(tool.name == name for tool in TOOLS)

    def run(self, name: str, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        match name:
            case "wait":
                return self._wait(str(arguments.get("until", "")), call)
            case "fail":
                return refused("not_now", "it is not the time", "echo", missing=["patience"])
            case "break":
                raise KeyError("a fault")
            case "noise":
                sys.stdout.write("a word on stdout\n")
                os.write(1, b"bytes on stdout\n")
                read = subprocess.run(("/bin/sh", "-c", "echo noise; cat"), capture_output=False, check=True)
                return told({"code": read.returncode})
        return told({"said": arguments.get("text", "")})

    def _wait(self, until: str, call: McpCall) -> dict[str, Any]:
        call.tell("waiting")
        waited = 0
        while not (until and Path(until).exists()):
            if not call.wait(0.01):
                Path("ended").write_text(f"called off: {call.called_off}", encoding="utf-8")
                return told({"ended": True})
            waited += 1
        return told({"found": until})


if __name__ == "__main__":
    McpLoop(take_over(), StandIn).serve()
