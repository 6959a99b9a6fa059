from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.source.syntax import LANGUAGES, MAX_TEXT, parse

PYTHON = """\
import os

class Stack:
    @property
    def top(self):
        def inner():
            return 1
        return inner()

def push(item): pass
"""


def test_a_line_belongs_to_the_innermost_definition() -> None:
    tree = parse(PYTHON, "python")
    assert tree is not None
    names = [found.name if (found := tree.definition_at(line)) else "" for line in range(1, 12)]
    assert names == ["", "", "Stack", "top", "top", "inner", "inner", "top", "", "push", ""]
    assert tree.errors == ()
    assert tree.root.kind() == "module"


def test_the_same_text_is_parsed_once() -> None:
    assert parse(PYTHON, "python") is parse(PYTHON, "python")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("x = 1", "toml"),
        ("x = 1", ""),
        ("x = 1", "Python"),
        ("a" * (MAX_TEXT + 1), "python"),
        ("x = '\ud800'", "python"),
        ("a|" * 2_000, "bash"),
        ("a |\n" * 2_000, "bash"),
        ("<" * 2_000, "bash"),
        ("function a(b){return b}" * 2_000, "javascript"),
    ],
)
def test_what_can_not_be_parsed_is_none(text: str, language: str) -> None:
    assert parse(text, language) is None


def test_a_long_script_with_many_pipes_is_parsed() -> None:
    assert parse("ls | wc -l\n" * 2_000, "bash") is not None


def test_one_long_line_of_data_hides_nothing() -> None:
    tree = parse(f"KEY = '{'a' * 100_000}'\ndef f(): pass\n", "python")
    assert tree is not None
    assert [it.name for it in tree.definitions] == ["f"]


def test_definitions_inside_each_other_end_somewhere() -> None:
    tree = parse("function a() {\n" * 300 + "}\n" * 300, "javascript")
    assert tree is not None
    assert 20 < len(tree.definitions) < 300


def test_lines_that_can_not_be_followed_are_told() -> None:
    tree = parse("def a(): pass\n\n)(*&^ def def\n\ndef b(): pass\n", "python")
    assert tree is not None
    assert any(first <= 3 <= last for first, last in tree.errors)
    assert tree.definitions[0].name == "a"


def test_a_fragment_of_php_needs_no_opening_tag() -> None:
    tree = parse("function f($a) {\n  return $a;\n}\n", "php")
    assert tree is not None
    assert tree.errors == ()
    assert [(it.name, it.start, it.end) for it in tree.definitions] == [("f", 1, 3)]
    assert tree.offset == len("<?php ")


def test_a_page_with_php_is_left_alone() -> None:
    tree = parse("<p>hello</p>\n<?php function f() {} ?>\n", "php")
    assert tree is not None
    assert [(it.name, it.start) for it in tree.definitions] == [("f", 2)]


@pytest.mark.parametrize("language", ["html", "yaml", "json"])
def test_data_defines_nothing(language: str) -> None:
    tree = parse("{}", language)
    assert tree is not None
    assert tree.definitions == ()
    assert tree.imports == ()


@given(
    st.sampled_from(sorted(LANGUAGES)),
    st.text(alphabet=st.sampled_from("(){}[]<>:;=,.'\"\n\t #@*&|$ adefclsfunctiontype\0é"), max_size=120),
)
@settings(deadline=None)
def test_garbage_is_taken(language: str, text: str) -> None:
    tree = parse(text, language)
    if tree is None:
        return
    for found in tree.definitions:
        assert found.name
        assert 1 <= found.start <= found.end
    for imported in tree.imports:
        assert imported.module
        assert imported.line >= 1


@given(st.sampled_from(sorted(LANGUAGES)), st.integers(0, len(PYTHON)), st.integers(0, len(PYTHON)))
@settings(deadline=None, max_examples=40)
def test_half_code_is_taken(language: str, start: int, end: int) -> None:
    tree = parse(PYTHON[min(start, end) : max(start, end)], language)
    assert tree is not None
    assert isinstance(tree.definitions, tuple)
    assert isinstance(tree.errors, tuple)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("1 } #\n", "python"),
        ("1 } #\n", "ruby"),
        ("x() # p\n", "php"),
        ("1 x // p\n", "rust"),
        ("1 } // p\n", "java"),
    ],
)
def test_a_large_text_that_is_no_code_is_not_parsed(text: str, language: str) -> None:
    assert parse(text * 100_000, language) is None
    small = parse(text * 100, language)
    assert small is not None
    assert small.errors


def test_a_large_text_with_a_few_mistakes_is_parsed() -> None:
    tree = parse("def f():\n    return 1 }\n\n" + "def g():\n    return [1, 2]\n\n" * 10_000, "python")
    assert tree is not None
    assert len(tree.definitions) > 9_000
