from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces.mcp.protocol import (
    VERSIONS,
    Batch,
    Lines,
    Malformed,
    McpNotice,
    McpRequest,
    Message,
    answer,
    error,
    foreign_version,
    handshake,
    parse,
    progress,
    render,
    result,
)
from leeboard.surfaces.mcp.tools import tools


def spelled(message: Message | Batch) -> tuple[object, ...]:
    match message:
        case McpRequest():
            return ("request", message.key, message.method, json.dumps(message.params))
        case McpNotice():
            return ("notice", message.method, json.dumps(message.params))
        case Malformed():
            return ("malformed", message.key, message.code)
        case Batch():
            return ("batch", *(spelled(part) for part in message.messages))


def read(line: bytes) -> list[tuple[object, ...]]:
    return [spelled(message) for message in parse(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', [("request", 1, "ping", "{}")]),
        (b'{"jsonrpc":"2.0","id":"a","method":"ping","params":null}', [("request", "a", "ping", "{}")]),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"m","params":{"x":1}}\r', [("notice", "m", '{"x": 1}')]),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', []),
        (b'{"jsonrpc":"2.0","id":1,"error":{}}', []),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', [("malformed", None, -32600)]),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [("malformed", None, -32600)]),
        (b'{"id":4,"method":"ping"}', [("malformed", 4, -32600)]),
        (b'{"jsonrpc":"2.0","id":4,"method":NaN}', [("malformed", 4, -32700)]),
        (b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"x":' + b"9" * 5000 + b"}}", [("malformed", 4, -32700)]),
        (b"[]", [("malformed", None, -32600)]),
        (b'[{"jsonrpc":"2.0","method":"m"},1]', [("batch", ("notice", "m", "{}"), ("malformed", None, -32600))]),
        (b'[{"jsonrpc":"2.0","id":1,"result":{}}]', []),
    ],
)
def test_a_line_is_read(line: bytes, expected: list[tuple[object, ...]]) -> None:
    assert read(line) == expected


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b'{"jsonrpc":"2.0","id":12,"method":"m","params":{"x":"', 12),
        (b'{"jsonrpc": "2.0", "method": "tools/call", "id": "a-1", "params": {', "a-1"),
        (b'{"method":"m","params":{"x":\xff},"jsonrpc":"2.0","id":9}', 9),
        (b'{"method":"m","params":{"x":\xff},"id":"z","jsonrpc":"2.0"}', "z"),
        (b'{"method":"m","params":{"x":\xff,"id":9}}', None),
        (b'{"method":"m","params":{"id":9,"x":\xff}}', None),
        (b'{"method":"m","x":"\xff\\"id\\":9}', None),
    ],
)
def test_the_asker_of_what_can_not_be_read_is_found_where_it_is_certain(line: bytes, key: object) -> None:
    """An id inside the arguments is somebody else's."""
    assert read(line) == [("malformed", key, -32700)]


