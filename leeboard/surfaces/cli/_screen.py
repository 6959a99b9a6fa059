"""What people see: plain text that stays readable without colour, in a pipe and at 80 columns.

Colour follows NO_COLOR, FORCE_COLOR and whether a terminal is there. Texts come from transcripts, so nothing in them is
taken for markup and no control character gets through.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from leeboard.io.clock import now

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LEVEL_STYLES = {
    "none": "green",
    "nudge": "cyan",
    "correct": "yellow",
    "intervene": "red",
    "halt": "bold red",
}
MODE_STYLES = {"NORMAL": "green", "DRIFTED": "yellow", "FORCED": "bold red"}

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, one object a line.")(command)


def quiet_option(command: Command) -> Command:
    return click.option("-q", "--quiet", is_flag=True, help="Print nothing but what was asked for.")(command)


def screen(*, stderr: bool = False) -> Console:
    """A console to print on."""
    from rich.console import Console  # noqa: PLC0415 - programs that ask for JSON need not wait for it

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)


def print_json(found: object) -> None:
    """One object on one line, in ASCII: no locale and no half character can break it."""
    sys.stdout.write(json.dumps(found) + "\n")


def printable(text: str) -> str:
    """The text without anything a terminal would obey."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def words(*parts: tuple[str, str] | str) -> Text:
    """A line out of plain texts and (text, style) pairs."""
    from rich.text import Text  # noqa: PLC0415 - as above

    line = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        line.append(printable(text), style or None)
    return line


def score_bar(score: int, level: str, console: Console) -> Text:
    """`███████░░░  7/10`, in the colour of its level."""
    full, empty = ("█", "░") if console.encoding.lower().startswith("utf") else ("#", ".")
    return words((full * score, LEVEL_STYLES.get(level, "")), (empty * (10 - score), "dim"), f" {score:>2}/10")


def fields(rows: Iterable[tuple[str, Text | str]], console: Console, indent: int = 0) -> None:
    """Names and what they are, in two columns."""
    from rich.table import Table  # noqa: PLC0415 - as above

    grid = Table.grid(padding=(0, 2), pad_edge=False)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(" " * indent + name, words(value) if isinstance(value, str) else value)
    console.print(grid, soft_wrap=False)


def table(heads: Sequence[str], rows: Iterable[Sequence[Text | str]], console: Console) -> None:
    """A plain table without lines."""
    from rich.table import Table  # noqa: PLC0415 - as above

    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        shown.add_column(head, no_wrap=number == 0, overflow="fold")
    for row in rows:
        shown.add_row(*(words(cell) if isinstance(cell, str) else cell for cell in row))
    console.print(shown, soft_wrap=False)


def ago(moment: float, at: float | None = None) -> str:
    """`12 s ago`, in the largest unit that fits."""
    seconds = max(0.0, (now() if at is None else at) - moment)
    return f"{span(seconds)} ago"


def span(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
