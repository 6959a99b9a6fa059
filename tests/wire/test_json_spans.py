"""Values are found in the bytes as they stand, and changed in place."""

from __future__ import annotations

import pytest

from leeboard.wire.json_spans import elements, members, replaced

BODY = b' { "a" : [1, {"b": "]"} , "x\\"y"],"c":{} } '


def test_values_are_found_where_they_stand() -> None:
    found = members(BODY, (0, len(BODY)))
    assert {key: BODY[start:end] for key, (start, end) in found.items()} == {
        "a": b'[1, {"b": "]"} , "x\\"y"]',
        "c": b"{}",
    }
    assert [BODY[start:end] for start, end in elements(BODY, found["a"])] == [b"1", b'{"b": "]"}', b'"x\\"y"']


def test_other_bytes_go_in_at_several_places() -> None:
    found = members(BODY, (0, len(BODY)))
    assert replaced(BODY, [(found["c"], b"2"), (found["a"], b"1")]) == b' { "a" : 1,"c":2 } '


def test_a_key_that_is_there_twice_has_no_place() -> None:
    twice = b'{"a": 1, "a": 2}'
    with pytest.raises(ValueError, match=r"1|2"):
        members(twice, (0, len(twice)))
