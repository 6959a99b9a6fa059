"""A resident that also writes down what it is asked: `python witness_resident.py FILE`, one event name a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from leeboard.app.hook_call import Asker, Send
from leeboard.surfaces import edge, resident

_respond = edge.respond


def respond(payload: bytes, env: Mapping[str, str], send: Send, asker: Asker | None = None) -> bool:
    with Path(sys.argv[1]).open("a", encoding="utf-8") as file:
        file.write(json.loads(payload)["hook_event_name"] + "\n")
    return _respond(payload, env, send, asker)


if __name__ == "__main__":
    edge.respond = respond
    resident.main()
