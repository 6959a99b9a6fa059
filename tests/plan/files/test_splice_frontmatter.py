"""Markdown with frontmatter, taken apart and put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.plan.files.splice import new_page, read_mapping, read_page, set_fields


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("---\na: 1\n---\nbody\n", {"a": 1}, "body\n"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", {"a": 1}, "body\r\n"),
        ("\ufeff---\na: {b: 1}\n---", {"a": {"b": 1}}, ""),
        ("--- \na: 1\n---  \n\n---\nx", {"a": 1}, "\n---\nx"),
        ("---\n---\nbody", {}, "body"),
        ("---\na: |\n  ---\n---\n", {"a": "---\n"}, ""),
    ],
)
def test_a_page_is_read(text: str, fields: dict[str, object], body: str) -> None:
    page = read_page(text)
    assert (page.fields, page.body, page.problem) == (fields, body, "")
    assert set_fields(text, {"new": 1}).endswith(body)


def test_a_page_without_frontmatter_is_its_body() -> None:
    page = read_page("# Hat\n")
    assert not page.has_frontmatter
    assert page.body == "# Hat\n"
    assert set_fields("# Hat\n", {"a": 1}) == "---\na: 1\n---\n\n# Hat\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: 1\n", "frontmatter: never closed"),
        ("---\na: [\n---\n", "frontmatter: line 3: not valid YAML"),
        ("---\na: 1\na: 2\n---\n", "frontmatter: line 3: 'a' stands twice"),
        ("---\n- a\n---\n", "frontmatter: not a mapping"),
    ],
)
def test_a_broken_page_says_what_is_wrong(text: str, problem: str) -> None:
    assert read_page(text).problem.startswith(problem)
    with pytest.raises(WireError):
        set_fields(text, {"a": 1})


@given(st.text(max_size=80), st.sampled_from(["", "---\n", "\ufeff---\r\n"]), st.sampled_from(["", "\n---\n", "\n---"]))
def test_reading_never_raises(inner: str, head: str, tail: str) -> None:
    page = read_page(head + inner + tail)
    assert isinstance(page.fields, dict)


@given(st.dictionaries(st.sampled_from("abc"), st.text(max_size=20) | st.integers(0, 99)), st.text(max_size=40))
def test_a_new_page_is_read_back(fields: dict[str, object], body: str) -> None:
    page = read_page(new_page(fields, body))
    surrogates = any("\ud800" <= character <= "\udfff" for character in str(fields))
    assert surrogates or page.fields == fields
    assert page.body.strip("\r\n") == body.strip("\r\n")


def test_a_mapping_without_fences() -> None:
    assert read_mapping("a: 1\nb: {c: 2}\n") == {"a": 1, "b": {"c": 2}}
    with pytest.raises(WireError):
        read_mapping("[")
