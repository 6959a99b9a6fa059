"""Tools with which any agent asks before it errs; none of them changes anything, and none needs a workflow."""

from __future__ import annotations

import os
from typing import Any

from msgspec import to_builtins

from leeboard.app.views.agent_asks import existing, goal_of, judged_diff, said_to
from leeboard.surfaces.mcp.calls import Arguments, Desk, Handler, told


def goal(desk: Desk, _arguments: Arguments) -> dict[str, Any]:
    found = goal_of(desk.root, os.environ)
    return told({**to_builtins(found), "limits": [limit.text for limit in found.limits]})


def said(desk: Desk, _arguments: Arguments) -> dict[str, Any]:
    return told({"said": [to_builtins(one) for one in said_to(desk.root, os.environ)]})


def check_diff(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    files = judged_diff(desk.root, arguments["diff"], os.environ)
    worst = next(
        (answer for answer in ("refuse", "ask", "tell") if any(file.answer == answer for file in files)), "allow"
    )
    return told({"answer": worst, "files": [to_builtins(file) for file in files]})


def find(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    found, complete = existing(desk.root, arguments["words"])
    return told({"found": [to_builtins(one) for one in found], "index_complete": complete})


ASK_HANDLERS: dict[str, Handler] = {
    "leeboard_goal": goal,
    "leeboard_said": said,
    "leeboard_check_diff": check_diff,
    "leeboard_find": find,
}
