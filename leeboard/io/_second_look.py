"""What one diff can not say: text that attributes hide as binary, renames out of sight, and what attributes declare."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from leeboard.io._git_processes import Command, GitError, Processes
from leeboard.io._tree_facts import Question
from leeboard.io._untracked import Untracked
from leeboard.wire.git_output import Listing, Patched, RawChange, Section, Side, parse_attributes, parse_diff

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
    """Of an ordinary file; empty where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, most)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
