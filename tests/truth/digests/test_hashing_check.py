from __future__ import annotations

import os
from pathlib import Path

from leeboard.truth.digests.hashing import Descent, Known, stale
from leeboard.truth.digests.identity import ROW, Sight

NEVER = float("inf")


def known(top: Path, path: str, *names: str) -> Known:
    folder = os.open(top / path, os.O_RDONLY)
    found = [name.encode() for name in names]
    identity = ROW.pack(*Sight().opened(folder)[0])
    stats = Sight().identities(folder, found)
    os.close(folder)
    return path.encode(), identity, b"\0".join(found), stats


def test_only_what_changed_is_stale(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("one", "a/two", "a/b/three"):
        (tmp_path / name).write_text("x")
    folders = [known(tmp_path, "", "one"), known(tmp_path, "a", "two"), known(tmp_path, "a/b", "three")]
    top = os.open(tmp_path, os.O_RDONLY)

    def found(deadline: float = NEVER) -> list[int]:
        descent = Descent(top)
        numbers = stale(descent, folders, Sight(), deadline)
        descent.close()
        return numbers

    assert found() == []
    (tmp_path / "a" / "two").write_text("longer")
    assert found() == [1]
    (tmp_path / "a" / "b" / "three").unlink()
    assert found() == [1, 2]
    (tmp_path / "new").write_text("x")
    assert found() == [0, 1, 2]
    folders[:] = [known(tmp_path, "", "one"), (b"gone", b"x" * 56, b"", b""), (b"a", b"", b"", b"")]
    assert found() == [1, 2]
    assert found(-1.0) == [0, 1, 2]
    os.close(top)
