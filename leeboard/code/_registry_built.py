"""What a call wrote: changes with their size, new functions and classes with their fingerprints, features."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.code.added import added_text
from leeboard.code.feature import units_of
from leeboard.code.language import is_generated, language_of
from leeboard.code.redaction import redact
from leeboard.model.diff import Diff, Diffs
from leeboard.model.digest import digest
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.registry import Entry

_MOST_BUILT = 60
_SIGNATURE_ROOM = 240
_NAME_ROOM = 120
_BEFORE_NAME = (
    r"\b(?:def|class|function|func|fn|fun|sub|struct|interface|trait|enum|const|let|var)\s{1,4}"
    r"(?:\([^()\n]{0,80}\)\s{0,4})?"
)
_AFTER_NAME = r"\s{0,4}(?:[:=]\s{0,4}(?:async\s{1,4})?(?:function\b|\()|\([^()\n]{0,200}\)\s{0,4}(?:\{|:|=>))"
_LARGEST = 400_000
"""Characters of a file that is looked into."""


def written_entries(event: ToolFinished, diffs: Diffs, turn: int) -> Iterator[Entry]:
    """Rows for each file the call wrote, by its text."""
    for diff in diffs:
        if diff.path:
            yield _change(event, diff, turn)
            yield from _features(event, diff, turn)
            yield from _built(event, diff, turn)


def _change(event: ToolFinished, diff: Diff, turn: int) -> Entry:
    text = added_text(diff)
    return Entry(
        kind="change",
        key=redact(diff.path),
        path=redact(diff.path),
        turn=turn,
        agent=event.agent,
        call=event.call.id,
        line=diff.added[0][0] if diff.added else 0,
        amount=diff.added_count + _lines(diff.removed) or _moved(event.call, diff),
        digest=digest(" ".join(text.split())),
        data=_packed(text, diff),
    )


def _lines(text: str) -> int:
    return text.count("\n") + bool(text and not text.endswith("\n"))


def _moved(call: ToolCall, diff: Diff) -> int:
    """Lines of an edit that adds and takes away nothing: they only change places."""
    if diff.added or diff.removed or len(call.paths) != 1:
        return 0
    return sum(_lines(edit.new) for edit in call.edits if edit.old and edit.old != edit.new)


def _packed(text: str, diff: Diff) -> str:
    if not text.strip() or len(text) > _LARGEST or is_generated(diff.path, ""):
        return ""
    from leeboard.code.fingerprint import pack_text  # noqa: PLC0415 - the parser, for written code only

    return pack_text(text, language_of(diff.path, diff.after))


def _features(event: ToolFinished, diff: Diff, turn: int) -> Iterator[Entry]:
    """`amount` is one where the whole file was written and nobody knows what it had before."""
    for unit in units_of(diff):
        yield Entry(
            kind="feature",
            key=unit.key,
            path=redact(diff.path),
            line=unit.line,
            turn=turn,
            agent=event.agent,
            call=event.call.id,
            amount=int(diff.before is None and not diff.fragment and event.call.action == "write"),
            text=redact(unit.name)[:_NAME_ROOM],
            data=unit.kind,
        )


def _built(event: ToolFinished, diff: Diff, turn: int) -> Iterator[Entry]:
    language = language_of(diff.path, diff.after)
    if not language or not diff.added or len(diff.after) > _LARGEST or is_generated(diff.path, diff.after):
        return
    from leeboard.code.fingerprint import fingerprint, pack  # noqa: PLC0415 - the parser, for written code only
    from leeboard.code.syntax import parse  # noqa: PLC0415 - as above

    tree = parse(diff.after, language)
    if tree is None:
        return
    lines = diff.after.split("\n")
    had = diff.removed if diff.before is None else diff.before
    new = [it for it in tree.definitions if it.name and diff.wrote(it.start) and not _defines(had, it.name)]
    for it in new[:_MOST_BUILT]:
        print_of = fingerprint(tree, it)
        body = " ".join(" ".join(lines[it.start - 1 : it.end]).split())
        yield Entry(
            kind="built",
            key=it.name.lower(),
            path=redact(diff.path),
            line=it.start,
            turn=turn,
            agent=event.agent,
            call=event.call.id,
            amount=it.end,
            digest=digest(body),
            text=redact(lines[it.start - 1].strip())[:_SIGNATURE_ROOM],
            data=pack(print_of) if print_of is not None else "",
        )


def _defines(text: str, name: str) -> bool:
    """Whether an older text defines this name already: then it is changed, not built."""
    if name not in text:
        return False
    return re.search(rf"{_BEFORE_NAME}{re.escape(name)}\b|\b{re.escape(name)}{_AFTER_NAME}", text) is not None
