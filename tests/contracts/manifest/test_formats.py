"""JSON with what people add to it."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.manifest.formats import parse_json, rows, table, word, words
from leeboard.contracts.manifest.package import UnreadableManifest


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1, // one\n "b": [1, 2,],}', {"a": 1, "b": [1, 2]}),
        ('{/* ** */"a": "http://x/*y*/, ]"}', {"a": "http://x/*y*/, ]"}),
        ('{"a": "\\"// no comment",}', {"a": '"// no comment'}),
    ],
)
def test_parse(text: str, value: object) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize("text", ["", "[]", "1", '{"a"', "{" * 100_000, '{"a":' * 50_000, '"' + '\\"' * 50_000])
def test_what_is_no_object(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        parse_json(text)


@given(st.text())
def test_never_raises_anything_else(text: str) -> None:
    with suppress(UnreadableManifest):
        parse_json(text)


@given(st.dictionaries(st.text(), st.text() | st.lists(st.integers(0, 9))))
def test_reads_what_is_plain_json(value: dict[str, object]) -> None:
    assert parse_json("// a comment\n" + msgspec.json.encode(value).decode()) == value


def test_what_is_of_another_type_is_not_there() -> None:
    assert table({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert table({"a": 1}, "a", "b") == {}
    assert list(rows([{"a": 1}, 2])) == [{"a": 1}]
    assert list(words(["a", 2])) == ["a"]
    assert list(words("abc")) == []
    assert word(3) == ""
