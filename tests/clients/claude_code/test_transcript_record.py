from __future__ import annotations

import msgspec
import pytest

from leeboard.clients.claude_code.transcript_record import ContentBlock, decode_raw, decode_record, is_silent


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"api-request","params":{}}',
        b'{"type": "atis-latch", "atis": ""}',
        b'{"type":"progress","data":{"type":"user"}}',
        b'{"type":"user-something-new"}',
        b'{"parentUuid":null,"isSidechain":false,"attachment":{"type":"hook_success","content":"x"},"type":"attachment"}',
        b'{"parentUuid": "u", "isSidechain": true, "agentId": "a", "attachment": {"type": "date"}}',
    ],
)
def test_a_line_that_tells_nothing_is_known_by_its_start(line: bytes) -> None:
    assert is_silent(line)


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","message":{}}',
        b'{"type":"queue-operation","operation":"enqueue"}',
        b'{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command","prompt":"x"},"type":"attachment"}',
        b'{"parentUuid":"u","isSidechain":true,"attachment":{"type":"date"},"type":"attachment"}',
        b'{"parentUuid":"u","isSidechain":false,"message":{"type":"message"},"type":"assistant"}',
        b'{"uuid":"u","type":"api-request"}',
    ],
)
def test_other_lines_are_read(line: bytes) -> None:
    assert not is_silent(line)


def test_a_lone_surrogate_does_not_lose_the_line() -> None:
    """Clients cut texts in the middle of an emoji."""
    record = decode_record(rb'{"type":"user","uuid":"u","message":{"content":"cut \ud83d"}}')
    assert record is not None
    assert record.message is not None
    assert (record.uuid, record.message.content) == ("u", "cut \ufffd")


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b'[1, null, {"type": "text", "text": "a"}, "b"]', [ContentBlock(type="text", text="a")]),
        (b"7", None),
        (b'{"type": "text"}', None),
        (b'"plain"', "plain"),
    ],
)
def test_content_of_another_shape_is_fitted(content: bytes, kept: object) -> None:
    record = decode_record(b'{"type":"user","message":{"id":"m","content":' + content + b"}}")
    assert record is not None
    assert record.message is not None
    assert record.message.content == kept


@pytest.mark.parametrize("message", [b"7", b'"text"', b"[]", b"null"])
def test_a_message_of_another_shape_is_none(message: bytes) -> None:
    record = decode_record(b'{"type":"user","uuid":"u","message":' + message + b"}")
    assert record is not None
    assert (record.message, record.uuid) == (None, "u")


@pytest.mark.parametrize("line", [b"", b"7", b"[]", b"{", b'{"a":' + b"[" * 100_000])
def test_what_is_no_object_is_none(line: bytes) -> None:
    assert decode_record(line) is None


def test_fields_left_unread_are_read_on_demand() -> None:
    assert decode_raw(msgspec.Raw(b'{"a": 1}')) == {"a": 1}
    assert decode_raw(msgspec.Raw(b'{"a": "\xff"}')) == {"a": "\ufffd"}
    assert decode_raw(msgspec.Raw(b"{")) is None
    assert decode_raw(msgspec.Raw()) is None
