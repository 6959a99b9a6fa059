from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.settings.decisions.suppression import suppressions_in


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "x = 1  # leeboard: allow LB-B201 built by us"),
        ("a.js", "x = 1 // leeboard: allow injection: built by us"),
        ("a.go", "x := 1 /* leeboard: allow LB-B201 -- built by us */"),
        ("a.php", "$x = 1; # leeboard: allow LB-B201 built by us"),
        ("a.sql", "select 1 -- leeboard: allow LB-B201 built by us"),
        ("a.html", "<b>x</b> <!-- leeboard: allow LB-B201 built by us -->"),
        ("a.erb", "<%= x %> <%# leeboard: allow LB-B201 built by us %>"),
        ("a.j2", "{{ x }} {# leeboard: allow LB-B201 built by us #}"),
        ("a.cshtml", "@x @* leeboard: allow LB-B201 built by us *@"),
        ("a.blade.php", "{{ $x }} // leeboard: allow LB-B201 built by us"),
        ("b.blade.php", "{!! $x !!} {{-- leeboard: allow LB-B201 built by us --}}"),
        ("a.jsx", "<b>{x}</b> {/* leeboard: allow LB-B201 built by us */}"),
        ("a.graphql", "{ x } # leeboard: allow LB-B201 built by us"),
        ("a.hs", "x = 1 {- leeboard: allow LB-B201 built by us -}"),
        ("a.ml", "let x = 1 (* leeboard: allow LB-B201 built by us *)"),
        ("a.lisp", "(x) ; leeboard: allow LB-B201 built by us"),
        ("a.tex", "x % leeboard: allow LB-B201 built by us"),
        ("a.vb", "x = 1 ' leeboard: allow LB-B201 built by us"),
        ("Makefile", "x = 1 # leeboard: allow LB-B201 built by us"),
        ("a.rs", "//! leeboard: allow LB-B201 built by us"),
        ("a.lua", "x = 1 --[[ leeboard: allow LB-B201 built by us ]]"),
        ("a.jinja", "{{ x }} {#- leeboard: allow LB-B201 built by us -#}"),
        ("a.liquid", "{{ x }} {% comment %} leeboard: allow LB-B201 built by us {% endcomment %}"),
        ("a.haml", "= x / leeboard: allow LB-B201 built by us"),
        ("a.cfg", "x = 1 ; leeboard: allow LB-B201 built by us"),
        ("a.properties", "! leeboard: allow LB-B201 built by us"),
        ("a.ps1", "x = 1 <# leeboard: allow LB-B201 built by us #>"),
        ("a.jl", "x = 1 #= leeboard: allow LB-B201 built by us =#"),
        ("a.nix", "x = 1; /* leeboard: allow LB-B201 built by us */"),
        ("a.m", "x = 1 % leeboard: allow LB-B201 built by us"),
    ],
)
def test_every_language_has_its_comment(path: str, line: str) -> None:
    (found,) = suppressions_in(f"a\n{line}\nb\n", path)
    assert (found.line, found.covers[0], found.rules, found.reason, found.problem) == (
        2,
        2,
        ("injection",),
        "built by us",
        "",
    )


def test_on_a_line_of_its_own_it_stands_above_the_finding() -> None:
    text = "/*\n * leeboard: allow LB-B201, weak_crypto both are old\n */\n// more words\nrun(x)\nrun(y)\n"
    (found,) = suppressions_in(text, "a.js")
    assert (found.covers, found.rules) == ((2, 3, 5), ("injection", "weak_crypto"))


@pytest.mark.parametrize(
    ("path", "above", "below"),
    [
        ("a.jsx", "{/* leeboard: allow LB-B201 built by us */}", "<p dangerouslySetInnerHTML={{ __html: x }} />"),
        ("a.go", "// leeboard: allow LB-B201 built by us", "*out = query(x)"),
        ("a.css", "/* leeboard: allow LB-B101 a test's */", "/* key: abc */"),
        ("a.slim", "/ leeboard: allow LB-B201 built by us", "p == x"),
        ("a.erb", "<%-# leeboard: allow LB-B201 built by us %>", "<%= raw x %>"),
        ("a.ftl", "<#-- leeboard: allow LB-B201 built by us -->", "${x?no_esc}"),
        ("a.bat", "@rem leeboard: allow LB-B101 a test's", "set KEY=abc"),
        ("a.unheardof", "# leeboard: allow LB-B201 built by us", "{ x }"),
    ],
)
def test_a_line_that_begins_like_a_comment_may_stand_too(path: str, above: str, below: str) -> None:
    (found,) = suppressions_in(f"a\n  {above}\n  {below}\nb\n", path)
    assert 3 in found.covers


def test_marks_before_the_first_line_hide_no_comment() -> None:
    (found,) = suppressions_in("\ufeff# leeboard: allow LB-B201 built by us\nrun(x)\n", "a.py")
    assert found.covers == (1, 2)


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("# leeboard: allow", "it names no known rule"),
        ("# leeboard: allow LB-X999 why", "it names no known rule"),
        ("# leeboard: allow everything here", "it names no known rule"),
        ("# leeboard: allow LB-B201", "it gives no reason"),
        ("# leeboard: allow LB-B201 --", "it gives no reason"),
    ],
)
def test_without_rule_or_reason_it_lets_nothing_stand(comment: str, problem: str) -> None:
    (found,) = suppressions_in(f"x = 1  {comment}\n", "a.py")
    assert (found.problem, found.covers) == (problem, ())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "print('leeboard: allow LB-B201 no comment')"),
        ("a.py", "x = 1 // leeboard: allow LB-B201 of another language"),
        ("a.json", '{"a": 1} // leeboard: allow LB-B201 json has none'),
    ],
)
def test_what_is_no_comment_says_nothing(path: str, text: str) -> None:
    assert suppressions_in(text, path) == ()


@given(st.text(alphabet="# leboard:alowLB-B201*/\n\t\0"), st.sampled_from(["a.py", "a.c", "a", "a.html"]))
def test_any_text_can_be_read(text: str, path: str) -> None:
    for found in suppressions_in(f"# leeboard: allow{text}", path):
        assert found.problem or (found.rules and found.reason)
