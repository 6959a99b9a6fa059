from __future__ import annotations

import re

import pytest

from leeboard.secrets.provider import literal_of, prefix_of, source_of


@pytest.mark.parametrize(
    ("shape", "fits", "fails"),
    [
        ("ab_<h4>", "ab_0f9e", "ab_0g9e"),
        (r"x\.<w2-4>", "x.a-", "xya-"),
        ("<uuid>:fx", "0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a:fx", "0a0a:fx"),
        ("<d2><u2><l2><a2><b2><x2>", "12A1b2cD+/fF", "12a1b2cD+/fF"),
    ],
)
def test_a_shape_is_a_pattern(shape: str, fits: str, fails: str) -> None:
    pattern = re.compile(source_of(shape))
    assert pattern.fullmatch(fits)
    assert not pattern.fullmatch(fails)


@pytest.mark.parametrize(
    ("shape", "prefix"),
    [("ghp_<a36>", "ghp_"), (r"dp\.pt\.<a4>", "dp.pt."), ("xox[pe]-", "xox"), ("fio?x", "fi"), ("<a3>7Q~", "")],
)
def test_what_a_shape_begins_with(shape: str, prefix: str) -> None:
    assert prefix_of(shape) == prefix


@pytest.mark.parametrize(("shape", "literal"), [("<a3>7Q~[ab]{3}", "7Q~"), (r"<a9>\.atlas\.(?:x)?<w3>", ".atlas.")])
def test_what_a_shape_has_inside(shape: str, literal: str) -> None:
    assert literal_of(shape) == literal
