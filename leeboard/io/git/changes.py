"""Changed files out of what git says of the base, of HEAD, of the index and of the work tree."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from leeboard.errors import EffectError
from leeboard.io import system
from leeboard.io.git.comparison import DiffFacts, Question
from leeboard.io.git.output import (
    LINK,
    NOTHING,
    Listing,
    Patched,
    RawChange,
    Section,
    Side,
    parse_attributes,
    parse_diff,
)
from leeboard.io.git.place import head_of
from leeboard.io.git.run import Command, GitError, Processes
from leeboard.io.git.untracked import Untracked, UntrackedReader
from leeboard.model.touch import ChangeKind, ChangeState, FileChange, Hunk
from leeboard.text.language import is_generated

_KINDS: dict[str, ChangeKind] = {"A": "added", "D": "deleted", "M": "modified", "R": "renamed", "T": "retyped"}
_HEAD_LINES = 400
_HEAD_BYTES = 8_000
_MINIFIED_BYTES = 64_000
_MINIFIED = (".js", ".mjs", ".cjs", ".css", ".ts", ".html")


def changes_of(
    question: Question, facts: DiffFacts, patched: tuple[Patched, ...], untracked: tuple[Untracked, ...], *, made: bool
) -> tuple[FileChange, ...]:
    """Sorted by path. With `made`, attributes are asked which files are generated or vendored."""
    new = {one.path: one for one in untracked}
    again = {one.change.path for one in patched if one.change.status == "D"} & new.keys()
    paths = [*(one.change.path for one in patched), *new] if made else []
    declared = declared_made(question, paths) if paths else frozenset()
    changes = [_tracked(question, facts, one, declared) for one in patched if one.change.path not in again]
    changes += [_new(one, declared) for one in untracked if one.path not in again]
    changes += [
        _put_back(_tracked(question, facts, one, declared), new[one.change.path])
        for one in patched
        if one.change.path in again and not _same(one, new[one.change.path])
    ]
    return tuple(sorted(changes, key=lambda change: change.path))


def digest_entries(
    question: Question, patched: tuple[Patched, ...], untracked: tuple[Untracked, ...]
) -> dict[str, Side]:
    """What each path that differs from the base holds now."""
    reader = UntrackedReader(question.place.root, len(question.compared), 0)
    entries: dict[str, Side] = {}
    for one in patched:
        if one.change.old_path:
            entries.setdefault(one.change.old_path, Side())
        unknown = one.section is None and one.new.mode != NOTHING and not one.new.blob
        entries[one.change.path] = reader.read(one.change.path).side if unknown else one.new
    unchanged = {one.change.path: one.change.old for one in patched if one.change.status == "D"}
    for file in untracked:
        entries[file.path.rstrip("/")] = _side(question, file)
        if unchanged.get(file.path) == file.side:
            del entries[file.path]
    return entries


def _side(question: Question, file: Untracked) -> Side:
    """A repository inside is to the outer one what its HEAD is."""
    if not file.submodule:
        return file.side
    try:
        return Side(file.side.mode, head_of(f"{question.place.root}/{file.path}"))
    except EffectError:
        return file.side


def _tracked(question: Question, facts: DiffFacts, one: Patched, declared: frozenset[str]) -> FileChange:
    change, section = one.change, one.section
    counts = facts.counts.get(change.path, (0, 0)) if section is None else (section.added, section.deleted)
    return FileChange(
        path=change.path,
        kind="unmerged" if change.path in facts.listing.unmerged else _KINDS.get(change.status, "modified"),
        old_path=change.old_path,
        states=_states(facts, one),
        added=counts[0],
        deleted=counts[1],
        hunks=section.hunks if section else (),
        binary=section is not None and section.binary,
        submodule=change.submodule,
        generated=change.path in declared or _made_by_program(question, one),
        cut=section is None,
    )


def _new(one: Untracked, declared: frozenset[str]) -> FileChange:
    return FileChange(
        path=one.path.rstrip("/"),
        kind="added",
        states=("untracked",),
        added=one.lines,
        hunks=one.hunks,
        binary=one.binary,
        submodule=one.submodule,
        generated=one.path in declared or is_generated(one.path, one.text),
        cut=one.cut,
    )


def _states(facts: DiffFacts, one: Patched) -> tuple[ChangeState, ...]:
    """The stages between which one of its names is not the same."""
    change = one.change
    sides = [(change.path, Side() if change.old_path else change.old, one.new)]
    if change.old_path:
        sides.append((change.old_path, change.old, Side()))
    found: set[ChangeState] = set()
    for path, base, now in sides:
        committed = facts.committed[path].new if path in facts.committed else base
        staged = facts.staged[path].new if path in facts.staged else base
        steps: tuple[tuple[ChangeState, Side, Side], ...] = (
            ("committed", base, committed),
            ("staged", committed, staged),
            ("unstaged", staged, now),
        )
        found.update(state for state, before, after in steps if before != after)
    order: tuple[ChangeState, ...] = ("committed", "staged", "unstaged")
    return tuple(state for state in order if state in found)


def _made_by_program(question: Question, one: Patched) -> bool:
    """By its name, or by what it says of itself in its first lines."""
    change, section = one.change, one.section
    if is_generated(change.path):
        return True
    if change.submodule or section is None or section.binary or LINK in {change.old.mode, change.new.mode}:
        return False
    if change.status in {"A", "D"}:
        lines = section.hunks[0].added or section.hunks[0].removed if section.hunks else ()
        return is_generated(change.path, "\n".join(lines[:_HEAD_LINES]))
    most = _MINIFIED_BYTES if change.path.endswith(_MINIFIED) else _HEAD_BYTES
    text = start_of(f"{question.place.root}/{change.path}", most).decode("utf-8", "replace")
    return is_generated(change.path, text)


def _same(one: Patched, file: Untracked) -> bool:
    return one.change.old == file.side


def _put_back(gone: FileChange, file: Untracked) -> FileChange:
    """Taken out of the index or of HEAD, and there all the same: to people it is a file that was modified."""
    new = _new(file, frozenset({file.path} if gone.generated else ()))
    if gone.cut or file.cut or gone.binary or file.binary or gone.submodule or file.submodule:
        section = Section()
        counts = new.added, gone.deleted
    else:
        removed = tuple(line for hunk in gone.hunks for line in hunk.removed)
        section = Section(hunks=_between(removed, tuple(line for hunk in file.hunks for line in hunk.added)))
        counts = section.added, section.deleted
    return FileChange(
        path=gone.path,
        kind="modified",
        states=(*gone.states, "untracked"),
        added=counts[0],
        deleted=counts[1],
        hunks=section.hunks,
        binary=gone.binary or file.binary,
        submodule=gone.submodule or file.submodule,
        generated=new.generated,
        cut=gone.cut or file.cut,
    )


def _between(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[Hunk, ...]:
    """All that lies between the lines that both begin with and those that both end with."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    return (Hunk(start + 1, added, removed),) if removed or added else ()


