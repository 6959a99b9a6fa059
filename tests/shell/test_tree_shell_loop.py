from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.tree import MAX_WORDS, keeps_its_value, literal_words
from leeboard.shell.understand import understand


def written(line: str) -> set[str]:
    return {touch.path for touch in understand(line, "/r").touches if touch.modifies}


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("for n in a b; ", ["a", "b"]),
        ("for n in a\n", ["a"]),
        ("for n in 'a b' x{1,2};", ["a b", "x1", "x2"]),
        ("for n in A=1 b;", ["A=1", "b"]),
        ("for n in $KNOWN;", ["known"]),
        ("for n in a $OTHER;", []),
        ("for n in *.md;", []),
        ("for n in $(ls) a;", []),
        ("for n in <(a);", []),
        ("for n in {1..9};", []),
        ("for n; ", []),
        ("for n in a > b;", []),
        ("select n in a;", []),
        (f"for n in {'a ' * MAX_WORDS};", ["a"] * MAX_WORDS),
        (f"for n in {'a ' * (MAX_WORDS + 1)};", []),
    ],
)
def test_words_are_told_all_or_none(head: str, words: list[str]) -> None:
    assert literal_words(head, {"KNOWN": "known"}.get, []) == words


@pytest.mark.parametrize(
    ("body", "keeps"),
    [
        ("do echo $n > ${n}.md; head -n 1 x; done", True),
        ("do f=$n; nn=2; done", True),
        *(
            (f"do {sets}; echo $n; done", False)
            for sets in ("n=b", "n+=b", "read n", "((n = 1))", "unset n", "env n=b a")
        ),
        *((f"do {sets}; echo $n; done", False) for sets in ("eval $x", ". ./x", "source x", "declare -n r=x", "IFS=_")),
        *((f"do {sets}; echo $n; done", False) for sets in ("printf -v $x a", "export $x", "let $x")),
    ],
)
def test_a_name_that_may_be_set_again_is_unknown(body: str, keeps: bool) -> None:  # noqa: FBT001 - a case of the table
    assert keeps_its_value("n", body) is keeps


@pytest.mark.parametrize(
    ("before", "is_known"),
    [
        *((line, True) for line in ("echo a", ". .venv/bin/activate", "while read -r l; do echo; done", "declare x=1")),
        *((line, False) for line in ("declare -n r=n", "trap 'n=b' DEBUG", ". ./x", "source x", "alias a=b", "IFS=_")),
        *(
            (line, False)
            for line in ('eval "$X"', "eval 'declare -n r=n'", "f() { IFS=_; }", "export IFS=_", "read IFS")
        ),
    ],
)
def test_what_went_before_may_bend_every_name(before: str, is_known: bool) -> None:  # noqa: FBT001 - a case of the table
    for loop in ("for n in a; do touch $n; done", "eval 'for n in a; do touch $n; done'"):
        assert ("/r/a" in written(f"{before}; {loop}")) is is_known


@pytest.mark.parametrize(
    ("line", "paths", "opaque"),
    [
        ("for n in a b; do echo $n > d/$n.md; done", {"/r/d/a.md", "/r/d/b.md"}, False),
        ("for n in a b\ndo\n  f=d/$n\n  touch $f\ndone", {"/r/d/a", "/r/d/b"}, False),
        ("for d in a b; do (cd $d && touch x); done; touch y", {"/r/a/x", "/r/b/x", "/r/y"}, False),
        ("for d in a b; do cd $d && touch x && cd ..; done; touch y", {"/r/a/x", "/r/b/x", "/r/y"}, False),
        ("for d in a b; do cd $d; touch x; done", {"/r/a/x"}, True),
        ("for a in 1 2; do for b in x y; do touch $a$b; done; done", {"/r/1x", "/r/1y", "/r/2x", "/r/2y"}, False),
        ("for n in a b; do touch $n; done; touch $n", {"/r/a", "/r/b"}, True),
        ("IFS=_; for n in a_b; do touch $n; done", set(), True),
        ("for n in $X; do touch $n; done", set(), True),
    ],
)
def test_a_body_is_read_for_each_word(line: str, paths: set[str], opaque: bool) -> None:  # noqa: FBT001 - a case of the table
    assert written(line) == paths
    assert understand(line, "/r").opaque is opaque


def test_loops_in_loops_end() -> None:
    deep = "".join(f"for n{at} in 1 2 3 4 5 6 7 8 9; do " for at in range(30))
    assert understand(f"{deep} touch $n1; {'done; ' * 30}", "/r").opaque
    assert understand("for i in 1 2 3 4 5 6 7 8 9; do touch $i; done; " * 80, "/r").opaque


@given(st.text(max_size=100), st.text(max_size=100))
def test_no_text_breaks_it(words: str, body: str) -> None:
    understand(f"for n in {words}; do {body} $n; done", "/r")
    literal_words(words, dict[str, str]().get, [])
