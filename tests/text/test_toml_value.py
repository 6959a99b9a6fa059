from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.text.toml_value import Value, toml_of, with_value

WRITTEN = '''\
#:schema ./x.json

# the "owner" = 'who' [asks]
owner = "ann # not a comment" # a comment
"quoted key" = """
touch = ["not this one"]
three more quotes """""
literal = \'\'\'a "b" \\\'\'\'
touch = [ # globs
  "src/**", # code
  ["]", {a = "}"}],
]
inline = { touch = 1, deep = [1, 2] }
dotted.touch = 5
when = 2026-01-02T03:04:05Z
mode='core'

[other]
touch = 3
'''


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("mode", "perf", "mode='core'", 'mode="perf"'),
        ("owner", 'a "b"\n', '"ann # not a comment" #', '"a \\"b\\"\\n" #'),
        ("literal", 7, "'''a \"b\" \\'''", "7"),
        ("when", True, "2026-01-02T03:04:05Z", "true"),
        ("quoted key", "", '"""\ntouch = ["not this one"]\nthree more quotes """""', '""'),
        ("touch", ("a", "b"), '[ # globs\n  "src/**", # code\n  ["]", {a = "}"}],\n]', '[\n  "a",\n  "b",\n]'),
        ("inline", (), "{ touch = 1, deep = [1, 2] }", "[\n]"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_one_value_changes_and_nothing_else(key: str, value: Value, old: str, new: str, newline: str) -> None:
    text = WRITTEN.replace("\n", newline)
    assert WRITTEN.count(old) == 1
    assert with_value(text, key, value) == WRITTEN.replace(old, new).replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "new = 1\n"),
        ("# only a comment", "# only a comment\nnew = 1\n"),
        ("a = 1", "a = 1\nnew = 1\n"),
        ("a = 1\n\n# about b\n[b]\nc = 2\n", "a = 1\n\n# about b\nnew = 1\n\n[b]\nc = 2\n"),
        ("[b]\nnew = 2\n", "new = 1\n\n[b]\nnew = 2\n"),
        ("[[b]]\nc = 2\n", "new = 1\n\n[[b]]\nc = 2\n"),
        ("a = [\n]\r\n", "a = [\n]\r\nnew = 1\r\n"),
    ],
)
def test_a_new_key_goes_above_the_tables(text: str, after: str) -> None:
    assert with_value(text, "new", 1) == after


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2\n", "touch.x = 1\n", "[touch]\nx = 1\n", '"', "a = [" * 5000])
def test_what_can_not_be_changed_in_its_place_is_said(text: str) -> None:
    with pytest.raises(WireError):
        with_value(text, "touch", "x")


def test_a_value_that_is_no_number_is_no_reason_to_refuse() -> None:
    assert with_value("a = nan\n", "b", 1) == "a = nan\nb = 1\n"


VALUES = st.one_of(
    st.text(),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.lists(st.text(max_size=9), max_size=3),
)


@given(VALUES)
def test_any_value_is_read_back_as_it_was(value: Value) -> None:
    assert tomllib.loads(f"a = {toml_of(value)}")["a"] == value


@given(VALUES, VALUES, st.text("#\"'=[]{} \\ab", max_size=12))
def test_any_value_can_take_the_place_of_any_other(first: Value, second: Value, comment: str) -> None:
    text = f"a = {toml_of(first)} # {comment}\n[t]\n"
    assert with_value(text, "a", second) == f"a = {toml_of(second)} # {comment}\n[t]\n"
