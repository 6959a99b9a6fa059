from __future__ import annotations

import pytest

from leeboard.source.comment_run import without_long_runs
from leeboard.source.syntax import parse

BEFORE = "import os\nx = 1\n"
AFTER = "def f():\n    return 2\n"


@pytest.mark.parametrize(
    "padding",
    ["# padding\n", "#\n", "    # a\n  # b\n\n", "\\\n", "\\\n\n", "# é\r\n", "# a\n" * 300 + "y = 1\n"],
)
def test_padding_of_any_length_hides_no_code(padding: str) -> None:
    """Two megabytes less a little: the parser alone would need hours."""
    text = BEFORE + padding * (1_900_000 // len(padding)) + AFTER
    tree = parse(text, "python")
    assert tree is not None
    assert tree.text == text
    first = text[: -len(AFTER)].count("\n") + 1
    assert [(one.name, one.start, one.end) for one in tree.definitions] == [("f", first, first + 1)]
    assert tree.errors == ()


def test_every_character_keeps_its_place() -> None:
    text = BEFORE + "  # é\t\n" * 1_000 + AFTER
    blanked = without_long_runs(text, "python")
    assert blanked == BEFORE + " " * 6 + "\n" + (" " * 6 + "\n") * 999 + AFTER


@pytest.mark.parametrize(
    "text",
    [
        BEFORE + "# a licence of the usual length, at the top of a file that somebody wrote\n" * 60 + AFTER,
        BEFORE + "y = 1  # a\n" * 5_000,
        BEFORE + "x = [\n" + "1, # one\n" * 5_000 + "]\n",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert without_long_runs(text, "python") is text


def test_only_the_grammar_of_python_looks_ahead() -> None:
    text = "x = 1\n" + "# a\n" * 5_000
    assert without_long_runs(text, "ruby") is text
