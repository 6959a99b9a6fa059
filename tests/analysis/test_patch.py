from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.patch import diffs_of
from leeboard.model.event import ActionType, TextEdit, ToolCall
from leeboard.model.touch import Diff, Span

FILE = "import os\n\ndef load():\n    return 1\n\ndef save():\n    return 2\n"


def call(
    action: ActionType, *edits: TextEdit, paths: tuple[str, ...] = ("/w/a.py",), tool: str = "Edit", command: str = ""
) -> ToolCall:
    return ToolCall(id="1", tool=tool, action=action, paths=paths, edits=edits, command=command)


def spell(path: str) -> str:
    return path.removeprefix("/w/")


def known(path: str) -> str | None:
    return {"a.py": FILE, "crlf.py": FILE.replace("\n", "\r\n")}.get(path)


def only(diffs: tuple[Diff, ...]) -> Diff:
    assert len(diffs) == 1
    return diffs[0]


def test_an_edit_is_applied_to_the_file_as_it_was() -> None:
    diff = only(diffs_of(call("edit", TextEdit("    return 1", "    x = 1\n    return x")), spell, known))
    assert diff.path == "a.py"
    assert diff.before == FILE
    assert diff.after.splitlines()[2:5] == ["def load():", "    x = 1", "    return x"]
    assert diff.added == ((4, 5),)
    assert diff.removed == "    return 1"
    assert not diff.fragment


@pytest.mark.parametrize(
    ("edits", "added"),
    [
        ((TextEdit("def load():\n    return 1", "def load():\n    return 9"),), ((4, 4),)),
        ((TextEdit("return 1", "return 8"), TextEdit("return 2", "return 9")), ((4, 4), (7, 7))),
        ((TextEdit("return 1", "return 8"), TextEdit("return 8", "return 9")), ((4, 4),)),
        ((TextEdit("    return", "    yield"),), ((4, 4), (7, 7))),
        ((TextEdit("import os\n", ""),), ()),
        ((TextEdit("", "import re\n", at="1"),), ((2, 2),)),
    ],
)
def test_only_changed_lines_count_as_written(edits: tuple[TextEdit, ...], added: tuple[Span, ...]) -> None:
    assert only(diffs_of(call("edit", *edits), spell, known)).added == added


@pytest.mark.parametrize(
    "edit",
    [TextEdit("not there", "y = 1\nz = 2"), TextEdit("", "y = 1\nz = 2"), TextEdit("", "y = 1\nz = 2", at="cell-4")],
)
def test_an_edit_nobody_can_place_is_a_fragment(edit: TextEdit) -> None:
    diff = only(diffs_of(call("edit", edit), spell, known))
    assert diff.fragment
    assert diff.after == "y = 1\nz = 2"
    assert diff.added == ((1, 2),)
    assert diff.before is None


def test_of_an_unknown_file_only_new_lines_of_the_edit_count() -> None:
    diff = only(diffs_of(call("edit", TextEdit("a\nb", "a\nx\nb"), paths=("other.py",)), spell, known))
    assert diff.fragment
    assert diff.added == ((2, 2),)


def test_line_ends_of_windows_are_no_change() -> None:
    diff = only(
        diffs_of(
            call("edit", TextEdit("def load():\n    return 1", "def load():\n    return 3"), paths=("crlf.py",)),
            spell,
            known,
        )
    )
    assert not diff.fragment
    assert diff.added == ((4, 4),)


def test_a_done_edit_is_found_in_the_file_and_taken_back() -> None:
    edit = TextEdit("    return 0", "    return 1")
    for done in (True, False):
        edits = (edit,) if done else (TextEdit("def load():\n    return 0", "def load():\n    return 1"),)
        diff = only(diffs_of(call("edit", *edits), spell, known, done=done))
        assert diff.after == FILE
        assert diff.before == FILE.replace("return 1", "return 0")
        assert diff.added == ((4, 4),)


def test_done_hunks_with_gaps_are_found_line_by_line() -> None:
    edit = TextEdit("x", "def load():\ndef save():")
    diff = only(diffs_of(call("edit", edit, tool="apply_patch"), spell, known, done=True))
    assert diff.added == ((3, 3), (6, 6))
    assert diff.before is None
    assert diff.after == FILE


