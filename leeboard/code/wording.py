"""Making words fit."""

from __future__ import annotations


def cut(text: str, room: int) -> str:
    """At most `room` characters, cut at a word."""
    if len(text) <= room:
        return text
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if room > 0 else ""
