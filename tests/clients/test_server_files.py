from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.tool_calls import parse_call
from leeboard.model.event import TextEdit, ToolCall

NOT_SEEN = "other"
PAIR = TextEdit("a", "b")


def called(tool: str, **given: object) -> ToolCall:
    return parse_call("c1", tool, given)


@pytest.mark.parametrize(
    ("tool", "given", "action", "paths", "edits"),
    [
        ("mcp__filesystem__write_file", {"path": "a.md", "content": "x"}, "write", ("a.md",), (TextEdit("", "x"),)),
        ("mcp__fs__create_file", {"file_path": "/r/a", "content": ""}, "write", ("/r/a",), (TextEdit("", ""),)),
        (
            "mcp__filesystem__edit_file",
            {"path": "a.md", "edits": [{"oldText": "a", "newText": "b"}], "dryRun": False},
            "edit",
            ("a.md",),
            (PAIR,),
        ),
        (
            "mcp__filesystem__move_file",
            {"source": "/r/a", "destination": "/r/.haiku/settings.yml"},
            "edit",
            ("/r/a", "/r/.haiku/settings.yml"),
            (),
        ),
        ("mcp__x__delete_file", {"filename": "a.md"}, "edit", ("a.md",), ()),
        ("mcp__sandbox-fs__delete", {"path": "a.md"}, "edit", ("a.md",), ()),
        ("mcp__x__append_to_file", {"path": "a", "content": "x"}, "edit", ("a",), (TextEdit("", "x", "end"),)),
        (
            "mcp__desktop-commander__write_file",
            {"path": "a", "content": "x", "mode": "append"},
            "edit",
            ("a",),
            (TextEdit("", "x", "end"),),
        ),
        ("mcp__dc__edit_block", {"file_path": "a", "old_string": "a", "new_string": "b"}, "edit", ("a",), (PAIR,)),
        ("mcp__serena__create_text_file", {"relative_path": "a", "content": "x"}, "write", ("a",), None),
        ("mcp__serena__replace_symbol_body", {"relative_path": "a.py", "body": "x"}, "edit", ("a.py",), None),
        ("mcp__jetbrains__createNewFile", {"pathInProject": "a.py", "text": "x"}, "write", ("a.py",), None),
        ("mcp__x__update", {"uri": "file:///r/a%20b.md", "content": "x"}, "edit", ("/r/a b.md",), None),
        ("mcp__x__save", {"uri": "file://localhost/r/a.md", "text": "x"}, "write", ("/r/a.md",), None),
        ("mcp__x__write_files", {"files": [{"path": "a", "content": "x"}, {"path": "b"}]}, "edit", ("a", "b"), None),
        ("mcp__fs__copy", {"from": "a", "to": "b"}, "edit", ("a", "b"), ()),
        ("mcp__fs__write_file", {"path": "a", "content": "eA==", "encoding": "base64"}, "edit", ("a",), ()),
        (
            "mcp__filesystem__write_file",
            {"path": "a", "content": "x", "repo": "r", "owner": "o"},
            "write",
            ("a",),
            None,
        ),
        (
            "mcp__github__create_or_update_file",
            {"path": "/r/a.md", "owner": "o", "repo": "r"},
            "edit",
            ("/r/a.md",),
            (),
        ),
    ],
)
def test_what_a_file_server_writes_is_a_write(
    tool: str, given: dict[str, Any], action: str, paths: tuple[str, ...], edits: tuple[TextEdit, ...] | None
) -> None:
    call = called(tool, **given)
    assert (call.action, call.paths) == (action, paths)
    assert edits is None or call.edits == edits


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__filesystem__read_text_file", {"path": "a.md"}),
        ("mcp__filesystem__get_file_update_history", {"path": "a.md"}),
        ("mcp__filesystem__create_directory", {"path": "a"}),
        ("mcp__filesystem__edit_file", {"path": "a.md", "edits": [], "dryRun": True}),
        ("mcp__x__str_replace_based_edit_tool", {"command": "view", "path": "/r/a"}),
        ("mcp__github__create_or_update_file", {"owner": "o", "repo": "r", "path": "src/a.py", "content": "x"}),
        ("mcp__code__push_and_update_files", {"owner": "o", "repo": "r", "files": [{"path": "a", "content": "x"}]}),
        ("mcp__gdrive__update_file", {"fileName": "a.md", "content": "x"}),
        ("mcp__linear__create_issue", {"title": "a.md"}),
        ("mcp__mail__create_draft", {"to": "kim@example.invalid", "content": "x"}),
        ("mcp__store__update", {"path": "users/1", "data": "x"}),
        ("mcp__web__save_file", {"uri": "https://example.invalid/a.md"}),
        ("mcp__leeboard__haiku_human_write", {"path": "knowledge/a.md", "content": "x"}),
        ("mcp__leeboard__haiku_record_agent_write", {"path": "knowledge/a.md"}),
        ("mcp__x__write_file", {"path": 3, "content": "x"}),
        ("mcp__", {"path": "a"}),
    ],
)
def test_what_names_no_file_of_this_machine_is_no_write(tool: str, given: dict[str, Any]) -> None:
    assert called(tool, **given).action == NOT_SEEN


@given(
    st.sampled_from(["write_file", "edit_file", "move_file", "update"]),
    st.dictionaries(
        st.sampled_from(["path", "uri", "files", "edits", "content", "source", "encoding", "mode"]),
        st.none() | st.integers() | st.text() | st.lists(st.none() | st.text() | st.dictionaries(st.text(), st.text())),
    ),
)
def test_no_argument_raises(name: str, given: dict[str, Any]) -> None:
    assert called(f"mcp__fs__{name}", **given).id == "c1"
