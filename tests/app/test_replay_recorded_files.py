from __future__ import annotations

from leeboard.app.replay import RecordedFiles
from leeboard.model.event import Event, Outcome, TextEdit, ToolCall, ToolFinished
from leeboard.model.workspace import Workspace


def finished(call: ToolCall, output: str = "", outcome: Outcome = "done") -> Event:
    return ToolFinished(session="s", cwd="/repo", call=call, outcome=outcome, output=output)


def read(output: str, span: tuple[int, int] = (0, 0)) -> Event:
    return finished(ToolCall(id="t", tool="Read", action="read", paths=("a.py",), span=span), output)


def edit(*edits: TextEdit) -> Event:
    return finished(ToolCall(id="t", tool="Edit", action="edit", paths=("/repo/a.py",), edits=edits))


def recorded() -> RecordedFiles:
    return RecordedFiles(Workspace("/repo").spell)


def test_a_file_read_whole_is_known() -> None:
    files = recorded()
    files.observe(read("     1\tx = 1\n     2\t\n     3→y = 2"))
    assert files.text("a.py") == "x = 1\n\ny = 2\n"
    assert (files.exists("a.py"), files.exists("b.py")) == (True, None)


def test_a_part_or_an_error_is_not() -> None:
    for event in (read("     7\tx = 1"), read("     1\tx", (1, 40)), read("no such file"), read("")):
        files = recorded()
        files.observe(event)
        assert files.text("a.py") is None


def test_what_is_written_and_edited_is_followed() -> None:
    files = recorded()
    files.observe(
        finished(ToolCall(id="t", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", "x = 1\n"),)))
    )
    files.observe(edit(TextEdit("1", "2"), TextEdit("x", "y")))
    assert files.text("a.py") == "y = 2\n"


def test_an_edit_nobody_can_follow_makes_it_unknown_again() -> None:
    files = RecordedFiles(Workspace("/repo").spell, {"a.py": "x = 1\n"})
    files.observe(edit(TextEdit("gone", "2")))
    assert files.text("a.py") is None


def test_failed_calls_change_nothing() -> None:
    files = RecordedFiles(Workspace("/repo").spell, {"a.py": "x = 1\n"})
    call = ToolCall(id="t", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", "y"),))
    for outcome in ("failed", "denied"):
        files.observe(finished(call, outcome=outcome))
    assert files.text("a.py") == "x = 1\n"
    assert files.exists("b.py") is False


def test_what_is_ignored_is_read_off_the_recorded_gitignore() -> None:
    files = RecordedFiles(Workspace("/repo").spell, {".gitignore": ".env\nbuild/\n"})
    assert (files.ignored(".env"), files.ignored("app/.env"), files.ignored("a.py")) == (True, True, False)
    assert recorded().ignored(".env") is None
