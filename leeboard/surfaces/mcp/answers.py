"""What a tool answers: JSON for programs, and where something is to be done, words for the agent below it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from leeboard.model.pattern import lazy
from leeboard.wire.mcp_tools import answer

ASK_AGAIN = "haiku_run_next"
"""The way out of every refusal: it says what may be done now."""
_TOOL = lazy(r"\bhaiku_[a-z_]{2,40}\b")


def tool_in(words: str, otherwise: str = ASK_AGAIN) -> str:
    """The tool that a next step names: programs are given no sentence."""
    return next(iter(_TOOL.findall(words)), otherwise)


def told(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Something that was asked for."""
    return answer(_json(facts))


def asked_to(action: Mapping[str, Any], instruction: str, *, is_error: bool = False) -> dict[str, Any]:
    """The one thing to do now."""
    return answer(f"{_json(action)}\n---\n{instruction}", is_error=is_error)


def refused(code: str, message: str, following: str = ASK_AGAIN, **details: Any) -> dict[str, Any]:
    """Why not, and what instead."""
    return answer(_json({"code": code, "message": message, "next": following, **details}), is_error=True)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
