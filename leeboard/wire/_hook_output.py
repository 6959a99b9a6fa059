"""What a tool gave back, as text."""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.model.event import ActionType

_TEXT_KEYS = ("content", "result", "output", "text", "results", "filenames")


def flatten(response: object, action: ActionType) -> str:
    """The readable text of a tool's response. What an edit or write answers repeats the call, and so is left out."""
    if isinstance(response, dict):
        return "" if action in ("edit", "write") else _object_text(response)
    return _text(response)


def _object_text(response: Mapping[str, object]) -> str:
    if "stdout" in response or "stderr" in response:
        return _lines(_text(response.get("stdout")), _text(response.get("stderr")))
    file = response.get("file")
    if isinstance(file, dict):
        return _text(file.get("content"))
    return next((text for key in _TEXT_KEYS if (text := _text(response.get(key)))), "")


def _text(part: object) -> str:
    """A string as it is, or the text blocks and names of a list."""
    if isinstance(part, list):
        return _lines(*(_block_text(block) for block in part))
    return part if isinstance(part, str) else ""


def _block_text(block: object) -> str:
    if not isinstance(block, dict):
        return block if isinstance(block, str) else ""
    resource = block.get("resource")
    text = resource.get("text") if isinstance(resource, dict) else block.get("text")
    return text if isinstance(text, str) else ""


def _lines(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
