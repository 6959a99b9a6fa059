from __future__ import annotations

import os
from pathlib import Path

from leeboard.app.tree_watch import KEPT_SECONDS, KeptLooks
from leeboard.io import clock


def test_a_look_is_taken_once(tmp_path: Path) -> None:
    looks = KeptLooks(str(tmp_path / "looks"))
    assert looks.take("s/1") is None
    looks.keep("s/1", b"one")
    looks.keep("../../etc/passwd", b"two")
    assert (looks.peek("s/1"), looks.peek("never")) == (b"one", None)
    assert looks.age("s/1") < KEPT_SECONDS <= looks.age("never")
    assert (looks.take("s/1"), looks.take("s/1")) == (b"one", None)
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "looks"]


def test_those_nobody_came_back_for_are_forgotten(tmp_path: Path) -> None:
    looks = KeptLooks(str(tmp_path))
    looks.keep("old", b"old")
    (path,) = tmp_path.iterdir()
    long_ago = clock.now() - KEPT_SECONDS - 1
    os.utime(path, (long_ago, long_ago))
    looks.keep("new", b"new")
    assert (looks.take("old"), looks.take("new")) == (None, b"new")


def test_a_line_that_is_renewed_is_the_newest_whatever_its_length(tmp_path: Path) -> None:
    looks = KeptLooks(str(tmp_path / "looks"))
    for line in (b"a longer line", b"short", b"long again", b""):
        looks.renew("k", line)
        assert looks.peek_line("k") == line
        assert list(looks.all()) == [line]