# What one diff can not say: text that attributes hide as binary, renames out of sight, and what attributes declare.


MOST_PATHS = 500
"""As many as surely fit into one command."""
MOST_PATCH = 16 << 20
_MOST_ATTRIBUTES = 1 << 20
_HEAD = 8_000
"""Bytes in which git looks for a NUL."""
_FILTERS = (b"text", b"eol", b"crlf", b"ident", b"filter", b"encoding")
_MADE = ("linguist-generated", "linguist-vendored")


class Attributes(msgspec.Struct, frozen=True, kw_only=True):
    """Which kinds of attributes the files of a work tree speak of."""

    made: bool = False
    """That a file is generated or vendored."""
    hidden: bool = False
    """That a file is not to be compared as text."""
    filtered: bool = False
    """That a content is changed on its way into the repository."""


def read_attributes(question: Question, listing: Listing) -> Attributes:
    paths = [f"{question.place.shared}/info/attributes"]
    paths += (f"{question.place.root}/{name}" for name in listing.attributes)
    text = b"\n".join(start_of(path, _MOST_ATTRIBUTES) for path in paths)
    return Attributes(
        made=b"linguist-" in text,
        hidden=b"diff" in text or b"binary" in text,
        filtered=any(word in text for word in _FILTERS),
    )


def declared_made(question: Question, paths: Iterable[str]) -> frozenset[str]:
    """Those that attributes call generated or vendored."""
    names = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    command = Command(arguments=("check-attr", "-z", "--stdin", *_MADE), given=names)
    with Processes(question.place.root, {"": command}, question.seconds, question.settings) as running:
        answers = parse_attributes(running.output("").text)
        return frozenset(path for path, _, value in answers if value in {"set", "true"})


def look_again(question: Question, paths: tuple[str, ...]) -> tuple[Patched, ...]:
    """These as text whatever attributes say, and each by itself. Those that are too much are left out."""
    found: list[Patched] = []
    for at in range(0, len(paths), MOST_PATHS):
        some = paths[at : at + MOST_PATHS]
        arguments = (*question.diff, "--no-renames", "--text", "--raw", "-p", question.compared, "--", *some)
        command = Command(arguments=arguments, most=MOST_PATCH)
        with Processes(question.place.root, {"": command}, question.seconds, question.settings) as running:
            output = running.output("")
        patched = parse_diff(output.text, whole=not output.cut)
        found += [_told(one.change, one.section) for one in patched if one.section and one.change.path in some]
    return tuple(found)


def _told(change: RawChange, section: Section) -> Patched:
    """Asked for as text it may be none all the same."""
    is_text = not any("\0" in line for hunk in section.hunks for line in (*hunk.added, *hunk.removed))
    return Patched(change, section if is_text else Section(blob=section.blob, binary=True))


def hides_text(question: Question, one: Patched, attributes: Attributes) -> bool:
    """Whether something that git calls binary looks like text."""
    if one.section is None or not one.section.binary or one.change.submodule:
        return False
    if one.change.status == "D":
        return attributes.hidden
    start = start_of(f"{question.place.root}/{one.change.path}", _HEAD)
    return bool(start) and b"\0" not in start


def filtered(question: Question, files: tuple[Untracked, ...], attributes: Attributes) -> tuple[Untracked, ...]:
    """With git's own digests where filters may change a content on its way in: it must not look like another one then.

    A name with a newline can not be asked for, and where a filter fails the content keeps the digest it has.
    """
    paths = [one.path for one in files if _may_change(one, attributes)]
    try:
        ids = _ids(question, paths) if paths else {}
    except GitError:
        return files
    return tuple(replace(one, side=Side(one.side.mode, ids.get(one.path, one.side.blob))) for one in files)


def _may_change(one: Untracked, attributes: Attributes) -> bool:
    return (one.crlf or attributes.filtered) and one.side.mode.startswith("100") and "\n" not in one.path


def _ids(question: Question, paths: list[str]) -> dict[str, str]:
    names = "".join(f"{path}\n" for path in paths).encode("utf-8", "surrogateescape")
    command = Command(arguments=("hash-object", "--stdin-paths"), given=names)
    with Processes(question.place.root, {"": command}, question.seconds, question.settings) as running:
        ids = running.output("").text.decode("ascii", "replace").split()
    return dict(zip(paths, ids, strict=True))


def start_of(path: str, most: int) -> bytes:
    """The first bytes of an ordinary file; empty where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, most)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
