from __future__ import annotations

import json
from typing import Any

import pytest

from leeboard.clients.claude_code.transcript import TranscriptReader, attached_file, words_in_refusal
from leeboard.model.event import Event, PromptGiven, ToolFinished

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\nput it into server/jobs.py"
)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (REFUSED, "put it into server/jobs.py"),
        (f"{REFUSED}\n\nNote: The user's next message may contain a preference.", "put it into server/jobs.py"),
        ("The user doesn't want to proceed with this tool use.", ""),
        ("… the user said:\nThe user wants to clarify these questions: 1. which one?", ""),
        ("", ""),
    ],
)
def test_words_in_a_refusal(output: str, words: str) -> None:
    assert words_in_refusal(output) == words


@pytest.mark.parametrize(
    ("attachment", "shown"),
    [
        (
            {"type": "file", "filename": "/r/a.py", "content": {"type": "text", "file": {"content": "import b"}}},
            ("Read", "/r/a.py", "import b"),
        ),
        ({"type": "edited_text_file", "filename": "/r/a.py", "snippet": "x = 1"}, ("Read", "/r/a.py", "x = 1")),
        ({"type": "compact_file_reference", "filename": "/r/a.py"}, ("Read", "/r/a.py", "")),
        (
            {"type": "plan_file_reference", "planFilePath": "/h/p.md", "planContent": "1. a"},
            ("Read", "/h/p.md", "1. a"),
        ),
        ({"type": "directory", "path": "/r/src", "content": "a.py\nb.py"}, ("LS", "/r/src", "a.py\nb.py")),
        ({"type": "file", "filename": 7}, None),
        ({"type": "file", "filename": "/r/a", "content": {"file": [1]}}, ("Read", "/r/a", "")),
        ({"type": "hook_success"}, None),
    ],
)
def test_attached_files(attachment: dict[object, object], shown: tuple[str, str, str] | None) -> None:
    assert attached_file(attachment) == shown


def _told(*records: dict[str, Any]) -> list[Event]:
    reader = TranscriptReader("s")
    return [*reader.feed("".join(json.dumps(record) + "\n" for record in records).encode()), *reader.finish()]


def test_an_attached_file_counts_as_read() -> None:
    record = {
        "parentUuid": None,
        "isSidechain": False,
        "attachment": {"type": "file", "filename": "/r/a.py", "content": {"file": {"content": "import b"}}},
        "type": "attachment",
        "uuid": "u1",
        "cwd": "/r",
    }
    shown = [event for event in _told(record, record) if isinstance(event, ToolFinished)]
    assert [(event.call.action, event.call.paths, event.output) for event in shown] == [
        ("read", ("/r/a.py",), "import b")
    ]


def test_words_of_a_refusal_are_the_humans() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": {"file_path": "/r/a.py"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True, "content": REFUSED}
    told = _told(
        {"type": "assistant", "uuid": "a", "message": {"id": "m", "content": [call]}},
        {"type": "user", "uuid": "b", "message": {"content": [result]}},
    )
    assert [event.text for event in told if isinstance(event, PromptGiven)] == ["put it into server/jobs.py"]
