from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.clients.json_text import check_object, cuts_without, first_bracket, place, read_container
from leeboard.errors import ConfigError

ITEMS = st.lists(st.integers() | st.text(max_size=5) | st.lists(st.none(), max_size=2), max_size=6)
SEPARATORS = st.sampled_from([(",", ":"), (" , ", " : "), (",\n", ":\t")])


def cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def test_parts_know_their_places() -> None:
    text = ' { "a" : [1, 2] ,"b":{}\n}'
    container = read_container(text, first_bracket(text))
    first, second = container.parts
    assert (text[first.start : first.end], first.name, first.value) == ('"a" : [1, 2]', "a", [1, 2])
    assert text[second.at : second.end] == "{}"
    assert (container.lead, container.tail, text[container.close]) == (" ", "\n", "}")


def test_the_last_of_two_equal_names_is_found() -> None:
    found = read_container('{"a": 1, "a": 2}', 0).find("a")
    assert found is not None
    assert found.value == 2
    assert read_container('{"a": 1}', 0).find("b") is None


def test_empty_container_has_a_lead_only() -> None:
    container = read_container("[ \n]", 0)
    assert (container.parts, container.lead, container.tail, container.close) == ((), " \n", "", 3)
    assert cuts_without(container, []) == []


@settings(deadline=None)
@given(ITEMS, st.sets(st.integers(0, 5)), SEPARATORS, st.sampled_from([dict, list]))
def test_any_parts_can_be_cut_out(items: list[object], gone: set[int], separators: tuple[str, str], kind: type) -> None:
    value = {f"k{at}": item for at, item in enumerate(items)} if kind is dict else items
    text = json.dumps(value, separators=separators)
    container = read_container(text, 0)
    left = json.loads(cut(text, cuts_without(container, [p for at, p in enumerate(container.parts) if at in gone])))
    kept = {at: item for at, item in enumerate(items) if at not in gone}
    assert left == ({f"k{at}": item for at, item in kept.items()} if kind is dict else list(kept.values()))


def test_place_counts_from_one() -> None:
    assert place("ab\ncd", 0) == "line 1, column 1"
    assert place("ab\ncd", 4) == "line 2, column 2"


@pytest.mark.parametrize("text", ["{}", '\ufeff{"a": 1}', ' \n{"a": [NaN]}'])
def test_object_is_accepted(text: str) -> None:
    check_object(text)


@pytest.mark.parametrize("text", ["", "\ufeff", "[]", "{", "1", '{"a" 1}'])
def test_anything_else_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(ConfigError, match=r"column .*run the command again"):
        check_object(text)
