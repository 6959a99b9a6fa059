"""An MCP server over stdio with one tool, which asks the person before it answers: for `record_events`."""

from __future__ import annotations

import json
import sys
from typing import Any

QUESTION = {"type": "object", "properties": {"branch": {"type": "string"}}, "required": ["branch"]}
ASKED = 900


def send(**told: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **told}) + "\n")
    sys.stdout.flush()


def main() -> None:
    waiting: object = None
    for line in sys.stdin:
        told: dict[str, Any] = json.loads(line)
        name, method = told.get("id"), told.get("method")
        if method == "initialize":
            version = told["params"].get("protocolVersion")
            server = {"name": "probe", "version": "1"}
            send(id=name, result={"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server})
        elif method == "tools/list":
            tool = {"name": "ask", "description": "asks", "inputSchema": {"type": "object", "properties": {}}}
            send(id=name, result={"tools": [tool]})
        elif method == "tools/call":
            waiting = name
            asked = {"message": "Which branch?", "requestedSchema": QUESTION}
            send(id=ASKED, method="elicitation/create", params=asked)
        elif method is None and name == ASKED:
            send(id=waiting, result={"content": [{"type": "text", "text": "asked"}]})
        elif name is not None:
            send(id=name, error={"code": -32601, "message": "no such method"})


if __name__ == "__main__":
    main()
