"""A session in which a live key is about to be written."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

_NUMBERS = itertools.count()
"""Every call has an id of its own: one that was answered before gets the same answer again."""


def leak(desk: Desk) -> str:
    """Hooks are put in, the work is asked for, and the key is proposed; what was answered."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="add payments in src/pay.py")
    return write_key(desk, 1)


def write_key(desk: Desk, number: int, path: str = "src/pay.py") -> str:
    content = f'STRIPE_API_KEY = "{live_key(number)}"\n'
    given = {"file_path": str(desk.repo / path), "content": content}
    return desk.hook("PreToolUse", tool_name="Write", tool_input=given, tool_use_id=f"toolu_{next(_NUMBERS)}")


def fired_id(desk: Desk) -> str:
    (report,) = desk.ok("report", "--json").objects
    return str(report["detections"]["interrupts_fired"][0]["id"])
