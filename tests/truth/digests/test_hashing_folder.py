from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.truth.digests.hashing import DEEPEST, Descent


@pytest.fixture
def top(tmp_path: Path) -> int:
    for path in ("a/b/c", "a/bc", "d"):
        (tmp_path / path).mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    return os.open(tmp_path, os.O_RDONLY)


def test_any_order_leads_to_the_folder(top: int, tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    descent = Descent(top)
    for path in ("", "a", "a/b", "a/b/c", "a/bc", "d", "a/b/c", "a", ""):
        assert os.fstat(descent.open(os.fsencode(path))).st_ino == (tmp_path / path).stat().st_ino
    descent.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    os.close(top)


@pytest.mark.parametrize("path", [b"link", b"link/b", b"gone", b"a/gone"])
def test_no_link_is_followed(top: int, path: bytes) -> None:
    descent = Descent(top)
    with pytest.raises(OSError, match=r"Not a directory|No such file|symbolic"):
        descent.open(path)
    assert descent.open(b"a/b") > 0
    descent.close()
    os.close(top)


def test_it_goes_so_deep(top: int, tmp_path: Path) -> None:
    (tmp_path / "/".join("e" * (DEEPEST + 1))).mkdir(parents=True)
    descent = Descent(top)
    assert descent.open(b"/".join([b"e"] * DEEPEST)) > 0
    with pytest.raises(OSError, match="too deep"):
        descent.open(b"/".join([b"e"] * (DEEPEST + 1)))
    descent.close()
    os.close(top)
