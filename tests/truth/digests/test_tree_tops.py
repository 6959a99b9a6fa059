from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from leeboard.truth.digests.tree import Tops, enter


@pytest.fixture
def below(tmp_path: Path) -> Path:
    (tmp_path / "real" / "in" / "deep").mkdir(parents=True)
    (tmp_path / "real" / "file").write_text("x")
    (tmp_path / "real" / "link").symlink_to("in")
    (tmp_path / "way").symlink_to("real")
    return tmp_path / "way"


CASES = {
    "in": ("folder", 0),
    "in/deep": ("folder", 0),
    "file": ("around", 0),
    "link": ("around", 0),
    "gone": ("", 0),
    "gone/deep": ("", 0),
    "link/deep": ("", errno.ENOTDIR),
    "file/deep": ("", errno.ENOTDIR),
}


@pytest.mark.parametrize(("top", "expected"), CASES.items())
def test_how_a_top_is_entered(below: Path, top: str, expected: tuple[str, int]) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names, not paths
    found = enter(Tops(names=(top,), below=str(below)), top)
    which = "folder" if found.folder >= 0 else "around" if found.around >= 0 else ""
    assert (which, found.trouble) == expected
    if which == "folder":
        assert os.fstat(found.folder).st_ino == (below / top).stat().st_ino
    found.close()
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - as above


def test_a_whole_path_may_lead_over_links(below: Path) -> None:
    found = enter(Tops(names=(str(below / "in"),)), str(below / "in"))
    assert found.folder >= 0
    found.close()
    assert enter(Tops(names=("/nowhere/at/all",)), "/nowhere/at/all").folder < 0


def test_names_that_are_left_out() -> None:
    skips = Tops(names=(), ignore=(".git*", "*~")).skips()
    found = [bool(skips(name)) for name in (".git", ".gitignore", "a~", "a", "x.git")]
    assert found == [True, True, True, False, False]
    assert not Tops(names=()).skips()("a")
    assert Tops(names=("a",), below="/b").place("a") == "/b/a"
