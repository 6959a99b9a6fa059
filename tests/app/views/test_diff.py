"""A diff taken apart into lines that people can speak of."""

from __future__ import annotations

from leeboard.app.views.diff import LONGEST_LINE, DiffLine, parse_diff, with_units
from leeboard.model.unit import Unit

PATCH = """diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@ def f():
 same
-old
+new
 end
\\ No newline at end of file
diff --git a/pic.png b/pic.png
new file mode 100644
Binary files /dev/null and b/pic.png differ
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"
deleted file mode 100644
--- "a/\\303\\244.txt"
+++ /dev/null
@@ -1 +0,0 @@
-gone
"""


def test_files_and_lines_with_their_numbers() -> None:
    first, picture, renamed, gone = parse_diff(PATCH.splitlines())
    assert (first.path, first.added, first.removed) == ("src/a.py", 1, 1)
    assert first.lines == (
        DiffLine("hunk", "@@ -1,3 +1,3 @@ def f():"),
        DiffLine("same", "same", 1, 1),
        DiffLine("removed", "old", 2, 0),
        DiffLine("added", "new", 0, 2),
        DiffLine("same", "end", 3, 3),
        DiffLine("note", " No newline at end of file"),
    )
    assert (picture.path, picture.is_text) == ("pic.png", False)
    assert (renamed.path, renamed.before) == ("new name.txt", "old name.txt")
    assert (gone.path, gone.removed) == ("ä.txt", 1)
    assert parse_diff([]) == ()
    assert DiffLine("same", "x" * (LONGEST_LINE + 5)).cut == 5


def test_a_file_belongs_to_who_wrote_it_else_to_who_promised_it() -> None:
    files = parse_diff(PATCH.splitlines())
    units = (
        Unit(id="one", stage="s", outputs=("src",)),
        Unit(id="two", stage="s", outputs=("pic.png",)),
        Unit(id="three", stage="s", touch=("*.txt",)),
    )
    owners = [file.units for file in with_units(files, units, {"two": ("src/a.py",)})]
    assert owners == [("two",), ("two",), ("three",), ("three",)]
