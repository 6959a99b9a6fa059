from __future__ import annotations

from leeboard.model.touch import FileChange, Hunk, TreeChange


def test_a_renamed_file_has_two_names_and_each_is_told_once() -> None:
    moved = FileChange(path="b", old_path="a", kind="renamed")
    change = TreeChange(root="/r", files=(moved, FileChange(path="a", kind="added")))
    assert (moved.paths, change.paths) == (("a", "b"), ("a", "b"))


def test_spans_are_of_added_lines_alone() -> None:
    change = FileChange(path="a", kind="modified", hunks=(Hunk(3, ("x", "y")), Hunk(9, (), ("z",))))
    assert change.spans == ((3, 4),)


def test_generated_lines_are_nobodys_work() -> None:
    assert FileChange(path="a", kind="modified", added=2, deleted=3).loc == 5
    assert FileChange(path="a", kind="modified", added=2, deleted=3, generated=True).loc == 0
