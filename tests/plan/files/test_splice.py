"""One value is changed and every other byte stays."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from leeboard.errors import WireError
from leeboard.plan.files.splice import same, set_values
from leeboard.plan.files.yaml import compose

EXOTIC = """\
# top
status: active # c
empty: # note
iterations:
- a
-  hat: x # q
   y: 1
c: |+
  text

d: &s
  - 1
e: [a,
 b] # z
? f
g: "x
  y"
? h
: v
q: 'it''s'
r: *s
# tail
"""


@pytest.mark.parametrize(
    ("fields", "gone", "come"),
    [
        ({"status": "done"}, "status: active # c", "status: done # c"),
        ({"empty": "x"}, "empty: # note", "empty: x # note"),
        ({"empty": [{"a": "b"}]}, "empty: # note\n", "empty: # note\n  - a: b\n"),
        ({"e": [1]}, "[a,\n b] # z", "[1] # z"),
        ({"e": {"k": [{"m": 1}]}}, "e: [a,\n b] # z\n", "e: # z\n  k:\n    - m: 1\n"),
        ({"c": "z"}, "|+\n  text", "z"),
        ({"f": 2}, "? f\n", "? f\n: 2\n"),
        ({"h": 3}, ": v\n", ": 3\n"),
        ({"q": "don't"}, "'it''s'", "'don''t'"),
        ({"g": "no"}, '"x\n  y"', '"no"'),
        ({"r": 1}, "*s", "1"),
        ({"iterations": []}, "iterations:\n- a\n-  hat: x # q\n   y: 1\n", "iterations: []\n"),
        ({"iterations": {"a": 1}}, "- a\n-  hat: x # q\n   y: 1\n", "  a: 1\n"),
        ({"iterations": ["a", {"hat": "x", "y": 1}, "b"]}, "   y: 1\n", "   y: 1\n- b\n"),
        ({"iterations": ["a", {"hat": "z"}, "b"]}, "-  hat: x # q\n   y: 1\n", "-  hat: z\n- b\n"),
        ({"new": "x", "also": [1]}, "# tail\n", "# tail\nnew: x\nalso: [1]\n"),
        ({"status": "active", "g": "x y"}, "", ""),
    ],
)
def test_only_the_value_changes(fields: dict[str, Any], gone: str, come: str) -> None:
    changed = set_values(EXOTIC, fields)
    assert changed == (EXOTIC.replace(gone, come, 1) if gone else EXOTIC)
    expected = compose(EXOTIC).values() | fields
    assert same(compose(changed).values(), expected)


def test_windows_line_ends_stay() -> None:
    text = EXOTIC.replace("\n", "\r\n")
    changed = set_values(text, {"status": "done", "empty": [{"a": 1}], "new": 1})
    assert changed.count("\n") == changed.count("\r\n")
    assert changed.startswith("# top\r\nstatus: done # c\r\nempty: # note\r\n  - a: 1\r\n")


@pytest.mark.parametrize(
    ("text", "fields", "result"),
    [
        ("", {"a": 1}, "a: 1\n"),
        ("# note", {"a": 1}, "# note\na: 1\n"),
        ("{}\n", {"a": 1}, "{a: 1}\n"),
        ('{"a":1,b: 2, c}\n', {"a": "x", "c": 3, "d": [4]}, '{d: [4], "a": x,b: 2, c: 3}\n'),
        ("  a: 1\n  b: 2\n", {"b": 3, "c": [{"k": 1}]}, "  a: 1\n  b: 3\n  c:\n    - k: 1\n"),
        ("a: 1\n...\n", {"b": 2}, "a: 1\nb: 2\n...\n"),
        ("a: |+\n  x\n\n", {"b": 2}, "a: |+\n  x\n\nb: 2\n"),
        ("a:\n  later # c\n", {"a": "b"}, "a: b # c\n"),
        ("a: # one\n  later # two\n", {"a": "b"}, "a: b # one # two\n"),
    ],
)
def test_unusual_shapes(text: str, fields: dict[str, Any], result: str) -> None:
    assert set_values(text, fields) == result


def test_a_record_that_says_the_same_keeps_its_further_keys() -> None:
    text = "iterations:\n  - hat: a\n    result: advanced # old\n    extra: 1\n    reason: null\n"
    worn = [{"hat": "a", "result": "advance", "reason": ""}, {"hat": "b", "result": "reject"}]
    changed = set_values(text, {"iterations": worn})
    assert changed == text + "  - hat: b\n    result: reject\n"


@pytest.mark.parametrize(
    ("text", "fields", "reason"),
    [
        ("a: [", {"a": 1}, "not valid YAML"),
        ("- a", {"a": 1}, "not a mapping"),
        ("a: &x 1\nb: *x\n", {"a": 2}, "holds an anchor"),
        ("a: 1\n", {"a": object()}, "nothing a plan file can hold"),
    ],
)
def test_what_can_not_be_changed_is_refused(text: str, fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        set_values(text, fields)


def dumped(value: object, *, flow: bool | None, quote: str | None) -> str:
    """As the library itself writes it, in one of its styles."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = flow
    yaml.default_style = quote  # type: ignore[assignment]  # the library's own annotation is narrower
    out = StringIO()
    yaml.dump({"value": value}, out)
    return out.getvalue().partition(":")[2].removesuffix("\n")


