"""Boxes in a page that are ticked off: `- [ ]` becomes `- [x]`, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leeboard.model.text import lazy

_BOX = lazy(r"([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})\[ \]([ \t]+)(\S.*)")
_FENCE = lazy(r"[ \t]{0,40}(`{3,}|~{3,})")


def ticked(text: str, met: Iterable[str]) -> str:
    """The text with these criteria ticked off; those that are none of it change nothing."""
    return "".join(_ticked_lines(text, {criterion.strip() for criterion in met}))


def _ticked_lines(text: str, wanted: set[str]) -> Iterator[str]:
    """A box inside a code block is an example."""
    fence = ""
    for line in text.splitlines(keepends=True):
        marked = _FENCE.match(line)
        box = None if marked or fence else _BOX.match(line)
        if marked and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        yield f"{box[1]}[x]{line[box.end(1) + 3 :]}" if box and box[3].strip() in wanted else line
