"""What clients told our hooks: recorded from those that run here, and by the documentation of the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from leeboard.model.verdict import Action, Verdict

FOLDER = Path(__file__).parent / "fixtures" / "clients"


def payloads(client: str) -> list[bytes]:
    return (FOLDER / f"{client}.jsonl").read_bytes().splitlines()


def payload(client: str, event: str, number: int = 0) -> bytes:
    """The first of this name, or a later one."""
    named = [line for line in payloads(client) if event in (json.loads(line).get(key) for key in NAMES)]
    return named[number]


NAMES = ("hook_event_name", "event")


_QUIET = Verdict(id="", session="", agent="", turn=0, action=Action.ALLOW, event="")


def said(action: Action, message: str = "words", briefing: str = "") -> Verdict:
    return replace(_QUIET, action=action, message=message, briefing=briefing)


def loaded(answer: bytes) -> Any:
    return json.loads(answer) if answer else None
