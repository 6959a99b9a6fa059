"""Frames out of bytes, whatever the chunks and line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.wire import sse
from tests.wire.carrying import cut_at, one_by_one

MIXED = b"event: a\r\ndata: 1\r\n\r\n: note\n\nevent: b\ndata: 2\n\ndata: x\r\rdata: y\n\r\ndata: tail"


def split(chunks: list[bytes]) -> tuple[list[bytes], bytes]:
    framer = sse.Framer(10_000)
    frames = [frame for chunk in chunks for frame in framer.split(chunk)]
    return frames, framer.rest()


def test_frames_end_with_their_blank_line() -> None:
    frames, rest = split([MIXED])
    assert frames == [
        b"event: a\r\ndata: 1\r\n\r\n",
        b": note\n\n",
        b"event: b\ndata: 2\n\n",
        b"data: x\r\r",
        b"data: y\n\r\n",
    ]
    assert rest == b"data: tail"


@given(st.lists(st.integers(1, len(MIXED))))
def test_no_byte_is_lost_whatever_the_chunks(cuts: list[int]) -> None:
    frames, rest = split(cut_at(MIXED, cuts))
    assert b"".join(frames) + rest == MIXED
    assert [sse.payload(frame) for frame in frames if sse.payload(frame)] == [b"1", b"2", b"x", b"y"]


def test_a_blank_line_may_be_cut_anywhere() -> None:
    frames, _ = split(one_by_one(b"data: 1\r\n\r\ndata: 2\r\n\r\n"))
    assert [sse.payload(frame) for frame in frames] == [b"1", b"2"]


@given(st.binary(max_size=300), st.lists(st.integers(1, 300)))
def test_bytes_of_any_kind_come_out_as_they_went_in(data: bytes, cuts: list[int]) -> None:
    frames, rest = split(cut_at(data, cuts))
    assert b"".join(frames) + rest == data


def test_a_frame_beyond_the_limit_is_noticed_and_kept() -> None:
    framer = sse.Framer(100)
    assert framer.split(b"data: ok\n\n" + b"x" * 60) == [b"data: ok\n\n"]
    noticed = [framer.is_overfull]
    assert framer.split(b"y" * 60) == []
    noticed.append(framer.is_overfull)
    assert noticed == [False, True]
    assert framer.rest() == b"x" * 60 + b"y" * 60


def test_what_a_frame_says() -> None:
    frame = b"id: 7\nevent:name\ndata:first\ndata: second\n\n"
    assert sse.event_name(frame) == b"name"
    assert sse.payload(frame) == b"first\nsecond"
    assert sse.event_name(sse.COMMENT) == sse.payload(sse.COMMENT) == b""


def test_several_frames_at_once() -> None:
    assert sse.payloads(b"data: 1\n\ndata: 2\n\n") == [b"1", b"2"]


def test_json_with_bytes_that_are_no_text_is_read_as_clients_do() -> None:
    assert sse.read_object(b'{"a": "\xff", "b": "\\ud800"}') == {"a": "\ufffd", "b": "\ufffd"}


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b'"a"', b"[" * 5000])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        sse.read_object(data)


def test_a_number_is_changed_and_nothing_else() -> None:
    frame = b'event: e\ndata: { "type":"x", "index" : 3, "delta":{"text":"\\"index\\": 3 \xc3\xa9"} }\n\n'
    assert sse.replace_number(frame, "index", 2) == frame.replace(b'"index" : 3,', b'"index" : 2,')


def test_a_number_behind_one_of_the_same_name_is_found() -> None:
    frame = b'data: {"inner": {"index": 9}, "index": 3}\n\n'
    assert sse.read_object(sse.payload(sse.replace_number(frame, "index", 2))) == {"inner": {"index": 9}, "index": 2}


def test_other_fields_of_a_frame_stay_when_its_data_is_replaced() -> None:
    assert sse.replace_data(b"id: 1\r\nevent: e\r\ndata: {}\r\n\r\n", {"a": 1}) == (
        b'id: 1\r\nevent: e\r\ndata: {"a":1}\r\n\r\n'
    )
    assert sse.replace_data(b"event: e\ndata: {\ndata: }\n\n", {}) == b"event: e\ndata: {}\n\n"


def test_what_is_nested_too_deeply_is_cut_out_and_the_rest_is_read() -> None:
    deep = b"[" * 5_000 + b'"]"' + b"]" * 5_000
    value = sse.read_object(b'{"a": ' + deep + b', "b": "[[[", "c": 1}')
    assert (value["b"], value["c"]) == ("[[[", 1)
    assert sse.CUT in str(value["a"])
    assert sse.without_depths(b'{"a": [1]}') == b'{"a": [1]}'
    with pytest.raises(WireError):
        sse.read_object(b"[" * 100_000)
