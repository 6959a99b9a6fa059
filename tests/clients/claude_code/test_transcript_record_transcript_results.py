from __future__ import annotations

import msgspec
import pytest

from leeboard.clients.claude_code.transcript_record import (
    ContentBlock,
    TranscriptRecord,
    joined_text,
    outcome_of,
    output_of,
)
from leeboard.model.event import Outcome

DENIALS = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    "The user doesn't want to take this action right now. STOP what you are doing",
    "PreToolUse:Bash hook error: no",
    "Error: PreToolUse:Write hook error: [x]: no",
    "Claude requested permissions to write to /r/a, but you haven't granted it yet.",
    "Permission to use Bash with command rm has been denied.",
    "Bash operation blocked by hook:\n- no",
    "<tool_use_error>Permission to use WebFetch has been denied.</tool_use_error>",
]


@pytest.mark.parametrize("text", DENIALS)
def test_older_versions_tell_a_denial_by_its_words(text: str) -> None:
    assert outcome_of(TranscriptRecord(), ContentBlock(is_error=True), text) == "denied"


@pytest.mark.parametrize("text", DENIALS)
def test_a_tool_that_prints_such_words_was_not_denied(text: str) -> None:
    assert outcome_of(TranscriptRecord(), ContentBlock(is_error=False), text) == "done"
    assert outcome_of(TranscriptRecord(), ContentBlock(is_error=True), f"Exit code 1\n{text}") == "failed"


@pytest.mark.parametrize(
    ("record", "block", "outcome"),
    [
        (TranscriptRecord(tool_denial_kind="user-rejected"), ContentBlock(is_error=True), "denied"),
        (TranscriptRecord(permission_decision={"decision": "reject"}), ContentBlock(is_error=True), "denied"),
        (TranscriptRecord(permission_decision={"decision": "accept"}), ContentBlock(is_error=True), "failed"),
        (TranscriptRecord(permission_decision=["reject"], tool_denial_kind=7), ContentBlock(), "done"),
        (TranscriptRecord(), ContentBlock(is_error="yes"), "done"),
    ],
)
def test_newer_versions_say_it_in_fields(record: TranscriptRecord, block: ContentBlock, outcome: Outcome) -> None:
    assert outcome_of(record, block, "whatever") == outcome


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, "b", 7, {"type": "text", "text": 3}], "a\nb"),
        ({"text": "a"}, ""),
        (None, ""),
    ],
)
def test_texts_are_joined(content: object, text: str) -> None:
    assert joined_text(content) == text


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"stdout": "out", "stderr": "err"}, "out\nerr"),
        ({"type": "text", "file": {"content": "1: x"}}, "1: x"),
        ({"filenames": ["a.py", "b.py"]}, "a.py\nb.py"),
        ({"content": [{"type": "text", "text": "sub report"}]}, "sub report"),
        ("Error: no", "Error: no"),
        ([{"type": "text", "text": "mcp"}], "mcp"),
        ({"file": 3}, ""),
        (7, ""),
    ],
)
def test_an_empty_result_is_filled_from_what_the_client_noted(told: object, text: str) -> None:
    record = TranscriptRecord(tool_use_result=msgspec.Raw(msgspec.json.encode(told)))
    assert output_of(record, ContentBlock(content="")) == text
    assert output_of(record, ContentBlock(content="seen")) == "seen"


def test_output_is_cut() -> None:
    assert len(output_of(TranscriptRecord(), ContentBlock(content="x" * 300_000))) == 200_000
