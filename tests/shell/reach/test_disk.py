"""Files in question and the work tree around them."""

from __future__ import annotations

from pathlib import Path

from leeboard.io.git.tree_files import DiskFiles
from leeboard.shell.reach.disk import Standing


def test_texts_are_asked_for_inside_of_the_tree_only(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x", encoding="utf-8")
    root = str(tmp_path)
    standing = Standing(root, (f"{root}/a", f"{root}/b/c"), DiskFiles(root))
    assert (standing.is_there(f"{root}/a"), standing.is_there(f"{root}/z"), standing.is_there("/etc/a")) == (
        True,
        False,
        False,
    )
    assert (standing.text(f"{root}/a"), standing.text("/etc/hostname")) == ("x", None)
    assert standing.below(f"{root}/b") == (f"{root}/b/c",)
    assert standing.below(f"{root}/b/c") == (f"{root}/b/c",)
    assert standing.below(root) == standing.files
