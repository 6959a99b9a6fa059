"""The patch in git's diff, one section for each file, in the order of the raw records before it.

Nothing that a file holds can pass for a header: the lines of a hunk are taken by the numbers in its head, and a section
begins with exactly the line that git writes for the names of the record it belongs to.
"""

from __future__ import annotations

import msgspec

from leeboard.errors import WireError
from leeboard.model.pattern import lazy
from leeboard.model.tree import Hunk

_HEAD = lazy(r"@@ -\d{1,12}(?:,(\d{1,12}))? \+(\d{1,12})(?:,(\d{1,12}))? @@")
_INDEX = lazy(r"index [0-9a-f]{4,64}\.\.([0-9a-f]{4,64})")
_TO_QUOTE = lazy(r'["\\\x00-\x1f\x7f]')
_HEADERS = (
    *("old mode ", "new mode ", "deleted file mode ", "new file mode ", "similarity index ", "dissimilarity index "),
    *("rename from ", "rename to ", "copy from ", "copy to ", "--- ", "+++ "),
)
_LETTERS = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_COMMIT = "Subproject commit "


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What the patch says of one file."""

    hunks: tuple[Hunk, ...] = ()
    blob: str = ""
    """Git's digest of the new content; empty where the content is the same as before, or gone."""
    binary: bool = False

    @property
    def added(self) -> int:
        return sum(len(hunk.added) for hunk in self.hunks)

    @property
    def deleted(self) -> int:
        return sum(len(hunk.removed) for hunk in self.hunks)

    def joined(self, following: Section) -> Section:
        """A deletion with the addition that follows it."""
        hunks = (*self.hunks, *following.hunks)
        return Section(hunks=hunks, blob=following.blob, binary=self.binary or following.binary)

    def of_submodule(self) -> Section:
        """Git tells commits as lines of text, which they are not."""
        lines = [line for hunk in self.hunks for line in hunk.added if line.startswith(_COMMIT)]
        kept = tuple(hunk for hunk in self.hunks if not _names_commit(hunk))
        blob = lines[-1].removeprefix(_COMMIT) if lines else self.blob
        return Section(hunks=kept, blob=blob, binary=self.binary)


class Sections:
    """Reads section after section. Where the patch is not `whole`, the one that touches its end is not told."""

    def __init__(self, patch: bytes, *, whole: bool) -> None:
        text = patch.decode("utf-8", "replace")
        # A carriage return belongs to the end of a line, not to its text.
        self._lines = (text.replace("\r\n", "\n") if "\r\n" in text else text).split("\n")
        self._at = 0
        self._end = len(self._lines) - 1
        self._whole = whole

    def done(self) -> bool:
        return self._at >= self._end

    @property
    def line(self) -> str:
        return self._lines[self._at]

    def take(self, old_path: str, path: str) -> Section | None:
        """The next one, if it is of these names. One that git has nothing to say about has none: it is empty."""
        if self.done() or self._lines[self._at] != _first_line(old_path, path):
            return Section() if self._whole else None
        self._at += 1
        blob, binary = self._read_header()
        hunks = tuple(self._read_hunks())
        if self._whole or not self.done():
            return Section(hunks=hunks, blob=blob, binary=binary)
        self._at = self._end
        return None

    def _read_header(self) -> tuple[str, bool]:
        """Up to the first hunk or the next section."""
        blob = ""
        while not self.done() and not self.line.startswith(("@@ -", "diff --git ")):
            line = self.line
            self._at += 1
            if found := _INDEX.match(line):
                blob = found[1] if found[1].strip("0") else ""
            elif line.startswith("Binary files "):
                return blob, True
            elif self._whole and not line.startswith(_HEADERS):
                raise WireError(f"git's diff has an unknown header: {line[:80]!r}")
        return blob, False

    def _read_hunks(self) -> list[Hunk]:
        hunks = []
        while not self.done() and self.line.startswith("@@ -"):
            found = _HEAD.match(self.line)
            if found is None:
                raise WireError(f"git's diff has a hunk with a broken head: {self.line[:80]!r}")
            removed, start, added = (1 if number is None else int(number) for number in found.groups())
            self._at += 1
            gone, come = self._take_lines(removed, "-"), self._take_lines(added, "+")
            # Where nothing was added, git names the line before the place.
            hunks.append(Hunk(start if added else start + 1, come, gone))
        return hunks

    def _take_lines(self, count: int, sign: str) -> tuple[str, ...]:
        lines = self._lines[self._at : min(self._at + count, self._end)]
        if self._whole and (len(lines) < count or {line[:1] for line in lines} - {sign}):
            raise WireError(f"git's diff has a hunk that is not as long as its head says, before {lines[-1:]!r}")
        self._at += len(lines)
        if count and not self.done() and self.line.startswith("\\"):
            self._at += 1
        return tuple([line[1:] for line in lines])


def _names_commit(hunk: Hunk) -> bool:
    lines = (*hunk.added, *hunk.removed)
    return bool(lines) and all(line.startswith(_COMMIT) for line in lines)


def _first_line(old_path: str, path: str) -> str:
    # Decoded as the patch is: what is no UTF-8 becomes the same replacement characters.
    line = f"diff --git {_quoted('a/' + old_path)} {_quoted('b/' + path)}"
    return line if line.isascii() else line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _quoted(name: str) -> str:
    if not _TO_QUOTE.search(name):
        return name
    return '"' + _TO_QUOTE.sub(lambda found: "\\" + (_LETTERS.get(found[0]) or f"{ord(found[0]):03o}"), name) + '"'
