"""What people see: plain text that stays readable without colour, in a pipe and at 80 columns.

Colour follows NO_COLOR, FORCE_COLOR and whether a terminal is there; NO_COLOR means no escape code of any kind. Texts
come from transcripts, so nothing in them is taken for markup and no control character gets through.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click
import msgspec

from leeboard.app.hook_origin import agent_above
from leeboard.errors import ConfigError
from leeboard.model.text import lazy, shown, shown_line
from leeboard.secrets.given_text import each_text
from leeboard.secrets.redaction import redact_shaped
from leeboard.surfaces.cli.terminal import Console, Text, columns
from leeboard.trust.record import whole_run

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


def chosen_form(given: Mapping[str, object], forms: Iterable[str]) -> str:
    """The one of these options that was given; empty where none was. ConfigError for two: one of them would be lost."""
    asked = [name for name in forms if given.get(name)]
    if len(asked) > 1:
        raise ConfigError(f"--{asked[0]} and --{asked[1]} are two forms of the same output: name one of them")
    return asked[0] if asked else ""


def quiet_option(command: Command) -> Command:
    return click.option("-q", "--quiet", is_flag=True, help="Print nothing but what was asked for.")(command)


def trust_option(command: Command) -> Command:
    """`--trust`: for a build server, which says so by itself. Nothing of it is written down."""
    return click.option(
        "--trust",
        is_flag=True,
        expose_value=False,
        callback=_trust_this_run,
        help="Trust the repository's settings and commands for this run, as a build server has to say.",
    )(command)


def _trust_this_run(ctx: click.Context, _param: click.Parameter, value: object) -> None:
    if not value:
        return
    refuse_to_agents("--trust")
    ctx.with_resource(whole_run())


def refuse_to_agents(option: str) -> None:
    """ConfigError where an agent says what only a person, or a build server that they set up, may say."""
    if mark := agent_above():
        raise ConfigError(f"only a person or a build server may say {option}, and {mark} says that an agent runs it.")


def screen(*, stderr: bool = False) -> Console:
    """The terminal, as commands write to it."""
    return Console(stderr=stderr)


def print_json(found: object) -> None:
    """One object on one line, in ASCII: no locale and no half character can break it, and no build server takes a part
    of it for an order.
    """
    line = json.dumps(each_text(found, redact_shaped))
    sys.stdout.write(line.replace("##[", "#\\u0023[") + "\n")


def print_view(view: msgspec.Struct) -> None:
    """A view as programs get it: its fields, by their names."""
    print_json(msgspec.to_builtins(view))


def print_markdown(page: str) -> None:
    """A page of our own: laid out on a terminal, as it is written elsewhere."""
    console = screen()
    if not console.is_terminal:
        console.print(page)
        return
    from leeboard.surfaces.cli.terminal_page import page_lines  # noqa: PLC0415 - only the pages for people need it

    for first, rest in page_lines(page, console.width):
        print_wrapped(first, rest, console)


def say(text: str) -> None:
    """One line beside what was asked for."""
    click.echo(f"leeboard: {printable(' '.join(text.split()))}", err=True)


def printable(text: str) -> str:
    """The text without anything a terminal would obey; a file may be named after a key, and a name is not a place for
    one.
    """
    return shown(redact_shaped(text))


def words(*parts: tuple[str, str] | str) -> Text:
    """A line out of plain texts and (text, style) pairs. A line end in one of them is a name's, and spelled out."""
    return _text(parts, shown_line)


def paragraphs(*parts: tuple[str, str] | str) -> Text:
    """The same for texts that have lines of their own."""
    return _text(parts, shown)


def _text(parts: Iterable[tuple[str, str] | str], show: Callable[[str], str]) -> Text:
    line = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        line.append(show(redact_shaped(text)), style)
    return line


def score_bar(score: int, level: str, console: Console) -> Text:
    """`███████░░░  7/10`, in the colour of its level."""
    full, empty = ("█", "░") if console.encoding.lower().startswith("utf") else ("#", ".")
    return words((full * score, LEVEL_STYLES.get(level, "")), (empty * (10 - score), "dim"), f" {score:>2}/10")


def fields(rows: Iterable[tuple[str, Text | str]], console: Console, indent: int = 0) -> None:
    """Names and what they are, in two columns."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        first = words(" " * indent, (f"{name:<{width}}", "dim"), "  ")
        print_wrapped(first, value if not isinstance(value, str) else paragraphs(value), console)


def table(heads: Sequence[str], rows: Iterable[Sequence[Text | str]], console: Console) -> None:
    """A plain table without lines; the last column takes what room is left."""
    cells = [[words(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    cells.insert(0, [words((head, "bold")) for head in heads])
    widths = [max(len(row[number]) for row in cells) for number in range(len(heads) - 1)]
    for row in cells:
        first = words()
        for cell, width in zip(row, widths, strict=False):
            first.append_text(cell).append(" " * (width - len(cell) + 2))
        print_wrapped(first, row[-1], console)


_WORD = lazy(r"(?:`[^`\n]{1,400}`|\S)+")
"""What stays in one piece: a path, and a command in backticks, which one may copy."""


def print_wrapped(first: Text, rest: Text, console: Console) -> None:
    """`rest` behind `first`, its further lines below its first one."""
    room = max(24, console.width - len(first))
    lead = first
    for piece in wrapped(rest, room):
        line = lead.copy().append_text(piece)
        line.rstrip()
        console.print(line)
        lead = words(" " * len(first))


def wrapped(text: Text, room: int) -> Iterator[Text]:
    """Its lines, each within so many columns; a word that is too long for any has one of its own."""
    for line in text.lines():
        yield from line.divide(_breaks(line.plain, room))


def _breaks(text: str, room: int) -> Iterator[int]:
    begun = -1
    for word in _WORD.finditer(text):
        if begun < 0:
            begun = 0
        elif columns(text[begun : word.end()]) > room:
            begun = word.start()
            yield begun
