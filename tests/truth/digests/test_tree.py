from __future__ import annotations

import errno

import pytest

from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.identity import columns
from leeboard.truth.digests.tree import ALONE, FolderDigests, Scan


def folder(path: bytes, **files: int) -> FolderDigests:
    """Names and kinds; the digest is the first letter over and over."""
    names = [name.encode() for name in sorted(files)]
    shas = b"".join(name[:1] * 32 for name in names)
    those = bytes(files[name] for name in sorted(files))
    stats = columns([(1, len(name), 0, 0, 2, 3, 0) for name in names])
    return FolderDigests(path, b"", b"\0".join(names), stats, shas=shas, kinds=those, mark=shas)


TREE = {
    "top": {
        b"": folder(b"", one=kinds.TEXT, two=kinds.BINARY, pipe=kinds.SPECIAL, later=kinds.UNSEEN),
        b"in": folder(b"in", three=kinds.LINK, moving=kinds.CHANGING),
        b"shut": FolderDigests(b"shut", b"", b"", b"", trouble=errno.EACCES),
        b"unseen": folder(b"unseen", four=kinds.TEXT),
    },
    "file": {b"": folder(b"", file=kinds.TEXT)._replace(trouble=ALONE)},
    "gone": {},
}
FOUND = Scan(TREE, {"top": {b"unseen"}}, 3, unchanged=False)


def test_files_are_those_with_a_digest() -> None:
    assert list(FOUND.files) == ["top/one", "top/two", "top/in/three", "file"]
    assert len(FOUND.files) == 4
    two, three = FOUND.files["top/two"], FOUND.files["top/in/three"]
    assert (two.sha256, two.bytes, two.mtime_ns, two.is_binary, two.is_link) == (
        "74" * 32,
        3,
        2_000_000_003,
        True,
        False,
    )
    assert (three.is_binary, three.is_link) == (False, True)
    assert FOUND.shas("top", "gone") == {"top/one": "6f" * 32, "top/two": "74" * 32, "top/in/three": "74" * 32}


@pytest.mark.parametrize("path", ["", "top", "top/pipe", "top/in", "top/unseen/four", "gone", "gone/x", "file/x", "x"])
def test_what_has_no_digest_is_no_file(path: str) -> None:
    assert path not in FOUND.files


def test_what_could_not_be_read_says_why() -> None:
    assert FOUND.unread == {
        "top/pipe": "it is no ordinary file",
        "top/in/moving": "it changed again and again while it was read",
        "top/shut": "Permission denied",
    }
    assert FOUND.unseen == {"top/later", "top/unseen"}
    assert FOUND.ran_out


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("top/other", True),
        ("gone/other", True),
        ("top/pipe", True),
        ("top/shut/a/b", False),
        ("top/unseen/four", False),
        ("top/later", False),
        ("top/laterer", True),
    ],
)
def test_only_what_was_looked_for_is_gone(path: str, known: bool) -> None:  # noqa: FBT001 - a table
    assert FOUND.knows(path) is known


def test_a_fingerprint_is_that_of_names_and_contents() -> None:
    seen = {"top": {b"": folder(b"", one=kinds.TEXT), b"in": folder(b"in")}, "other": {}}
    first = Scan(seen, {}, 0, unchanged=True)
    moved = Scan({"top": {b"": folder(b""), b"in": folder(b"in", one=kinds.TEXT)}, "other": {}}, {}, 0, unchanged=True)
    empty = Scan({"top": {b"": folder(b"", one=kinds.TEXT)}, "other": {}}, {}, 0, unchanged=True)
    assert first.fingerprint("top") == empty.fingerprint("top")
    assert first.fingerprint("top") != moved.fingerprint("top")
    assert first.fingerprint("top", "other") != first.fingerprint("top")
    assert (FOUND.fingerprint("top"), bool(FOUND.fingerprint("file", "gone"))) == ("", True)
