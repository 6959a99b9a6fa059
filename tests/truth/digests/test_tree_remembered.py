from __future__ import annotations

import pytest

from leeboard.truth.digests.tree import FolderDigests, below


def test_names_and_digests_are_taken_apart() -> None:
    folder = FolderDigests(b"", b"", b"a\0b c", b"", subs=b"in", shas=b"1" * 32 + b"2" * 32)
    assert (folder.all_names, folder.all_subs) == ([b"a", b"b c"], [b"in"])
    assert folder.sha(1) == b"2" * 32
    assert (FolderDigests(b"", b"", b"", b"").all_names, FolderDigests(b"", b"", b"", b"").all_subs) == ([], [])


@pytest.mark.parametrize(("path", "name", "joined"), [(b"", b"a", b"a"), (b"a", b"b", b"a/b")])
def test_a_name_below_a_path(path: bytes, name: bytes, joined: bytes) -> None:
    assert below(path, name) == joined