@pytest.mark.parametrize(
    ("path", "exists", "before", "added"),
    [
        ("/w/a.py", None, FILE, ((4, 4),)),
        ("/w/new.py", False, "", ((1, 7),)),
        ("/w/new.py", True, None, ((1, 7),)),
        ("/w/new.py", None, None, ((1, 7),)),
    ],
)
def test_a_written_file_is_compared_with_what_it_replaces(
    path: str, *, exists: bool | None, before: str | None, added: tuple[Span, ...]
) -> None:
    text = FILE.replace("return 1", "return 5")
    diff = only(diffs_of(call("write", TextEdit("", text), paths=(path,)), spell, known, exists=lambda _path: exists))
    assert (diff.before, diff.added) == (before, added)
    assert diff.after == text
    assert diff.is_new == (before == "")


def test_hunks_of_a_patch_go_to_the_files_that_hold_them() -> None:
    texts = {"a.py": "one\ntwo\n", "b.py": "three\nfour\n"}
    edits = (TextEdit("two", "TWO"), TextEdit("three", "THREE"), TextEdit("four", "FOUR"), TextEdit("", "hello\nworld"))
    patch = call("edit", *edits, paths=("a.py", "b.py", "c.py"), tool="apply_patch")
    found = {diff.path: diff.after for diff in diffs_of(patch, spell, texts.get, exists=lambda path: path in texts)}
    assert found == {"a.py": "one\nTWO\n", "b.py": "THREE\nFOUR\n", "c.py": "hello\nworld"}


def test_a_patch_changes_the_first_of_equal_lines() -> None:
    patch = call("edit", TextEdit("    return", "    yield"), tool="apply_patch")
    assert only(diffs_of(patch, spell, known)).added == ((4, 4),)


def test_a_shell_line_gives_the_files_it_writes_and_itself() -> None:
    command = "cd src && cat > new.py <<'EOF'\nKEY = load_key()\nEOF\ncurl -H 'X: 1' example.org"
    first, last = diffs_of(call("bash", paths=(), command=command), spell, known)
    assert (first.path, first.after, first.added) == ("src/new.py", "KEY = load_key()\n", ((1, 1),))
    assert last.path == ""
    assert last.fragment
    assert last.after == "cd src && cat > new.py <<'EOF'\n\nEOF\ncurl -H 'X: 1' example.org"
    assert last.added == ((1, 4),)


def test_appended_lines_come_after_the_rest() -> None:
    command = "echo 'x = 1' >> a.py; echo 'y = 2' >> a.py"
    first, second, _line = diffs_of(call("bash", paths=(), command=command), spell, known)
    assert first.added == ((8, 8),)
    assert second.added == ((9, 9),)
    assert second.before == first.after


def test_appended_lines_that_are_there_already_are_found() -> None:
    done, _line = diffs_of(call("bash", paths=(), command="echo '    return 2' >> a.py"), spell, known, done=True)
    assert done.after == FILE
    assert done.added == ((7, 7),)


def test_a_patch_in_a_shell_line_is_not_told_twice() -> None:
    command = "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n-    return 1\n+    return 7\n*** End Patch\nE\nmake test"
    first, last = diffs_of(call("bash", TextEdit("    return 1", "    return 7"), command=command), spell, known)
    assert first.added == ((4, 4),)
    assert "return 7" not in last.after
    assert last.after.count("\n") == command.count("\n")


@pytest.mark.parametrize("action", ["read", "other"])
def test_what_writes_nothing_gives_nothing(action: ActionType) -> None:
    assert diffs_of(call(action), spell, known) == ()


EDITS = st.lists(
    st.tuples(st.text(max_size=8), st.text(max_size=20), st.sampled_from(["", "1", "99", "x"])), max_size=3
)


@given(text=st.text(max_size=60), edits=EDITS, done=st.booleans())
def test_any_edit_of_any_text_is_taken(*, text: str, edits: list[tuple[str, str, str]], done: bool) -> None:
    made = call("edit", *(TextEdit(*edit) for edit in edits))
    for diff in diffs_of(made, spell, lambda _path: text, done=done):
        lines = diff.after.count("\n") + 1
        assert all(1 <= first <= last <= lines for first, last in diff.added)
