"""Texts that agents wrote, as a page shows them."""

from __future__ import annotations

import pytest

from leeboard.surfaces.web.rendering import (
    anchor,
    byte_size,
    cut,
    moment,
    render,
    rendered_markdown,
    sentence,
    since,
    visible,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("nul\x00", "nul\\x00"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("half\udcff", "half\ufffd"),
        ("line\n\ttab", "line\n\ttab"),
        ("ägypten 🚢", "ägypten 🚢"),
    ],
)
def test_what_nobody_sees_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("<img src=x onerror=alert(1)>", "<img"),
        ("![x](https://evil.example/x.png)", "<img"),
        ("[x](javascript:alert(1))", "<a"),
        ("[x](data:text/html,hello)", "<a"),
        ("[x](/p/key/i/slug/decide)", "href"),
        ("[x](//evil.example)", "href"),
        ("[x](https://ok.example \"onmouseover='x'\")", "title"),
        ("<a href='javascript:x'>y</a>", "<a"),
        ("<style>*{display:none}</style>", "<style"),
        ("<iframe src='https://evil.example'></iframe>", "<iframe"),
        ("\x00<scr\x00ipt>", "<scr"),
    ],
)
def test_markdown_keeps_nothing_but_reading(text: str, without: str) -> None:
    assert without not in rendered_markdown(text)


def test_markdown_of_people_reads_well() -> None:
    html = rendered_markdown("# Head\n\n- *one*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[web](https://ok.example)")
    for part in (
        "<h1>Head</h1>",
        "<em>one</em>",
        "<td>1</td>",
        'href="https://ok.example"',
        'rel="noopener noreferrer nofollow"',
    ):
        assert part in html
    assert rendered_markdown("<" * 200_000).startswith("<pre>&lt;")
    deep = rendered_markdown("> " * 5_000 + "deep")
    assert len(deep) < 200_000


def test_a_text_is_never_cut_silently() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("a" * 1_000_000, 10) == "aaaaaaaaaa … (999,990 more characters)"


def test_small_words() -> None:
    assert [byte_size(size) for size in (1, 2048, 3 << 20)] == ["1 bytes", "2.0 kB", "3.0 MB"]
    assert moment(0) == "never"
    assert since("no time") == "no time"
    assert anchor("unit-01 <b>ä</b>") == "unit-01-b-a-b-"
    assert sentence("opened at https://x.example/Org/Repo/pull/5; not on PATH").startswith(
        "Opened at https://x.example/Org"
    )
    assert "&lt;b&gt;" in render("error.html", {"status": 404, "text": "<b>\x1b"})
