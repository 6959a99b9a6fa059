"""A text to the digests that are kept of it."""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable
from functools import lru_cache

from leeboard.model.event import Event
from leeboard.model.known import LINE_BYTES, Disk, FileState, Known, Ranges
from leeboard.model.text import lazy

MOST_LINES = 5_000
_DIGEST_BYTES = 12
_NUMBERED = lazy(r"[ \t]{0,8}\d{1,7}[\t→|]")


def lines_of(text: str) -> list[str]:
    """How lines end, and a mark of the encoding in front of them, make no difference to who reads."""
    return text.removeprefix("\ufeff").splitlines()


@lru_cache(maxsize=6)
def state_of(text: str, key: bytes) -> FileState:
    """`key` is the user's own; without it nothing may be kept. One call asks several times about the same text."""
    lines = lines_of(text)
    few = len(lines) <= MOST_LINES
    return FileState(
        digest=_keyed("\n".join(lines), key),
        plain=_keyed(plain_of(text), key) if len(text) <= LARGEST_PLAIN else "",
        lines=_line_digests(lines, key) if few else b"",
        count=len(lines),
    )


def _line_digests(lines: list[str], key: bytes) -> bytes:
    """Of each line, one after the other. Many lines of a file are the same, and the key is taken in once for all."""
    keyed, known = blake2b(digest_size=LINE_BYTES, key=key), dict[str, bytes]()
    for line in lines:
        if line not in known:
            made = keyed.copy()
            made.update(line.encode("utf-8", "surrogatepass"))
            known[line] = made.digest()
    return b"".join([known[line] for line in lines])


def shown_in(lines: list[str], output: str, within: tuple[int, int] = (0, 0)) -> Ranges:
    """Which lines of a file stand in what an agent was given to read; empty ones go with their neighbours.

    `within` is the first and the last line that can have been shown; last zero: to the end.
    """
    given = set(unnumbered(output))
    first, last = max(within[0], 1), within[1] or len(lines)
    ranges: list[tuple[int, int]] = []
    start = 0
    for number in range(first, min(last, len(lines)) + 1):
        line = lines[number - 1]
        if line in given or not line.strip():
            start = start or number
        elif start:
            ranges.append((start, number - 1))
            start = 0
    if start:
        ranges.append((start, min(last, len(lines))))
    return tuple(found for found in ranges if any(line.strip() for line in lines[found[0] - 1 : found[1]]))


def joined(*some: Ranges) -> Ranges:
    """All ranges in order, with those that overlap or touch made one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(one for ranges in some for one in ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def unnumbered(output: str) -> Iterable[str]:
    """The lines, without the numbers that some programs and clients put in front of them."""
    lines = lines_of(output)
    if not lines or not _NUMBERED.match(lines[0]):
        return lines
    return [line[found.end() :] if (found := _NUMBERED.match(line)) else line for line in lines]


def _keyed(text: str, key: bytes) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES, key=key).hexdigest()


# A text without what formatters change: the same for two that mean the same, as far as that shows in any language.
#
# Where lines break and how far they stand in counts outside of brackets only (Python, YAML, make files), and there by
# the level alone. White space counts inside of quotes and between two words. Kinds of quotes and trailing commas do
# not.
#
# Each read and write of a file asks for it, so nothing here goes over single words: quotes are taken out, what is left
# is put in order as a whole, and the quotes come back. No quote is left in between, so the signs of quotes mark the
# places.


LARGEST_PLAIN = 128 << 10
"""Characters of a text that is looked at so closely: it takes time, and each read of a file asks for it."""
_QUOTED = lazy(r'("[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'?|`[^`\\\n]*(?:\\.[^`\\\n]*)*`?)')
_QUOTE, _BEGIN = '"', "'"
"""Where something quoted was, and where a line begins that counts."""
_NO_BRACKETS = lazy(r"[^()\[\]{}\n]+")
_LOOSE = lazy(r" (?:(?!\w)|(?<!\w ))")
"""A blank that does not stand between two words."""
_TRAILING = lazy(r",(?=[)\]}])")
_TAB = 8


def plain_of(text: str) -> str:
    pieces = _QUOTED.split("\n".join(text.removeprefix("\ufeff").splitlines()))
    quotes = _taken_out(pieces)
    levels = _Levels()
    flat = " ".join(" ".join(_lines("".join(pieces), levels)).split())
    flat = _TRAILING.sub("", _LOOSE.sub("", flat))
    return _filled(_filled(flat, _BEGIN, levels.found), _QUOTE, quotes)


def _taken_out(pieces: list[str]) -> list[str]:
    """What is quoted, each with the same signs; every other piece is, and gets the mark of it.

    Where the sign at the end is missing, the last character counts for what follows.
    """
    quotes = []
    for at in range(1, len(pieces), 2):
        token = pieces[at]
        if len(token) > 1 and token[-1] == token[0]:
            token, tail = f'"{token[1:-1]}"', ""
        else:
            token = f'"{token[1:].rstrip()}'
            tail = token[-1] if token[-1] in ",_" or token[-1].isalnum() else ""
        quotes.append(token[: len(token) - len(tail)])
        pieces[at] = _QUOTE + tail
    return quotes


def _lines(code: str, levels: _Levels) -> Iterable[str]:
    """The lines in order, and a mark before each that begins outside of brackets."""
    depth = 0
    after: dict[str, tuple[int, int]] = {"": (0, 0)}
    for line, turns in zip(code.split("\n"), _NO_BRACKETS.sub("", code).split("\n"), strict=True):
        if depth:
            yield line
        elif body := line.lstrip():
            levels.begin(line[: len(line) - len(body)])
            yield _BEGIN
            yield body
        if turns:
            if turns not in after:
                after[turns] = _turned(turns)
            change, least = after[turns]
            depth = max(depth + change, least)


def _turned(turns: str) -> tuple[int, int]:
    """How much deeper brackets lead, and how deep at least: what closes more than is open closes nothing."""
    change = least = 0
    for bracket in turns:
        step = 1 if bracket in "([{" else -1
        change, least = change + step, max(least + step, 0)
    return change, least


class _Levels:
    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: list[int] = []
        self._last: str | None = None

    def begin(self, blanks: str) -> None:
        """Many lines begin as the one before them did."""
        if blanks == self._last:
            self.found.append(self.found[-1])
            return
        self._last = blanks
        width, levels = len(blanks.expandtabs(_TAB)), self._open
        while levels and width < levels[-1]:
            levels.pop()
        if width > (levels[-1] if levels else 0):
            levels.append(width)
        mark = "t" if "\t" in blanks else ""  # make tells the two apart
        self.found.append(f"\n{len(levels)}{mark} ")


def _filled(text: str, mark: str, values: list[str]) -> str:
    """The text with the values in the places of the marks, one after the other."""
    parts = [""] * (2 * len(values) + 1)
    parts[::2] = text.split(mark)
    parts[1::2] = values
    return "".join(parts)


# What is kept of a file once an agent knows how it is now.


MOST_RANGES = 64


def row_of(event: Event, disk: Disk, path: str, now: FileState, seen: Ranges, *, wrote: bool) -> Known:
    """A later change that would look the same from outside must not: then the look is not kept."""
    stamp = disk.look(path) or ()
    return Known(
        session=event.session,
        agent=event.agent,
        path=path,
        root=disk.root,
        digest=now.digest,
        plain=now.plain,
        lines=now.lines,
        count=now.count,
        seen=seen[:MOST_RANGES],
        stamp=stamp if disk.settled(stamp) else (),
        time=event.time,
        wrote=wrote,
    )
