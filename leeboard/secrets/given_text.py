"""Text that somebody gave to a command or a tool, before any of it is written down: none of it may hold a secret.

What people say in their own words is kept without the secret in it. What has to stay as it is to be of use (a path,
an id, a shell line, a whole file) is refused where one is certain, since half of it would be something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from leeboard.secrets.redaction import redact, redact_shaped


def holds_secret(text: str) -> bool:
    """Whether a secret stands there for certain: by its own signs, or by what it is called and how it looks."""
    if redact(text) == text and redact_shaped(text) == text:
        return False
    from leeboard.secrets.detection import is_certain  # noqa: PLC0415 - most texts hold nothing to look at

    return redact_shaped(text) != text or is_certain(text)


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """The same with every text in it changed, the names of its fields too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [each_text(each, change) for each in value]
    if isinstance(value, dict):
        return {each_text(name, change): each_text(each, change) for name, each in value.items()}
    return value
