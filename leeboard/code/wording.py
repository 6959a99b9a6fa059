"""Words for an agent: they fit, stand on their line, and say in an element of ours only what we say."""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.model.shown import visible

_TAG = "leeboard"


def cut(text: str, room: int) -> str:
    """At most `room` characters, cut at a word."""
    if len(text) <= room:
        return text
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if room > 0 else ""


def counted(number: int, noun: str) -> str:
    """`1 hook`, `2 hooks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def on_one_line(name: str) -> str:
    """The name of a file, in which anything may stand."""
    return visible(name.replace("\n", "\N{REPLACEMENT CHARACTER}"))


def untagged(text: str) -> str:
    """Text from outside that neither ends our element nor begins another, however often the signs are doubled."""
    if f"<{_TAG}" not in text and f"/{_TAG}" not in text:
        return text
    *before, last = text.split(_TAG)
    return _TAG.join((*map(_without_bracket, before), last))


def _without_bracket(text: str) -> str:
    bare = text.rstrip("</")
    return bare + text[len(bare) :].partition("<")[0]


def element(body: str, attributes: Mapping[str, str] | None = None) -> str:
    """What an agent reads: the words in the element by which it knows who speaks."""
    told = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{_TAG}{told}>\n{untagged(body)}\n</{_TAG}>"
