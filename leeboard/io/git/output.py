"""What git prints, as values: raw records, listings, attributes and line counts. Bytes in, values out.

Everything is asked for with -z, so that a name may hold anything but a NUL. Names that are no UTF-8 keep their bytes as
lone surrogates. The patch that follows raw records is read in `_git_patch`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from leeboard.errors import WireError
from leeboard.model.text import lazy
from leeboard.model.touch import Hunk

__all__ = [
    "LINK",
    "NOTHING",
    "SUBMODULE",
    "Listing",
    "Patched",
    "RawChange",
    "Section",
    "Side",
    "parse_attributes",
    "parse_diff",
    "parse_line_counts",
    "parse_listing",
    "parse_raw",
]

NOTHING = "000000"
"""The mode of a side on which the path does not exist."""
SUBMODULE = "160000"
LINK = "120000"
_DIRTY = "-dirty"
_RAW_FIELDS = 5


class Side(msgspec.Struct, frozen=True):
    """How a path looks in one state. Equal sides hold the same content."""

    mode: str = NOTHING
    blob: str = ""
    """Git's digest of the content; empty where there is none, or where git has not computed it."""


class RawChange(msgspec.Struct, frozen=True):
    """One raw record: what a path was and what it is."""

    path: str
    status: str
    """A, D, M, R, T or U."""
    old: Side
    new: Side
    old_path: str = ""
    """Where a renamed file was."""

    @property
    def submodule(self) -> bool:
        return SUBMODULE in {self.old.mode, self.new.mode}

    @property
    def retyped(self) -> bool:
        """Git tells such a change as a deletion and an addition."""
        return NOTHING not in {self.old.mode, self.new.mode} and self.old.mode[:2] != self.new.mode[:2]


