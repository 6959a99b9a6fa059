"""Any YAML is read with its places, or refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.plan.files.yaml import LONGEST, compose


def test_places_are_those_of_the_values() -> None:
    text = "# top\na: &x one # c\nb:\n- 1\n-\nc: |+\n  t\n\nd: *x\ne:\n"
    document = compose(text)
    written = {entry.key: text[entry.node.start : entry.node.end] for entry in document.entries}
    assert written == {"a": "&x one", "b": "- 1\n-", "c": "|+\n  t", "d": "*x", "e": ""}
    assert document.values() == {"a": "one", "b": [1, None], "c": "t\n\n", "d": "one", "e": None}
    assert [entry.colon > 0 for entry in document.entries] == [True] * 5


def test_times_stay_text_and_tags_are_no_code() -> None:
    text = "a: 2026-04-16T10:00:00Z\nb: !!python/object:os.system x\nc: !!str 1\nd: !!timestamp 2026-01-01\n"
    assert compose(text).values() == {"a": "2026-04-16T10:00:00Z", "b": "x", "c": "1", "d": "2026-01-01"}


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "~", "null\n"])
def test_nothing_is_an_empty_mapping(text: str) -> None:
    assert compose(text).values() == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [1", "line 3: not valid YAML"),
        ("a: 1\na: 2", "line 4: 'a' stands twice"),
        ("- a", "not a mapping"),
        ("a: 1\n---\nb: 2", "more than one"),
        ("a: *b", "names nothing"),
        ("a: &a [*a]", "names nothing"),
        ("[a]: 1", "a key is no text"),
        ("a: " + "[" * 5_000, "deeper"),
        ("a: " + "- " * 100 + "x", "not valid YAML"),
        ("a: b\x00c", "not valid YAML"),
        ("x" * (LONGEST + 1), "longer"),
    ],
)
def test_what_can_not_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        compose(text, first_line=3)


def test_aliases_do_not_explode() -> None:
    levels = "\n".join(f"k{n}: &k{n} [" + ", ".join([f"*k{n - 1}"] * 9) + "]" for n in range(1, 12))
    with pytest.raises(WireError, match="more than"):
        compose("k0: &k0 [x]\n" + levels)


@given(st.text(st.sampled_from(list("ab:-#?[]{},&*!|>'\"%@` \n\t\r~1.\\\x00\ufeff")), max_size=40))
def test_garbage_is_read_or_refused(text: str) -> None:
    try:
        document = compose(text)
    except WireError:
        return
    for entry in document.entries:
        assert 0 <= entry.node.start <= entry.node.end <= len(text)