@given(st.lists(st.sampled_from([b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"x", b"", b"[]"])), st.data())
def test_any_split_of_the_stream_gives_the_same_messages(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    parts = [stream[one:other] for one, other in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    cutter, whole = Lines(), Lines()
    found = [spelled(message) for part in [*(part for part in parts if part), b""] for message in cutter.feed(part)]
    assert found == [spelled(message) for part in ([stream, b""] if stream else [b""]) for message in whole.feed(part)]
    assert len(found) == sum(1 for line in lines if line)


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    lines = Lines(longest=100)
    for message in (*lines.feed(data + b"\n"), *lines.feed(b"")):
        spelled(message)


@given(st.integers(101, 5000), st.integers(1, 700))
def test_a_message_too_long_is_refused_however_it_comes(size: int, part: int) -> None:
    line = b'{"jsonrpc":"2.0","id":5,"x":"' + b"y" * size + b'"}\n'
    lines = Lines(longest=100)
    found = [message for at in range(0, len(line), part) for message in lines.feed(line[at : at + part])]
    assert [spelled(message) for message in found] == [("malformed", 5, -32600)]
    (after,) = lines.feed(b'{"jsonrpc":"2.0","id":6,"method":"ping"}\n')
    assert spelled(after)[:2] == ("request", 6)


@pytest.mark.parametrize("asked", [*VERSIONS, "1999-01-01", "", "2026-07-28"])
def test_the_version_that_was_asked_for_else_the_newest(asked: str) -> None:
    greeting = handshake({"protocolVersion": asked}, "words", "1.2")
    assert greeting is not None
    assert greeting["protocolVersion"] == (asked if asked in VERSIONS else "2025-11-25")
    assert greeting["serverInfo"]["version"] == "1.2"
    assert greeting["instructions"] == "words"


@pytest.mark.parametrize("params", [{}, {"protocolVersion": 3}])
def test_a_handshake_without_a_version_is_none(params: dict[str, Any]) -> None:
    assert handshake(params, "", "") is None


@pytest.mark.parametrize(
    ("meta", "version"),
    [
        ({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, "2026-07-28"),
        ({"io.modelcontextprotocol/protocolVersion": "2025-11-25"}, ""),
        ({"io.modelcontextprotocol/protocolVersion": 3}, ""),
        ({}, ""),
        ([], ""),
    ],
)
def test_a_version_that_is_not_spoken_is_seen(meta: object, version: str) -> None:
    assert foreign_version(McpRequest(1, "tools/list", {"_meta": meta})) == version


@pytest.mark.parametrize(
    ("meta", "token"),
    [({"progressToken": 3}, 3), ({"progressToken": "x"}, "x"), ({"progressToken": {}}, None), (3, None)],
)
def test_progress_is_told_by_the_token_of_the_asker(meta: object, token: object) -> None:
    assert McpRequest(1, "tools/call", {"_meta": meta}).progress_token == token


def test_what_is_written() -> None:
    assert render(result(1, {"x": "ä\n"})) == '{"jsonrpc":"2.0","id":1,"result":{"x":"ä\\n"}}\n'.encode()
    assert render(error(None, -32700, "\ud800")) == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}\n'
    )
    assert error(1, -32022, "m", {"supported": []})["error"]["data"] == {"supported": []}
    assert progress("t", 2, "on it")["params"] == {"progressToken": "t", "progress": 2, "message": "on it"}
    assert answer("x", is_error=True) == {"content": [{"type": "text", "text": "x"}], "isError": True}


def test_the_tools_of_a_run_are_there() -> None:
    """SH-18."""
    names = {tool.name for tool in tools()}
    assert {f"haiku_{name}" for name in WANTED.split()} == {name for name in names if name.startswith("haiku_")}
    assert len(names) == len(tools())


def test_every_tool_explains_itself_and_takes_nothing_unknown() -> None:
    for tool in tools():
        shown = tool.listed
        assert shown["inputSchema"]["additionalProperties"] is False
        assert shown["description"]
        assert all(field.get("description") for field in shown["inputSchema"]["properties"].values()), tool.name
        assert "identifier" not in json.dumps(shown)


def test_no_tool_decides_for_the_person() -> None:
    """SH-49: approval is nobody's argument."""
    listed = json.dumps([tool.listed for tool in tools()])
    assert "approved" not in listed
    assert "changes_requested" not in listed


WANTED = """
classify_drift human_write record_agent_write baseline_init
run_next await_gate intent_create select_studio select_mode select_stage intent_reset intent_archive intent_unarchive
revisit decision_record review_report unit_start unit_advance_hat unit_reject_hat unit_increment_bolt unit_get unit_set
unit_list unit_read unit_write unit_delete feedback feedback_list feedback_read feedback_write feedback_update
feedback_move feedback_reject feedback_delete feedback_advance_hat feedback_reject_hat intent_get intent_list stage_get
knowledge_list knowledge_read studio_list studio_get studio_stage_get settings_get settings_set dashboard repair
version_info
"""
