"""What is said of a file that changed underneath: who, where, and the new lines themselves."""

from __future__ import annotations

from leeboard.model.known import NO_TEXT, Change, ChangedFile
from leeboard.model.truth import ABSENT
from leeboard.secrets.redaction import redact
from leeboard.text.words import cut, on_one_line
from leeboard.truth.cause import Author
from leeboard.truth.change import change_between
from leeboard.truth.state import lines_of

MOST_LINES = 40
LINE_ROOM = 160
ROOM = 3_000
"""Characters of the lines that are shown."""
LARGEST_SHOWN = 256 << 10
"""Characters of a file whose lines are shown at all."""

_NO_TEXT = {
    "link": "it is now a link",
    "large": "it is now too large to compare",
    "other": "it is no longer a text",
}
_THERE_AGAIN = {"link": "as a link", "large": "too large to compare", "other": "and no text"}
_NOT_SHOWN = {"link": "still a link", "large": "too large to compare", "other": "no text"}


def summary(changed: ChangedFile) -> str:
    """`3 lines new, 1 gone`."""
    if changed.now.digest == ABSENT:
        return "it is gone"
    if changed.now.digest.startswith(NO_TEXT):
        return _without_text(changed)
    if changed.known.digest.startswith(NO_TEXT):
        return f"it is a text again, {_lines(changed.now.count)}"
    if changed.known.digest == ABSENT:
        return f"it is there again, {_lines(changed.now.count)}"
    change = change_between(changed.known, changed.now)
    if not change.is_located:
        return f"{_lines(changed.known.count)} then, {changed.now.count} now"
    new = sum(last - first + 1 for first, last in change.new)
    gone = sum(many for _, many in change.gone)
    told = [f"{_lines(new)} new"] if new else []
    told += [f"{gone if new else _lines(gone)} gone"] if gone else []
    return ", ".join(told) or "only how its lines end"


def _without_text(changed: ChangedFile) -> str:
    kind = kind_of(changed.now.digest)
    if changed.known.digest == ABSENT:
        return f"it is there again, {_THERE_AGAIN[kind]}"
    if kind_of(changed.known.digest) == kind:
        return f"it is another one now, and {_NOT_SHOWN[kind]}"
    return _NO_TEXT[kind]


def kind_of(digest: str) -> str:
    """`link`, `large` or `other`; empty for the digest of a text."""
    return digest.removeprefix(NO_TEXT).partition(":")[0] if digest.startswith(NO_TEXT) else ""


def shown_change(changed: ChangedFile, text: str) -> tuple[str, ...]:
    """The new lines with their numbers, and where others are gone; no secret among them, and not too many."""
    if ABSENT in {changed.known.digest, changed.now.digest} or len(text) > LARGEST_SHOWN:
        return ()
    change = change_between(changed.known, changed.now)
    rows = sorted([*_new(change, text), *_gone(change)])
    kept: list[str] = []
    room = ROOM
    for _, _, row in rows[:MOST_LINES]:
        room -= len(row) + 1
        if room < 0:
            break
        kept.append(row)
    left = len(rows) - len(kept)
    return (*kept, f"... and {left} more") if left else tuple(kept)


def _new(change: Change, text: str) -> list[tuple[int, int, str]]:
    if not change.new:
        return []
    lines = lines_of(redact(text))
    if len(lines) != len(lines_of(text)):  # a secret of several lines is one word now, and all behind it has moved
        return [(first, 1, f"+ {first}-{last}: not shown, a secret is near") for first, last in change.new]
    return [
        (number, 1, f"+ {number}: {cut(lines[number - 1].rstrip(), LINE_ROOM)}")
        for first, last in change.new
        for number in range(first, last + 1)
    ]


def _gone(change: Change) -> list[tuple[int, int, str]]:
    return [
        (after, 2, f"- {_lines(many)} gone behind line {after}" if after else f"- {_lines(many)} gone at the top")
        for after, many in change.gone
    ]


def told_in_one_line(changed: ChangedFile, author: Author) -> str:
    return f"{on_one_line(changed.known.path)}: {summary(changed)}; by whom: {author.words}"


def _lines(number: int) -> str:
    return f"{number} line" if number == 1 else f"{number} lines"
