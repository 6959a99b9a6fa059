"""Which files git takes a word of a command for: read from the folder it runs in, unless the word says from the top.

`.` is the folder one is in and all below it, `../db` lies beside it, `:/` and `:(top)` are the whole work tree, `:!x`
leaves something out. A star goes through folders, but for `:(glob)`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase, translate

import msgspec

from leeboard.model.text import lazy
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.reach.globs import whole

_LONG = lazy(r":\(([^)]{0,200})\)")
_SHORT = lazy(r":([/!^]{0,4}):?")
_SHORT_MEANINGS = {"/": "top", "!": "exclude", "^": "exclude"}
_MARKS = lazy(r"[*?\[]")
_IN_FOLDER = lazy(r"\*\*/|\*\*|\*|[^*]{1,400}")
_IN_FOLDER_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}


class _Pathspec(msgspec.Struct, frozen=True):
    text: str
    magic: frozenset[str]


def means(words: tuple[str, ...], path: str, folder: str, top: str) -> bool:
    """Whether the words together mean the file at a whole path; with nothing but exclusions they mean all others."""
    read = [_read(word) for word in words]
    if any("exclude" in one.magic and _fits(one, path, folder, top) for one in read):
        return False
    wanted = [one for one in read if "exclude" not in one.magic]
    return not wanted or any(_fits(one, path, folder, top) for one in wanted)


def is_plain(word: str) -> bool:
    """Whether it names one place as it stands."""
    return not word.startswith(":") and UNKNOWN not in word and not _MARKS.search(word)


def is_ignored(patterns: Iterable[str], path: str, top: str) -> bool:
    """Whether one of these patterns, written as in .gitignore, has the file at a whole path or a folder above it."""
    parts = path.removeprefix(f"{top.rstrip('/')}/").split("/")
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    for pattern in patterns:
        plain = pattern.rstrip("/")
        if UNKNOWN in pattern:
            continue
        if any(fnmatchcase(each, plain.lstrip("/")) for each in (above if "/" in plain else parts)):
            return True
    return False


def _read(word: str) -> _Pathspec:
    if not word.startswith(":"):
        return _Pathspec(word, frozenset())
    if found := _LONG.match(word):
        return _Pathspec(word[found.end() :], frozenset(found[1].split(",")))
    found = _SHORT.match(word)
    marks = found[1] if found else ""
    rest = word[found.end() :] if found else word[1:]
    return _Pathspec(rest, frozenset(_SHORT_MEANINGS[mark] for mark in marks))


def _fits(one: _Pathspec, path: str, folder: str, top: str) -> bool:
    start = top if "top" in one.magic else folder
    if UNKNOWN in one.text:
        return path.startswith(whole(one.text.partition(UNKNOWN)[0], start))
    place = whole(one.text or ".", start)
    if "icase" in one.magic:
        place, path = place.lower(), path.lower()
    if f"{path}/".startswith(f"{place.rstrip('/')}/"):
        return True
    if "literal" in one.magic or not _MARKS.search(one.text):
        return False
    return re.fullmatch(_pattern(one, place, start), path) is not None


def _pattern(one: _Pathspec, place: str, start: str) -> str:
    """The marks of the word alone count: the folder that it is read from is what it is."""
    climbed = start
    text = posixpath.normpath(one.text)
    while text.startswith("../"):
        climbed, text = posixpath.dirname(climbed), text[3:]
    if text.startswith("/"):
        climbed, text = "", place.lstrip("/")
    text = text.lower() if "icase" in one.magic else text
    before = re.escape(f"{climbed.lower() if 'icase' in one.magic else climbed}/".replace("//", "/"))
    return before + (_in_folder(text) if "glob" in one.magic else translate(text))


def _in_folder(text: str) -> str:
    pieces = (found[0] for found in _IN_FOLDER.finditer(text))
    return "".join(_IN_FOLDER_MEANINGS.get(piece) or re.escape(piece).replace(r"\?", "[^/]") for piece in pieces)
