from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.source.index import cache
from leeboard.source.index.listing import is_ignored, is_wanted, list_files, read_text, see, see_all
from leeboard.source.index.scan import git_digest

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def test_what_git_looks_after_and_what_is_new(tree: WorkTree) -> None:
    tree.write(".gitignore", "secret/\n")
    tree.write("secret/a.py", "x = 1\n")
    tree.write("app/new.py", "x = 1\n")
    tree.write("app/web.py", "changed = 1\n")
    found = {item.path: item for item in list_files(tree.root)}
    assert sorted(found) == ["app/billing.py", "app/new.py", "app/web.py"]
    assert found["app/billing.py"].digest == git_digest((tree.path / "app/billing.py").read_bytes())
    assert found["app/web.py"].digest == found["app/new.py"].digest == ""


def test_outside_of_git_every_gitignore_counts(folder: WorkTree) -> None:
    folder.write(".gitignore", "*.log.py\nbuild/\n")
    folder.write("a.py", "x = 1\n")
    folder.write("b.log.py", "x = 1\n")
    folder.write("build/c.py", "x = 1\n")
    folder.write("sub/.gitignore", "d.py\n!e.log.py\n")
    folder.write("sub/d.py", "x = 1\n")
    folder.write("sub/e.log.py", "x = 1\n")
    folder.write("node_modules/f.js", "x\n")
    assert [item.path for item in list_files(folder.root)] == ["a.py", "sub/e.log.py"]
    assert cache.looks(folder.root) == ""


def test_looks_change_with_the_index(tree: WorkTree) -> None:
    before = cache.looks(tree.root)
    assert before
    tree.write("app/new.py", "x = 1\n")
    assert cache.looks(tree.root) == before
    tree.commit()
    assert cache.looks(tree.root) != before


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a.py", True),
        ("AGENTS.md", True),
        ("README.md", False),
        ("a.json", False),
        ("vendor/a.go", False),
        ("a.min.js", False),
    ],
)
def test_what_is_worth_it(path: str, wanted: bool) -> None:  # noqa: FBT001 - a table
    assert is_wanted(path) is wanted


def test_no_plain_file_is_none(folder: WorkTree) -> None:
    folder.write("empty.py", "")
    folder.write("large.py", "x" * 1_000_001)
    folder.write("real.py", "x = 1\n")
    (folder.path / "link.py").symlink_to("real.py")
    os.mkfifo(folder.path / "pipe.py")
    paths = ("empty.py", "large.py", "link.py", "pipe.py", "none.py", "a\0b.py", "real.py")
    assert [item.path for item in see_all(folder.root, paths)] == ["real.py"]
    assert see(folder.root, "none.py") is None


def test_what_is_no_text_is_not_read(folder: WorkTree) -> None:
    (folder.path / "binary.py").write_bytes(b"\x00\x01")
    folder.write("text.py", "x = 1\n")
    assert read_text(folder.root, "binary.py") is None
    assert read_text(folder.root, "none.py") is None
    read = read_text(folder.root, "text.py")
    assert read is not None
    assert read[0] == b"x = 1\n"


def test_nothing_is_ignored_where_nobody_says_so() -> None:
    assert not is_ignored("a.py", is_folder=False, ignores=())


def test_a_name_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    """One such file must not keep the whole tree from being known."""
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / os.fsdecode(b"b\xff.py")).write_text("y = 2\n")
    assert [seen.path for seen in list_files(str(tmp_path))] == ["a.py"]
