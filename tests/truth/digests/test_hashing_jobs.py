from __future__ import annotations

import hashlib
import os
from pathlib import Path

from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.hashing import ToCheck, ToHash, perform

NEVER = float("inf")


def test_the_units_whose_turn_it_is(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").write_bytes(b"x")
    (tmp_path / "in" / "b").symlink_to("a")
    (tmp_path / "link").symlink_to("in")
    top = os.open(tmp_path, os.O_RDONLY)
    wanted: list[ToCheck | ToHash] = [
        (0, path, b"a\0b", how, None) for path in (b"in", b"gone", b"link") for how in ("files", "any", "strange")
    ]
    found = perform(("hash", wanted, NEVER, 0), [top], [0, 2, 3, 6])
    digests = hashlib.sha256(b"x").digest() + hashlib.sha256(b"a").digest()
    assert [(number, answer[0]) for number, answer in found.items()] == [
        (0, bytes((kinds.TEXT, kinds.LINK))),
        (2, bytes((kinds.TEXT, kinds.LINK))),
        (3, bytes((kinds.GONE, kinds.GONE))),
        (6, bytes((kinds.CHANGING, kinds.CHANGING))),
    ]
    assert found[0][1] == found[2][1] == digests
    checked = perform(("check", [(0, [(b"in", b"", b"", b"")]), (0, [])], NEVER, 0), [top], [0, 1])
    assert checked == {0: [0], 1: []}
    os.close(top)
