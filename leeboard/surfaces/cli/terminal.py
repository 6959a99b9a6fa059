"""Where people read: lines in parts of different styles, and the terminal or the file they are written to.

Colours go through click, which also knows the consoles of Windows that obey no escape codes. Nothing is cut and nothing
is wrapped by itself: who prints says where a line ends.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import IO

import click

_WIDTH = 80
_COLOURS = frozenset({"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"})


class Text:
    """A text whose parts have styles, such as `bold red`."""

    def __init__(self, parts: Iterable[tuple[str, str]] = ()) -> None:
        self._parts = [part for part in parts if part[0]]

    @property
    def plain(self) -> str:
        return "".join(text for text, _style in self._parts)

    def __len__(self) -> int:
        """The length as it is printed, in letters."""
        return sum(len(text) for text, _style in self._parts)

    def __str__(self) -> str:
        return self.plain

    def append(self, text: str, style: str = "") -> Text:
        if text:
            self._parts.append((text, style))
        return self

    def append_text(self, other: Text) -> Text:
        self._parts += other._parts
        return self

    def copy(self) -> Text:
        return Text(self._parts)

    def rstrip(self) -> None:
        """Without the blanks at its end."""
        while self._parts:
            text, style = self._parts.pop()
            if kept := text.rstrip():
                self._parts.append((kept, style))
                return

    def lines(self) -> list[Text]:
        """The text line by line; an empty text is one empty line."""
        found, begun = [], 0
        for line in self.plain.split("\n"):
            found.append(self.between(begun, begun + len(line)))
            begun += len(line) + 1
        return found

    def divide(self, places: Iterable[int]) -> Iterator[Text]:
        """Cut in front of the letters at these places."""
        begun = 0
        for place in (*places, len(self)):
            yield self.between(begun, place)
            begun = place

    def between(self, begin: int, end: int) -> Text:
        parts, place = [], 0
        for text, style in self._parts:
            parts.append((text[max(begin - place, 0) : max(end - place, 0)], style))
            place += len(text)
        return Text(parts)

    def coloured(self) -> str:
        """With the codes that a terminal obeys."""
        return "".join(_coloured(text, style.split()) for text, style in self._parts)


def _coloured(text: str, style: list[str]) -> str:
    if not style:
        return text
    colour = next((word for word in style if word in _COLOURS), None)
    return click.style(text, fg=colour, bold="bold" in style or None, dim="dim" in style or None)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: letters of East Asia take two, marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text
    )


class Console:
    """Standard output or standard error as they are at the time of writing; or a file."""

    def __init__(self, *, stderr: bool = False, file: IO[str] | None = None, width: int = 0) -> None:
        self._stderr, self._file, self._width = stderr, file, width

    @property
    def file(self) -> IO[str]:
        return self._file or (sys.stderr if self._stderr else sys.stdout)

    @property
    def encoding(self) -> str:
        return getattr(self.file, "encoding", None) or "utf-8"

    @property
    def is_terminal(self) -> bool:
        """Whether somebody looks at it, or a person asked for colours all the same."""
        return bool(os.environ.get("FORCE_COLOR")) or self.file.isatty()

    @property
    def shows_colour(self) -> bool:
        dumb = os.environ.get("TERM", "").lower() in {"dumb", "unknown"}
        return self.is_terminal and not dumb and not os.environ.get("NO_COLOR")

    @property
    def width(self) -> int:
        """As COLUMNS says, or any terminal that this process has; 80 where there is none."""
        told = os.environ.get("COLUMNS", "")
        return self._width or (int(told) if told.isdecimal() and int(told) else 0) or _terminal_width() or _WIDTH

    def print(self, *parts: Text | str, sep: str = " ") -> None:
        """One line. BrokenPipeError where nobody reads on."""
        shows = self.shows_colour
        line = sep.join(part.coloured() if isinstance(part, Text) and shows else str(part) for part in parts)
        try:
            click.echo(line, file=self.file, color=shows)
        except BrokenPipeError:
            # Without its number: by that, click would end the process with 1, as if something had failed.
            raise BrokenPipeError from None

    def rewrite(self, line: str) -> None:
        """Over the line that stands there, without an end; an empty one wipes it out."""
        room = self.width - 1
        self.file.write(f"\r{line[:room]:<{room}}" if line else f"\r{' ' * room}\r")
        self.file.flush()


def _terminal_width() -> int:
    for number in (0, 1, 2):
        try:
            return os.get_terminal_size(number).columns
        except OSError:
            continue
    return 0
