from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces.cli.terminal_page import page_lines, styled

PAGE = """# Title

A paragraph that its editor
broke in two, with `code`, **weight** and [a link](other.md).

- one
  goes on
2. two

| name | what |
|---|---|
| `a` | b \\| c |

```
leeboard init   # as it is
```
"""
DOCS = sorted((Path(__file__).parents[3] / "docs").rglob("*.md"))


def shown(page: str) -> list[str]:
    return [(first.plain + rest.plain).rstrip() for first, rest in page_lines(page, 80)]


def test_a_page_is_laid_out() -> None:
    assert shown(PAGE) == [
        "Title",
        "",
        "A paragraph that its editor broke in two, with code, weight and a link (other.md).",
        "",
        "- one goes on",
        "2. two",
        "",
        "name  what",
        "a     b | c",
        "",
        "    leeboard init   # as it is",
    ]


def test_marks_become_styles() -> None:
    assert styled("**a** `b`").coloured() == "\x1b[1ma\x1b[0m \x1b[36mb\x1b[0m"


@given(st.text("#-*|`[]() a1.\n", max_size=80), st.integers(1, 120))
def test_no_text_raises(page: str, width: int) -> None:
    list(page_lines(page, width))


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_no_word_of_our_own_pages_is_lost(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    words = re.findall(r"\w+", "".join(line for line in page.splitlines(keepends=True) if "```" not in line))
    assert set(words) <= set(re.findall(r"\w+", "\n".join(shown(page))))
