"""Lines of a .gitignore, and what they say of a path: as git reads them, where git itself is not asked.

A line without a slash speaks of names in any folder, one with a slash of paths from the folder of the file. The last
line that speaks of a path counts, and `!` in front takes back what earlier ones said. A file below an ignored folder is
ignored whatever a line says of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from leeboard.model.text import lazy

LONGEST = 4_000
"""Characters of a line, as long as a path can be."""
_TOKEN = lazy(
    r"\\(?P<escaped>.)|(?P<star>\*+)|(?P<one>\?)|\[(?P<not>[!^]?)(?P<class>\]?(?:\[:\w{1,9}:\]|\\.|[^\]\\])*)\]|(?P<plain>.)"
)
_IN_CLASS = lazy(r"\[:(?P<kind>\w{1,9}):\]|\\?(?P<first>.)(?:-\\?(?P<last>.))?", re.DOTALL)
_KINDS = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9A-Fa-f",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "cntrl": r"\x00-\x1f\x7f",
}


class IgnoreLine(msgspec.Struct, frozen=True):
    """One line: the parts of its pattern, `None` for any number of folders."""

    parts: tuple[re.Pattern[str] | None, ...]
    ignores: bool
    folders_only: bool


def read_lines(lines: Iterable[str]) -> tuple[IgnoreLine, ...]:
    """Those that say something. A line that means nothing to git means nothing here."""
    return tuple(read for line in lines if (read := _read(line)) is not None)


def says(lines: tuple[IgnoreLine, ...], path: str, *, is_folder: bool) -> bool | None:
    """Whether the path, from the folder of the lines, is ignored; None where no line speaks of it."""
    parts = _bytewise(path).split("/")
    for line in reversed(lines):
        if (is_folder or not line.folders_only) and _fits(line.parts, parts):
            return line.ignores
    return None


def is_ignored(lines: tuple[IgnoreLine, ...], path: str) -> bool:
    """Whether these lines ignore a file, or a folder above it."""
    parts = path.split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return any(says(lines, folder, is_folder=True) for folder in above) or bool(says(lines, path, is_folder=False))


def _read(line: str) -> IgnoreLine | None:
    text = _bytewise(_without_trailing_space(line.removesuffix("\r")))
    if not text or text.startswith("#") or len(text) > LONGEST:
        return None
    ignores = not text.startswith("!")
    text = text if ignores else text[1:]
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    segments = text.removeprefix("/").split("/")
    if "/" not in text:
        segments.insert(0, "**")
    if segments[-1] == "**":
        segments.append("*")  # `a/**` is what lies in the folder, not the folder
    try:
        parts = tuple(None if segment == "**" else _pattern(segment) for segment in segments)
    except (ValueError, KeyError):
        return None
    return IgnoreLine(parts, ignores, folders_only)


def _bytewise(text: str) -> str:
    """A character for each byte: to git a `?` is one of them."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def _without_trailing_space(line: str) -> str:
    kept = line.rstrip(" ")
    escaped = (len(kept) - len(kept.rstrip("\\"))) % 2
    return kept + " " if escaped and kept != line else kept


def _fits(pattern: tuple[re.Pattern[str] | None, ...], path: list[str]) -> bool:
    """Step by step through both, so that no line can make it take long."""
    reached = {0}
    for part in pattern:
        if part is None:
            reached = set(range(min(reached), len(path) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if at < len(path) and part.fullmatch(path[at])}
    return len(path) in reached


def _pattern(segment: str) -> re.Pattern[str]:
    """A name with stars, each of which takes as little as it can and gives nothing back. ValueError for half a mark."""
    pieces = [""]
    for found in _TOKEN.finditer(segment):
        if found["star"]:
            pieces.append("")
        elif found["class"] is not None:
            pieces[-1] += _class(found["not"], found["class"])
        else:
            pieces[-1] += "." if found["one"] else re.escape(found["escaped"] or _literal(found["plain"]))
    first, *others = pieces
    middle = "".join(f"(?>.*?{piece})" for piece in others[:-1] if piece)
    return re.compile(first + middle + (f".*{others[-1]}" if others else ""), re.DOTALL)


def _literal(character: str) -> str:
    if character in "[\\":
        raise ValueError("a class or an escape without its end")
    return character


def _class(negated: str, inner: str) -> str:
    """KeyError for a kind of characters that nobody knows."""
    written = ""
    for found in _IN_CLASS.finditer(inner):
        if found["kind"]:
            written += _KINDS[found["kind"]]
        else:
            first, last = found["first"], found["last"] or ""
            written += re.escape(first) + (f"-{re.escape(last)}" if last > first else "")
    return f"[{'^' if negated else ''}{written}]"
