from __future__ import annotations

from tools.scripted_tools import Files, tool_call


def test_files_remember_what_the_disk_would_hold() -> None:
    files = Files("/home/dev/demo")
    tool_call("write", "", "src/a.py", ("x = 1",), files)
    assert (files.known("/home/dev/demo/src/a.py") or "").strip() == "x = 1"
    tool_call("edit", "", "src/a.py", ("- x = 1", "+ x = 2"), files)
    assert "x = 2" in (files.known("/home/dev/demo/src/a.py") or "")


def test_an_edit_names_the_whole_path_and_both_sides() -> None:
    (call,) = tool_call("edit", "", "src/a.py", ("- x = 1", "+ x = 2"), Files("/home/dev/demo"))
    assert call.name == "Edit"
    assert call.input["file_path"] == "/home/dev/demo/src/a.py"
    assert (call.input["old_string"], call.input["new_string"]) == ("x = 1", "x = 2")
