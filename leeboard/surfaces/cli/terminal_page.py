"""A page of our own documentation on a terminal: Markdown as far as we write it, laid out to the width there is.

Headings, paragraphs, lists, tables and blocks of code are told apart by the start of their lines. What is none of these
is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from leeboard.surfaces.cli.terminal import Text

_FENCE = "```"
_ITEM = re.compile(r"(\s*)([-*]|\d+\.) +(.*)")
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)")
_WIDEST = 100
"""Columns, on a terminal however wide: longer lines are hard to read."""


def page_lines(page: str, width: int) -> Iterator[tuple[Text, Text]]:
    """Each line as what stands in front of it and its words, which may be wrapped below its start."""
    for kind, lines in groupby(_blocks(page.splitlines()), key=lambda line: line[0]):
        block = [text for _kind, text in lines]
        if kind == "code":
            yield from ((Text([("    ", "")]), Text([(line, "cyan")])) for line in block)
        elif kind == "table":
            yield from _table(block, min(width, _WIDEST))
        else:
            yield from map(_line, _joined(block))


def _blocks(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with what it belongs to: code, a table, or words."""
    inside = False
    for line in lines:
        if line.lstrip().startswith(_FENCE):
            inside = not inside
        elif inside:
            yield "code", line
        else:
            yield ("table" if line.startswith("|") else "words"), line


def _joined(lines: list[str]) -> Iterator[str]:
    """Paragraphs and items, each on one line: the lines of the file end where its writer's editor did."""
    open_line = ""
    for line in lines:
        goes_on = bool(open_line) and not open_line.startswith("#")
        if line.strip() and goes_on and not line.startswith("#") and not _ITEM.fullmatch(line):
            open_line = f"{open_line} {line.strip()}"
            continue
        if open_line:
            yield open_line
        open_line = line
        if not line.strip():
            yield ""
            open_line = ""
    if open_line:
        yield open_line


def _line(line: str) -> tuple[Text, Text]:
    if line.startswith("#"):
        return Text(), Text([(line.lstrip("#").strip(), "bold")])
    if found := _ITEM.fullmatch(line):
        mark = "-" if found[2] in "-*" else found[2]
        return Text([(f"{found[1]}{mark} ", "dim")]), styled(found[3])
    return Text(), styled(line)


def styled(line: str) -> Text:
    """A line without its marks: they became styles. The address of a link stands behind its words."""
    text, place = Text(), 0
    for found in _MARKED.finditer(line):
        text.append(line[place : found.start()])
        code, strong, stressed, name, address = found.groups()
        text.append(code or strong or stressed or name, "cyan" if code else "bold" if strong else "")
        if address and address != name:
            text.append(f" ({address})", "dim")
        place = found.end()
    return text.append(line[place:])


def _table(lines: list[str], width: int) -> Iterator[tuple[Text, Text]]:
    """Columns below each other; the last one is wrapped, and no other takes more than its share."""
    rows = [[styled(cell.strip()) for cell in _cells(line)] for line in lines if not _RULE.fullmatch(line)]
    count = max(map(len, rows), default=0)
    most = max(width // max(count, 1), 8)
    widths = [min(max(len(row[number]) for row in rows if number < len(row)), most) for number in range(count - 1)]
    for row in rows:
        first = Text()
        for cell, room in zip(row[:-1], widths, strict=False):
            first.append_text(cell).append(" " * (max(room - len(cell), 0) + 2))
        yield first, row[-1] if row else Text()


def _cells(line: str) -> list[str]:
    """Split at the bars; one behind a backslash is a letter."""
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
