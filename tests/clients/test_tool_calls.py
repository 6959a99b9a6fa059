from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.tool_calls import parse_call, parse_todos
from leeboard.model.event import TextEdit, ToolCall

PATCH = """*** Begin Patch
*** Update File: src/app.py
*** Move to: src/main.py
@@ def add(a, b):
 def add(a, b):
-    return a - b
+    return a + b
@@
-old tail
+new tail
+another
*** Add File: docs/new.md
+# Title
+
+text
*** Delete File: old.txt
*** End Patch
"""
PATCH_PATHS = ("src/app.py", "src/main.py", "docs/new.md", "old.txt")
PATCH_EDITS = (
    TextEdit("    return a - b", "    return a + b"),
    TextEdit("old tail", "new tail\nanother"),
    TextEdit("", "# Title\n\ntext"),
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TOOLS = st.sampled_from(["Edit", "MultiEdit", "Write", "Bash", "Grep", "shell", "apply_patch", "Task", "mcp__a__b"])
KEYS = st.sampled_from(["file_path", "edits", "command", "cmd", "input", "pattern", "todos", "action", "path"])


def call(tool: str, tool_input: object) -> ToolCall:
    return parse_call("id", tool, tool_input)


@pytest.mark.parametrize("tool", ["Edit", "edit", "str_replace"])
def test_an_edit_has_its_path_and_texts(tool: str) -> None:
    found = call(tool, {"file_path": "/r/a.py", "old_string": "a", "new_string": "b", "replace_all": False})
    assert found == ToolCall(id="id", tool=tool, action="edit", paths=("/r/a.py",), edits=(TextEdit("a", "b"),))


def test_an_edit_that_deletes_has_no_new_text() -> None:
    assert call("Edit", {"file_path": "a", "old_string": "gone", "new_string": ""}).edits == (TextEdit("gone", ""),)


def test_multi_edit_keeps_all_edits_and_skips_what_is_none() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, 7, None, {"old_string": "", "new_string": "c"}, {}]
    found = call("MultiEdit", {"file_path": "a.py", "edits": edits})
    assert found.edits == (TextEdit("a", "b"), TextEdit("", "c"))


def test_a_notebook_edit_names_the_notebook() -> None:
    found = call("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "x = 1"})
    assert (found.action, found.paths, found.edits) == ("edit", ("n.ipynb",), (TextEdit("", "x = 1"),))


def test_a_write_is_one_edit_of_nothing_into_everything() -> None:
    assert call("Write", {"file_path": "a", "content": "hi\n"}).edits == (TextEdit("", "hi\n"),)
    assert call("Write", {"file_path": "a", "content": ""}).edits == (TextEdit("", ""),)


@pytest.mark.parametrize(("command", "action"), [("view", "read"), ("create", "write"), ("str_replace", "edit")])
def test_the_text_editor_is_what_its_command_says(command: str, action: str) -> None:
    found = call("str_replace_based_edit_tool", {"command": command, "path": "a.py", "old_str": "x", "new_str": "y"})
    assert (found.action, found.paths) == (action, ("a.py",))


@pytest.mark.parametrize(
    ("tool", "tool_input", "paths", "query"),
    [
        ("Read", {"file_path": "a.py", "offset": 3}, ("a.py",), ""),
        ("Grep", {"pattern": "def ", "path": "src", "glob": "*.py"}, ("src",), "def  *.py"),
        ("Glob", {"pattern": "**/*.md"}, (), "**/*.md"),
        ("LS", {"path": "/r"}, ("/r",), ""),
        ("NotebookRead", {"notebook_path": "n.ipynb"}, ("n.ipynb",), ""),
    ],
)
def test_reads(tool: str, tool_input: object, paths: tuple[str, ...], query: str) -> None:
    found = call(tool, tool_input)
    assert (found.action, found.paths, found.query) == ("read", paths, query)


@pytest.mark.parametrize(
    ("tool", "tool_input", "span"),
    [
        ("Read", {"file_path": "a"}, (0, 0)),
        ("Read", {"file_path": "a", "offset": 1}, (0, 0)),
        ("Read", {"file_path": "a", "offset": 10}, (10, 0)),
        ("Read", {"file_path": "a", "offset": 10, "limit": 5}, (10, 14)),
        ("Read", {"file_path": "a", "limit": 5}, (1, 5)),
        ("read_file", {"path": "a", "start_line": 3, "end_line": 9}, (3, 9)),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a", "view_range": [4, 8]}, (4, 8)),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a", "view_range": [4, -1]}, (4, 0)),
        ("Read", {"file_path": "a", "offset": "ten", "limit": True}, (0, 0)),
        ("Read", {"file_path": "a", "offset": -4, "limit": 1 << 70}, (0, 0)),
        ("Grep", {"pattern": "x", "offset": 10}, (0, 0)),
    ],
)
def test_the_lines_of_a_read(tool: str, tool_input: object, span: tuple[int, int]) -> None:
    assert call(tool, tool_input).span == span