class Patched(msgspec.Struct, frozen=True):
    """A raw record with what its patch says. Without a section the patch was cut off before it."""

    change: RawChange
    section: Section | None = None

    @property
    def new(self) -> Side:
        """The new side with the digest that the patch tells, which a raw record leaves out for the work tree."""
        if self.change.new.mode == NOTHING:
            return Side()
        if self.section is None:
            return self.change.new
        # A rename or a new mode without another content has no digest in its section: it is the one it was.
        return Side(self.change.new.mode, self.section.blob or self.change.new.blob or self.change.old.blob)

    @property
    def dirty(self) -> bool:
        """A submodule with changes of its own that it did not commit."""
        return self.change.submodule and self.new.blob.endswith(_DIRTY)


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What `ls-files -v` says beyond the names of ordinary files."""

    untracked: tuple[str, ...] = ()
    """One that ends with a slash is a repository of its own."""
    unmerged: frozenset[str] = frozenset()
    unwatched: tuple[str, ...] = ()
    """Marked assume-unchanged: git does not look whether they are."""
    skipped: tuple[str, ...] = ()
    """Marked skip-worktree: git does not expect them to be there."""
    attributes: tuple[str, ...] = ()
    """The files called .gitattributes."""


def parse_diff(output: bytes, *, whole: bool = True) -> tuple[Patched, ...]:
    """Reads `diff --raw -p -U0 -z --full-index --no-abbrev`. Where it is not `whole`, its end was cut off."""
    changes, end = _raw(output, whole=whole)
    if end < len(output) and output[end : end + 1] != b"\0":
        raise WireError(f"git's diff has {output[end : end + 40]!r} where its patch should begin")
    sections = Sections(output[end + 1 :], whole=whole)
    patched = tuple(Patched(change, _section(change, sections)) for change in changes)
    if whole and not sections.done():
        raise WireError(f"git's diff has a part that belongs to no file: {sections.line[:80]!r}")
    return patched


def parse_raw(output: bytes) -> tuple[RawChange, ...]:
    """Reads `diff-index` and `diff-tree` with `--raw -z --no-abbrev`."""
    return tuple(_raw(output, whole=True)[0])


def parse_listing(output: bytes) -> Listing:
    """Reads `ls-files -v -z` with whichever of -c and -o."""
    names: dict[str, list[str]] = {}
    # Nearly all of the files of a work tree are ordinary, so they are told apart before anything is made of them.
    for record in _no_ordinary_records().findall(b"\0" + output):
        names.setdefault(_kind_of(record[:1].decode("ascii", "replace")), []).append(_name(record[2:]))
    records = output.split(b"\0") if b".gitattributes\0" in output else ()
    return Listing(
        untracked=tuple(names.get("?", ())),
        unmerged=frozenset(names.get("M", ())),
        unwatched=tuple(names.get("h", ())),
        skipped=tuple(names.get("S", ())),
        attributes=tuple(_name(one[2:]) for one in records if one.endswith(b".gitattributes")),
    )


@cache
def _no_ordinary_records() -> re.Pattern[bytes]:
    return re.compile(rb"\0(?!H )([^\0]+)")


def _kind_of(tag: str) -> str:
    return "h" if tag.islower() else tag


def parse_line_counts(output: bytes) -> dict[str, tuple[int, int]]:
    """Added and deleted lines by path, of `diff --numstat -z`; a renamed file by its new name."""
    found: dict[str, tuple[int, int]] = {}
    fields = iter(output.split(b"\0"))
    for field in fields:
        if field:
            added, deleted, path = [*field.split(b"\t", 2), b"", b""][:3]
            if not path:
                next(fields, b"")
                path = next(fields, b"")
            found[_name(path)] = (_number(added), _number(deleted))
    return found


def parse_attributes(output: bytes) -> Iterator[tuple[str, str, str]]:
    """Path, attribute and value, of `check-attr -z`."""
    fields = output.split(b"\0")
    for at in range(0, len(fields) - 2, 3):
        yield _name(fields[at]), _name(fields[at + 1]), _name(fields[at + 2])


def _raw(output: bytes, *, whole: bool) -> tuple[list[RawChange], int]:
    """The records, and where they end."""
    changes: list[RawChange] = []
    at = 0
    while output.startswith(b":", at):
        fields = output[at : at + 400].split(b"\0", 1)[0].split(b" ")
        begin = output.find(b"\0", at) + 1
        end = output.find(b"\0", begin)
        renamed = fields[-1][:1] in {b"R", b"C"}
        last = output.find(b"\0", end + 1) if renamed and end >= 0 else end
        if not begin or end < 0 or last < 0 or len(fields) != _RAW_FIELDS:
            if whole:
                raise WireError(f"git's raw record is broken: {output[at : at + 80]!r}")
            return changes, len(output)
        old_path, path = (output[begin:end], output[end + 1 : last]) if renamed else (b"", output[begin:end])
        changes.append(_change(fields, _name(path), _name(old_path)))
        at = last + 1
    return changes, at


def _change(fields: list[bytes], path: str, old_path: str) -> RawChange:
    old_mode, new_mode, old_blob, new_blob, status = (field.decode("ascii", "replace") for field in fields)
    old, new = Side(old_mode.removeprefix(":"), _blob(old_blob)), Side(new_mode, _blob(new_blob))
    return RawChange(path, status[:1], old, new, old_path)


def _section(change: RawChange, sections: Sections) -> Section | None:
    found = sections.take(change.old_path or change.path, change.path)
    if found is None:
        return None
    if change.retyped:
        following = sections.take(change.path, change.path)
        found = following and found.joined(following)
    return found.of_submodule() if found and change.submodule else found


def _blob(digest: str) -> str:
    return digest if digest.strip("0") else ""


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _number(field: bytes) -> int:
    """A dash stands for what is no text."""
    return int(field) if field.isdigit() else 0


# The patch in git's diff, one section for each file, in the order of the raw records before it.
#
# Nothing that a file holds can pass for a header: the lines of a hunk are taken by the numbers in its head, and a
# section begins with exactly the line that git writes for the names of the record it belongs to.


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
