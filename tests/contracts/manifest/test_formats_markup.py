"""Elements, tag by tag."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.manifest.formats import elements


def test_elements_have_the_texts_of_their_own_children() -> None:
    text = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>
<!-- <a><n>no</n></a> -->
<ns:a one="1" two='>' ><n> yes </n><b><n>inner</n></b><c/></ns:a>"""
    found = {one.name: one for one in elements(text)}
    assert (found["a"].attributes, found["a"].children) == (
        {"one": "1", "two": ">"},
        {"n": "yes", "b": "", "c": ""},
    )
    assert (found["b"].parent, found["b"].children) == ("a", {"n": "inner"})


def test_what_is_not_closed_does_no_harm() -> None:
    assert [one.name for one in elements("</z><a><b></a></b>")] == ["b", "a"]


@given(st.text(alphabet=st.sampled_from("<>/a b=\"'!-")) | st.text())
def test_never_raises(text: str) -> None:
    list(elements(text))


def test_hostile_lines_are_read_once() -> None:
    for line in (
        "<" * 100_000,
        "<a " * 40_000,
        '<a b="' * 30_000,
        "<!--" * 40_000,
        "<a>" * 40_000 + "</b>" * 9_999,
    ):
        assert list(elements(line)) == []