KEYS = ("alpha", "beta", "gamma", "delta", "status")
texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
scalars = st.none() | st.booleans() | st.integers(-999, 999) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
HAND_WRITTEN = st.sampled_from(
    [
        *(
            " one # c",
            "",
            " # c",
            " |\n  a\n\n  b",
            " >-\n  folded\n  text",
            " |+\n  keep\n",
            "\n- a # x\n-\n- b",
            "\n  k: v",
        ),
        *(
            " plain\n  over lines",
            ' "a\n  b"',
            " [a, # c\n  b]",
            " {a: 1}",
            "\n  - - a\n    - b",
            "\n  # c\n  later",
            " !!str 1",
        ),
        *(
            " &anchor x",
            "\n  - a: 1\n    b: 2\n  # between\n  - c",
            " 2026-01-01T00:00:00Z",
            " 'it''s'",
            "\n\n\n  deep: {x: y}",
        ),
    ]
)
styles = st.tuples(values, st.sampled_from([True, False]), st.sampled_from([None, None, '"', "'"]))
written = HAND_WRITTEN | styles.map(lambda way: dumped(way[0], flow=way[1], quote=way[2]))
comments = st.sampled_from(["", "", "# note\n", "\n", "\n # indented\n"])
chunks = st.lists(st.tuples(comments, written), min_size=5, max_size=5)


def accepted(text: str) -> bool:
    try:
        compose(text)
    except WireError:
        return False
    return True


@given(chunks=chunks, key=st.sampled_from(KEYS), value=values, crlf=st.booleans())
def test_every_byte_outside_the_value_stays(chunks: list[tuple[str, str]], key: str, value: Any, *, crlf: bool) -> None:
    """Whatever the library accepts: the text before the changed key and from the next key on is untouched."""
    parts = [f"{comment}{name}:{rest}\n" for name, (comment, rest) in zip(KEYS, chunks, strict=True)]
    if crlf:
        parts = [part.replace("\n", "\r\n") for part in parts]
    text, at = "".join(parts), KEYS.index(key)
    if not accepted(text):
        return
    changed = set_values(text, {key: value})
    before, after = "".join(parts[:at]) + parts[at].partition(f"{key}:")[0], "".join(parts[at + 1 :])
    assert changed.startswith(before)
    assert changed.endswith(after)
    assert compose(changed).values() == compose(text).values() | {key: value}


@given(chunks=chunks, value=values)
def test_every_byte_stays_when_a_key_is_new(chunks: list[tuple[str, str]], value: Any) -> None:
    text = "".join(f"{comment}{name}:{rest}\n" for name, (comment, rest) in zip(KEYS, chunks, strict=True))
    if not accepted(text):
        return
    changed = set_values(text, {"fresh": value})
    assert compose(changed).values() == compose(text).values() | {"fresh": value}
    lines = changed.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("fresh:"))
    assert changed.startswith(text) or text.startswith("".join(lines[:at]).rstrip("\n"))


SYNTAX = st.text(st.sampled_from(list("ab:-#?[]{},&*!|>'\"%@` \n\t\r~1.\\")), max_size=30)


@given(text=SYNTAX, value=values)
def test_any_text_is_changed_or_refused(text: str, value: Any) -> None:
    try:
        before = compose(text).values()
        changed = set_values(text, {"a": value})
    except WireError:
        return
    assert compose(changed).values() == before | {"a": value}
