"""What the lines of a scenario say of files in no commit."""

from __future__ import annotations

from leeboard.model.unsaved import NOBODY_KNOWS
from leeboard.testing.unsaved_lines import told_unsaved


def test_without_a_line_nobody_knows() -> None:
    assert told_unsaved(("@ fix it", "$ ls")) is NOBODY_KNOWS


def test_files_and_their_folders_lie_there_and_nothing_else_does() -> None:
    told = told_unsaved(("unsaved a/x.md", "unsaved changed b.py"))
    tree = told.tree("/repo")
    assert tree is not None
    assert [(file.path, file.state) for file in tree.files] == [
        ("/repo/a/x.md", "untracked"),
        ("/repo/b.py", "changed"),
    ]
    assert [told.lies_at(f"/repo/{path}") for path in ("a/x.md", "a", "c")] == ["file", "folder", ""]
    assert told.tree("/elsewhere") is None
    assert (told.stashes("/repo"), told.commits("/repo", (), ()), told.holds("/repo", "a", "b")) == ((), (), True)
