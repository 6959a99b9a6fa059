"""Text of a repository or a transcript as it is shown: nothing in it drives a terminal or the log of a build.

A terminal obeys control characters and turns text around at some marks of direction. A build server takes a line that
begins with `::`, and `##[` anywhere, for an order: a file may be named like that, and a message may quote the name.
"""

from __future__ import annotations

from leeboard.model.pattern import lazy

_ORDER = lazy(r"(?m)^([ \t]*)(?=::)")
_OLD_ORDER = "##["
_LINE_ENDS = {"\n": "\\n", "\r": "\\r"}


def visible(text: str) -> str:
    """Without signs that a terminal obeys or that turn the order of others; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def shown(text: str) -> str:
    """The text, of several lines where it has them, without anything that would be obeyed."""
    text = visible(text)
    if _OLD_ORDER in text:
        text = text.replace(_OLD_ORDER, "#\\#[")
    return _ORDER.sub(r"\1\\", text) if "::" in text else text


def shown_line(text: str) -> str:
    """The same on one line: a name with a line end in it can not begin another."""
    for end, spelled in _LINE_ENDS.items():
        text = text.replace(end, spelled)
    return shown(text)
