from __future__ import annotations

import pytest

from leeboard.secrets.literal import bare_at, quoted_at, wrapped_at


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"abc"', "abc"),
        ("'a\"c'", 'a"c'),
        ("`abc`", "abc"),
        ('b"abc"', "abc"),
        ('@"abc"', "abc"),
        ('\\"abc\\"', "abc"),
        ("&quot;abc&quot;", "abc"),
        ('"abc\\n"', "abc"),
        ('b64decode("abc")', "abc"),
        ('new String("abc")', "abc"),
        ('[]byte("abc")', "abc"),
        ('os.getenv("X", "abc")', "abc"),
        ('process.env.X || "abc"', "abc"),
        ("${X:-abc}", "abc"),
    ],
)
def test_a_literal_and_what_is_around_it(text: str, value: str) -> None:
    read = wrapped_at(text, 0)
    assert read is not None
    assert read.value == value
    assert text[read.start :].startswith(value)


@pytest.mark.parametrize("text", ["abc", 'get_token("abc")', '"open', "", "os.environ['X']"])
def test_no_literal(text: str) -> None:
    assert wrapped_at(text, 0) is None


def test_bare_words() -> None:
    for text, expected in (("abc, x", "abc"), ("abc;", "abc"), ("a", None)):
        read = bare_at(text, 0)
        assert (read.value if read else None) == expected
    inside, line = bare_at("a:b}c", 0, in_string=True), bare_at("a,b c", 0, to_line_end=True)
    assert inside is not None
    assert inside.value == "a:b"
    assert line is not None
    assert line.value == "a,b"
    assert quoted_at("x", 0) is None
