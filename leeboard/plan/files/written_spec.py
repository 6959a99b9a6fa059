"""A wish that somebody wrote down, an issue or a ticket, read as the beginning of an intent.

People write them in many ways: a heading and paragraphs, a form with `Acceptance criteria`, a list of boxes, one
sentence, or what `gh issue view` prints. What they wrote stays as they wrote it; boxes are put before what has to hold,
so that units can take it over word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.plan.files.splice import read_page

LONGEST_TITLE = 80
_HEADING = lazy(r"[ ]{0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*")
_LABEL = lazy(r"[ \t]{0,3}(?:\*\*|__)?([^\s*_`\[][^*_`:\n]{1,40}?)(?:\*\*|__)?:?(?:\*\*|__)?:?[ \t]*")
_UNDERLINE = lazy(r"(?:={3,}|-{3,})[ \t]*")
_ITEM = lazy(r"([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})(?:\[([ xX])\][ \t]+)?(\S.*)")
_FENCE = lazy(r"[ \t]{0,40}(`{3,}|~{3,})")
_PRINTED_FIELD = lazy(r"([a-z][a-z ]{1,30}):\t(.*)")
_MARKS = lazy(r"[`*_~]+|\[([^\]]*)\]\([^)]*\)")
_SENTENCE = lazy(r"(?<=[.!?])[ \t]")


class WrittenSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What a wish says."""

    title: str
    goal: str
    """Its first paragraph, or what stands below a heading that says so."""
    criteria: tuple[str, ...]
    body: str
    """All of it but the title, with a box before each criterion."""


class _Headings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    criteria: frozenset[str]
    goal: frozenset[str]


_HEADINGS = load("plan/written_spec", _Headings)


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line, the section it stands in, and whether it is an example."""

    text: str
    section: str
    heading: str = ""
    quoted: bool = False


def read_spec(text: str) -> WrittenSpec:
    """Never raises. An empty title: there are no words in it."""
    title, body = _titled(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    lines = list(_lines(body))
    marked, criteria = _with_boxes(lines)
    return WrittenSpec(title=title, goal=_goal(lines), criteria=tuple(criteria), body=marked.strip())


def _titled(text: str) -> tuple[str, str]:
    """The title, and the text without the lines it stood in."""
    page = read_page(text)
    if page.has_frontmatter and isinstance(page.fields.get("title"), str):
        return _one_line(page.fields["title"]), page.body
    printed = _printed(text)
    if printed is not None:
        return printed
    lines = page.body.split("\n") if page.has_frontmatter else text.split("\n")
    at = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if at == len(lines):
        return "", ""
    first, rest = lines[at], lines[at + 1 :]
    heading = _HEADING.fullmatch(first)
    if heading:
        return _one_line(heading[2]), "\n".join(rest)
    if rest and _UNDERLINE.fullmatch(rest[0]):
        return _one_line(first), "\n".join(rest[1:])
    title = _one_line(_SENTENCE.split(first)[0])
    return title, "\n".join(rest if title == _plain(first) else [first, *rest])


def _printed(text: str) -> tuple[str, str] | None:
    """As the programs of hosting sites print an issue: fields with a tab, two dashes, and what was written."""
    head, found, body = text.partition("\n--\n")
    if not found:
        return None
    found_fields = (_PRINTED_FIELD.fullmatch(line) for line in head.split("\n"))
    fields = {match[1]: match[2] for match in found_fields if match}
    return (_one_line(fields["title"]), body) if fields.get("title") else None


def _plain(text: str) -> str:
    """One line without marks of Markdown."""
    bare = _MARKS.sub(lambda found: found[1] or "", text)
    return " ".join("".join(each if each.isprintable() else " " for each in bare).split()).strip(" .:#-")


def _one_line(text: str) -> str:
    """Cut between words where it is long."""
    line = _plain(text)
    if len(line) <= LONGEST_TITLE:
        return line
    return line[: LONGEST_TITLE + 1].rpartition(" ")[0] or line[:LONGEST_TITLE]


def _lines(body: str) -> Iterator[_Line]:
    section, fence = "", ""
    for text in body.split("\n"):
        marked = _FENCE.match(text)
        quoted = bool(fence or marked)
        if marked and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        heading = "" if quoted else _heading_of(text)
        section = heading or section
        yield _Line(text=text, section=section, heading=heading, quoted=quoted)


def _heading_of(line: str) -> str:
    """What a heading says, in lower case; a label such as `**Acceptance criteria:**` is one where it is known."""
    found = _HEADING.fullmatch(line)
    if found:
        return _name(found[2])
    label = _LABEL.fullmatch(line)
    name = _name(label[1]) if label else ""
    return name if name in _HEADINGS.criteria | _HEADINGS.goal else ""


def _name(text: str) -> str:
    return _one_line(text).lower().strip("?!.: ")


def _with_boxes(lines: list[_Line]) -> tuple[str, list[str]]:
    """Boxes that were written are the criteria; only where there are none, the items below a heading that says so."""
    found = [_ITEM.fullmatch(line.text) if not line.quoted else None for line in lines]
    has_boxes = any(item is not None and item[2] for item in found)
    criteria: list[str] = []
    shown: list[str] = []
    for line, item in zip(lines, found, strict=True):
        counts = item is not None and (item[2] if has_boxes else line.section in _HEADINGS.criteria)
        if item is not None and counts:
            criteria.append(item[3].strip())
        shown.append(f"{item[1]}[ ] {item[3]}" if item is not None and counts and not has_boxes else line.text)
    return "\n".join(shown), criteria


def _goal(lines: list[_Line]) -> str:
    """The goal of a specification: its first paragraph, under a heading for it where there is one."""
    named = [line for line in lines if line.section in _HEADINGS.goal]
    paragraph: list[str] = []
    for line in named or [line for line in lines if line.section not in _HEADINGS.criteria]:
        if line.heading or (not line.text.strip() and not paragraph):
            continue
        if not line.text.strip() or line.quoted:
            break
        paragraph.append(line.text.strip())
    return " ".join(" ".join(paragraph).split())


# Boxes in a page that are ticked off: `- [ ]` becomes `- [x]`, and nothing else changes.

_BOX = lazy(r"([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})\[ \]([ \t]+)(\S.*)")


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
