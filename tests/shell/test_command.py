from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.shell.command import Simple, split
from leeboard.shell.expansion import BETWEEN, HERE, HOME, KEPT, UNKNOWN

VARIABLES = {"F": "a.txt", "S": "a b", "G": "*.py"}


def words(text: str) -> list[str]:
    simple = split(text, VARIABLES.get, [])
    assert simple is not None
    return simple.words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\tc", ["a", "b", "c"]),
        ("a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]),
        ("a'b'\"c\"d", ["abcd"]),
        ("a '' \"\"", ["a", "", ""]),
        ("a \\\n b", ["a", "b"]),
        ("a # b", ["a"]),
        ("a#b", ["a#b"]),
        ('"\\"\\a\\$"', ['"\\a$']),
        ("$F ${F} \"$F.x\" '$F'", ["a.txt", "a.txt", "a.txt.x", "$F"]),
        ('$S "$S"', ["a", "b", "a b"]),
        ('x$S-$S"$S" IFS=$S', ["xa", "b-a", "ba b", "IFS=a", "b"]),
        ('$G "$G"', [UNKNOWN, "*.py"]),
        ("$U a$1 ${U:-x} $(x y) `x y` $((1 + 2))", [UNKNOWN, "a" + UNKNOWN, *[UNKNOWN] * 4]),
        ("*.c ? [ab] [ x ]", [UNKNOWN + ".c", UNKNOWN, UNKNOWN + "ab]", "[", "x", "]"]),
        ("~ ~/x a~ of=~/x --o=~/x", [HOME, HOME + "/x", "a~", "of=" + HOME + "/x", "--o=~/x"]),
        ("$'a\\n\\x41\\''", ["a\nA'"]),
        ("{} {a} a,b {a,b}c {a,{b,c}}", ["{}", "{a}", "a,b", "ac", "bc", "a", "b", "c"]),
    ],
)
def test_words_are_what_bash_makes_of_them(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ["a; b", "a && b", "a | b", "a\nb", "(a)", "f()", "a &", "'a", '"a', "$(a", "a <<E", "a >"]
)
def test_more_than_one_command_or_less_is_refused(text: str) -> None:
    assert split(text, VARIABLES.get, []) is None


def test_assignments_and_redirections_stand_apart() -> None:
    assert split('A=1 B="$F" C=(x y) cmd D=2 3>f <g 2>&1 x&>h <<< hi', VARIABLES.get, []) == Simple(
        [("A", "1"), ("B", "a.txt"), ("C[@]", f"x{BETWEEN}y"), ("C", UNKNOWN)],
        ["cmd", "D=2", "x"],
        [(">", "f"), ("<", "g"), (">&", "1"), ("&>", "h"), ("<<<", "hi")],
    )


def test_what_was_taken_out_is_put_back() -> None:
    text = f"a '{KEPT}0{KEPT}' <'{HERE}'\"{KEPT}1{KEPT}\""
    assert split(text, VARIABLES.get, ["it's", "x $F"]) == Simple([], ["a", "it's"], [("<<<", "x a.txt")])


@settings(deadline=None)
@given(st.lists(st.text(alphabet=st.characters(min_codepoint=32, exclude_characters="'")), min_size=1))
def test_single_quotes_keep_everything(texts: list[str]) -> None:
    simple = split(" ".join(f"'{text}'" for text in texts), VARIABLES.get, [])
    assert simple is not None
    assert simple.words == texts
