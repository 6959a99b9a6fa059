"""What a tool gave back, as text."""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.model.event import ActionType

LARGEST = 2 << 20
"""Characters of a file that is looked at."""
_TEXT_KEYS = ("content", "result", "output", "text", "results", "filenames")


def flatten(response: object, action: ActionType) -> str:
    """The readable text of a tool's response. What an edit or write answers repeats the call, and so is left out."""
    if isinstance(response, dict):
        return "" if action in ("edit", "write") else _object_text(response)
    return _text(response)


def edited(response: object) -> tuple[str | None, str | None]:
    """What a file was when an edit or a write changed it, and how the client left it; None where it does not say so.

    A person may change what is proposed while they are asked about it: then only the file itself tells.
    """
    if not isinstance(response, dict) or response.get("userModified") is True:
        return None, None
    before, content = response.get("originalFile"), response.get("content")
    if isinstance(content, str):
        return _small(before), _small(content)
    old, new = response.get("oldString"), response.get("newString")
    if not isinstance(before, str) or not isinstance(old, str) or not isinstance(new, str) or not old:
        return _small(before), None
    return _small(before), _small(before.replace(old, new, -1 if response.get("replaceAll") is True else 1))


def _small(text: object) -> str | None:
    return text if isinstance(text, str) and len(text) <= LARGEST else None


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
