"""The functions a change brings into a file, with their fingerprints: what was not there before and is now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

import msgspec

from leeboard.model.event import ToolCall
from leeboard.model.symbol import Fingerprint
from leeboard.model.touch import Diff
from leeboard.source.fingerprint import fingerprint
from leeboard.source.syntax import Definition, parse
from leeboard.text.language import is_generated, language_of

LARGEST = 400_000
"""Characters of a file that is looked into."""
_MOSTLY = 0.6
"""The share of its lines that must be written for a function to be new: a changed head makes no new function."""
_MOST = 80
_LONG_LINE = 200


class NewFunction(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    path: str
    line: int
    end: int
    owner: str = ""
    text: str = ""
    fingerprint: Fingerprint


@lru_cache(maxsize=4)
def new_functions(diff: Diff) -> tuple[NewFunction, ...]:
    """Those worth a fingerprint; none for what nobody wrote by hand."""
    return tuple(found for _number, found in zip(range(_MOST), _new(diff), strict=False))


def _new(diff: Diff) -> Iterator[NewFunction]:
    language = language_of(diff.path, diff.after)
    if not language or not diff.added or len(diff.after) > LARGEST or _is_made(diff):
        return
    tree = parse(diff.after, language)
    if tree is None:
        return
    for definition in tree.definitions:
        if definition.kind == "class" or is_called_by_language(definition.name):
            continue
        if not _is_written(diff, definition) or _was_there(diff, definition, language):
            continue
        made = fingerprint(tree, definition)
        if made is not None:
            yield NewFunction(
                name=definition.name,
                path=diff.path,
                line=definition.start,
                end=definition.end,
                owner=definition.owner,
                text=definition.node.text(),
                fingerprint=made,
            )


def is_called_by_language(name: str) -> bool:
    """`__eq__`: every class has its own, and nobody could call that of another one instead."""
    return name.startswith("__") and name.endswith("__")


def _is_made(diff: Diff) -> bool:
    """The whole text is looked at only where its beginning, or the length of its lines, gives reason to."""
    text = diff.after
    suspicious = "enerated" in text[:4_000] or len(text) > _LONG_LINE * (text.count("\n") + 1)
    return is_generated(diff.path, text if suspicious else "")


def may_be_old(diff: Diff) -> bool:
    """Whether a file was written whole and nobody knows what it had before: then all of it looks new."""
    lines = diff.after.count("\n") + (not diff.after.endswith("\n"))
    return diff.before is None and not diff.fragment and diff.added_count >= lines


def whole_file(path: str, text: str) -> Diff:
    """A file as it is now, as if all of it were new: for looking again."""
    return Diff(path=path, after=text, added=((1, text.count("\n") + 1),))


def _is_written(diff: Diff, definition: Definition) -> bool:
    first, last = definition.start, definition.end
    written = sum(max(0, min(last, end) - max(first, start) + 1) for start, end in diff.added)
    return written >= _MOSTLY * (last - first + 1)


def _was_there(diff: Diff, definition: Definition, language: str) -> bool:
    """Whether the file, or what was taken out of it, had a function of that name."""
    before = diff.removed if diff.before is None else diff.before
    return bool(before) and defines(before, definition.name, language)


def defines(text: str, name: str, language: str) -> bool:
    """Whether a text defines a function or class of that name; where it can not be parsed, whether it has the word."""
    if not name or name not in text:
        return False
    if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return False
    tree = parse(text, language)
    return tree is None or bool(tree.errors) or any(definition.name == name for definition in tree.definitions)


# The text a change puts into a file, and the text it takes out.


def added_text(diff: Diff) -> str:
    """The lines a change wrote."""
    lines = diff.after.split("\n")
    return "\n".join(chain.from_iterable(lines[first - 1 : last] for first, last in diff.added))


def sides(call: ToolCall, diff: Diff) -> tuple[str, str]:
    """What was there and what is there instead: as the edits say, which also show lines that only change places."""
    if len(call.paths) == 1 and call.edits and all(edit.old for edit in call.edits):
        return "\n".join(edit.old for edit in call.edits), "\n".join(edit.new for edit in call.edits)
    return diff.removed, added_text(diff)
