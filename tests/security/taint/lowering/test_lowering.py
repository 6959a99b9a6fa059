"""The walk that all lowerings share."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.javascript import lower
from leeboard.security.taint.lowering.lowering import attribute, is_written, unescaped
from leeboard.source.syntax import parse

LANGUAGES = ("javascript", "typescript", "tsx", "go", "c", "cpp", "java", "php", "ruby", "rust", "csharp", "kotlin")
PIECES = (
    "function f(a) {",
    "if (!a) return;",
    "exec('x' + a)",
    "}",
    ")",
    "(",
    "=>",
    "x = `a ${b}`",
    "def f(a)",
    "end",
    "\x00",
    "é",
    ";",
)


@given(st.sampled_from(LANGUAGES), st.lists(st.sampled_from(PIECES), max_size=12))
@settings(max_examples=150, deadline=None)
def test_half_code_never_raises(language: str, pieces: list[str]) -> None:
    tree = parse("\n".join(pieces), language)
    if tree is not None:
        find_flows(tree)


@pytest.mark.parametrize("language", LANGUAGES)
def test_deep_nesting_ends(language: str) -> None:
    tree = parse("f(" * 400 + ")" * 400, language)
    if tree is not None:
        find_flows(tree)


def test_a_long_concatenation_is_one_text() -> None:
    tree = parse("x = " + " + ".join(f"a{number}" for number in range(300)), "javascript")
    assert tree is not None
    (assign,) = lower(tree).body
    assert isinstance(assign, ir.Assign)
    assert isinstance(assign.value, ir.Join)
    assert len(assign.value.parts) == 300


def test_what_a_machine_wrote_is_not_followed() -> None:
    assert is_written("f(x)\n" * 5_000)
    assert not is_written("f(x);" * 5_000)


def test_small_parts() -> None:
    assert ir.dotted(attribute(1, "a.b.c")) == "a.b.c"
    assert unescaped(r"a\nb\'c\\d") == "a\nb'c\\d"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            """@RestController class A{@GetMapping("/")fun r(@RequestParam x:String){Runtime.getRuntime().exec(x)}}\n""",
            "kotlin",
        ),
        ("const {exec}=require('child_process');app.get('/',(q,s)=>{exec(q.query.x)})\n", "javascript"),
    ],
)
def test_a_very_long_line_takes_nothing_from_those_above_it(text: str, language: str) -> None:
    """Where a node lies costs as much as its line is long: of such a line only the beginning is walked."""
    tree = parse(text + "a+" * 500_000 + "a\n", language)
    assert tree is not None
    assert [flow.sink_line for flow in find_flows(tree)] == [1]
