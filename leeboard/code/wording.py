"""Making words fit."""

from __future__ import annotations


def cut(text: str, room: int) -> str:
    """At most `room` characters, cut at a word."""
    if len(text) <= room:
        return text
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if room > 0 else ""


def visible(text: str) -> str:
    """Without signs that a terminal obeys or that turn the order of others; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def on_one_line(name: str) -> str:
    """The name of a file, in which anything may stand."""
    return visible(name.replace("\n", "\N{REPLACEMENT CHARACTER}"))
