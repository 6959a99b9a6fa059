from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.transcript_lines import LineBuffer, epoch_seconds, mend_json


@given(st.lists(st.binary(max_size=30), max_size=12))
def test_lines_do_not_depend_on_the_pieces(pieces: list[bytes]) -> None:
    whole, cut = LineBuffer(longest=20), LineBuffer(longest=20)
    lines = whole.feed(b"".join(pieces))
    assert [line for piece in pieces for line in cut.feed(piece)] == lines
    assert (cut.lines, cut.consumed, cut.too_long) == (whole.lines, whole.consumed, whole.too_long)
    assert cut.take_half() == whole.take_half()
    assert all(0 < len(line) <= 20 for line in lines)


def test_an_overlong_line_is_dropped_while_it_comes_in() -> None:
    buffer = LineBuffer(longest=10)
    for _ in range(100):
        assert buffer.feed(b"x" * 9) == []
        assert sum(map(len, buffer._half)) <= 10
    assert buffer.feed(b"\nnext\n") == [b"next"]
    assert (buffer.lines, buffer.too_long, buffer.consumed) == (2, 1, 906)


def test_an_overlong_half_line_is_nothing_at_the_end() -> None:
    buffer = LineBuffer(longest=3)
    buffer.feed(b"four and more")
    assert buffer.take_half() == b""


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        (rb'{"a": "\ud83d"}', {"a": "\ufffd"}),
        (rb'{"a": "\ud83d\ude00"}', {"a": "\U0001f600"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": "x\x00\x1fy"}', {"a": "x\x00\x1fy"}),
        (b'{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        (b'{"a": ' + b"1" * 5_000 + b"}", {"a": None}),
    ],
)
def test_what_strict_json_forbids_is_mended(broken: bytes, mended: object) -> None:
    text = mend_json(broken)
    assert text is not None
    assert json.loads(text) == mended


@pytest.mark.parametrize("line", [b"", b"{", b"{'a': 1}", b"[" * 100_000, b'{"a": 1} {"b": 2}'])
def test_what_is_no_json_stays_none(line: bytes) -> None:
    assert mend_json(line) is None


@pytest.mark.parametrize(
    ("timestamp", "seconds"),
    [
        ("1970-01-01T00:00:01Z", 1.0),
        ("2026-11-15T18:34:26.817Z", 1794767666.817),
        ("2026-11-15T19:34:26.817+01:00", 1794767666.817),
        ("1970-01-01T00:01:00", 60.0),
        ("", 0.0),
        ("yesterday", 0.0),
        ("0001-01-01T00:00:00+23:59", -62135683140.0),
        (1794767666, 0.0),
        (None, 0.0),
    ],
)
def test_times(timestamp: object, seconds: float) -> None:
    assert epoch_seconds(timestamp) == pytest.approx(seconds)


@given(st.text())
def test_no_time_raises(text: str) -> None:
    epoch_seconds(text)