@pytest.mark.parametrize(
    ("tool_input", "flags"),
    [
        ({"pattern": "x", "path": "src"}, ""),
        ({"pattern": "x", "-i": True, "type": "py"}, "-i=True type=py"),
        ({"pattern": "x", "-i": False, "-A": 3, "output_mode": "content"}, "-A=3 output_mode=content"),
    ],
)
def test_the_flags_of_a_search(tool_input: object, flags: str) -> None:
    assert call("Grep", tool_input).flags == flags


@pytest.mark.parametrize(
    ("tool", "tool_input", "query"),
    [
        ("WebFetch", {"url": "https://example.org/a", "prompt": "what"}, "https://example.org/a"),
        ("WebSearch", {"query": "lee board"}, "lee board"),
        ("Task", {"description": "look", "prompt": "Find it", "subagent_type": "Explore"}, "Find it"),
        ("Agent", {"prompt": "Find it"}, "Find it"),
        ("BashOutput", {"bash_id": "b1"}, "b1"),
        ("KillShell", {"shell_id": "b1"}, "b1"),
        ("mcp__db__query", {"sql": "select 1", "limit": 3, "note": "two"}, "select 1 two"),
        ("", None, ""),
    ],
)
def test_other_tools_keep_what_they_ask_for(tool: str, tool_input: object, query: str) -> None:
    found = call(tool, tool_input)
    assert (found.action, found.command, found.query) == ("other", "", query)


def test_an_mcp_tool_names_its_file_and_its_text_is_cut() -> None:
    found = call("mcp__docs__ask", {"path": "a.txt", "body": "x" * 9_000})
    assert found.paths == ("a.txt",)
    assert len(found.query) == 8_000


@pytest.mark.parametrize(
    ("tool", "tool_input", "command"),
    [
        ("Bash", {"command": "ls -l", "description": "d"}, "ls -l"),
        ("exec_command", {"cmd": "ls", "workdir": "/r"}, "ls"),
        ("exec_command", '{"cmd": "ls"}', "ls"),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, "ls | wc"),
        ("shell", {"command": ["/usr/bin/zsh", "-c", "ls"]}, "ls"),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'"),
        ("shell", {"command": "ls"}, "ls"),
        ("local_shell", {"action": {"type": "exec", "command": ["bash", "-lc", "ls"]}}, "ls"),
        ("shell", {"command": ["ls", 3, None]}, "ls"),
        ("Bash", {"command": None}, ""),
        ("Bash", ["ls"], ""),
        ("Bash", {"command": "a\x00b\ud83d"}, "a\nab\ud83d"),
        ("Bash", {"command": "git status\x00"}, "git status"),
    ],
)
def test_shell_lines(tool: str, tool_input: object, command: str) -> None:
    found = call(tool, tool_input)
    assert (found.action, found.command) == ("bash", command)


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("apply_patch", PATCH),
        ("apply_patch", {"command": PATCH}),
        ("apply_patch", {"input": PATCH}),
        ("shell", {"command": ["apply_patch", PATCH]}),
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF\n"]}),
        ("exec_command", {"cmd": f'apply_patch <<"PATCH"\n{PATCH}PATCH'}),
    ],
)
def test_a_patch_is_an_edit_however_it_was_sent(tool: str, tool_input: object) -> None:
    found = call(tool, tool_input)
    assert (found.action, found.command) == ("edit", "")
    assert found.paths == PATCH_PATHS
    assert found.edits == PATCH_EDITS


def test_a_patch_beside_other_commands_stays_a_shell_line() -> None:
    """Otherwise the patch would hide what else the line does."""
    line = f"apply_patch <<'EOF'\n{PATCH}EOF\nrm -rf build"
    found = call("Bash", {"command": line})
    assert (found.action, found.command, found.paths) == ("bash", line, PATCH_PATHS)


def test_keys_that_are_no_strings_are_passed_over() -> None:
    assert call("Edit", {1: "x", None: "y", "file_path": "a"}).paths == ("a",)
    assert call("mcp__a__b", {1: "x"}).query == "x"


@pytest.mark.parametrize(
    ("tool", "tool_input", "items"),
    [
        ("TodoWrite", {"todos": [{"content": "a", "status": "pending"}, {"content": 3}, "b", None]}, ("a", "b")),
        ("TaskCreate", {"subject": "fix add", "description": "long"}, ("fix add",)),
        ("update_plan", '{"plan": [{"step": "one"}, {"step": "two"}]}', ("one", "two")),
        ("TodoWrite", {"todos": "no"}, ()),
        ("TodoWrite", None, ()),
        ("Bash", {"todos": [{"content": "a"}]}, ()),
    ],
)
def test_todos(tool: str, tool_input: object, items: tuple[str, ...]) -> None:
    assert parse_todos(tool, tool_input) == items


@given(TOOLS, st.dictionaries(KEYS, JSON, max_size=5) | JSON)
def test_no_input_raises(tool: str, tool_input: object) -> None:
    found = call(tool, tool_input)
    assert found.id == "id"
    assert all(isinstance(path, str) for path in found.paths)
    assert all(isinstance(item, str) for item in parse_todos("TodoWrite", tool_input))


def test_input_nested_too_deeply_is_kept_as_text() -> None:
    assert call("mcp__a__b", "[" * 200_000).query == "[" * 8_000
