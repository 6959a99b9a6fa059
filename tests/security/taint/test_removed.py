"""What taking something out of a text makes it harmless for."""

from __future__ import annotations

import pytest

from leeboard.security.taint.removed import LINES, PATHS, without_pattern, without_text
from leeboard.security.taint.table import Kind


@pytest.mark.parametrize(
    ("text", "kind"), [("..", "path"), ("../", "upload"), ("'", "sql"), (";", "command"), ("\n", "log"), ("<", "html")]
)
def test_texts(text: str, kind: Kind) -> None:
    assert kind in without_text(text)


def test_others_help_nothing() -> None:
    assert without_text("x") == frozenset()
    assert without_pattern(r"\s+") == frozenset()


@pytest.mark.parametrize("pattern", ["[^a-z0-9]", r"\W+", r"[^\w]", r"[^A-Za-z0-9_\-]+"])
def test_only_named_letters_are_left(pattern: str) -> None:
    assert without_pattern(pattern) is None


@pytest.mark.parametrize("pattern", [r"[^\w\s.-]", r"[^a-zA-Z0-9.\s-]", r"[^\w\s-]"])
def test_blanks_and_lines_that_stay_add_words_to_a_command(pattern: str) -> None:
    left = without_pattern(pattern) or frozenset()
    assert not left & {"command", "sql", "code", "log"}
    assert "html" in left


@pytest.mark.parametrize("pattern", [r"[^\w.-]", "[^a-z0-9.]"])
def test_letters_and_dots_make_no_command(pattern: str) -> None:
    left = without_pattern(pattern) or frozenset()
    assert {"command", "sql", "code"} <= left
    assert "path" not in left


def test_lines_and_dots() -> None:
    assert without_pattern(r"[\r\n]") == LINES
    assert without_pattern(r"\.\./") == PATHS
    assert "html" in (without_pattern("<[^>]*>") or ())


@pytest.mark.parametrize("pattern", ["<script.*?>.*?</script>", r"<\s*/?\s*script", "<(?:script|style)[^>]*>"])
def test_without_one_tag_there_are_the_others(pattern: str) -> None:
    assert "html" not in (without_pattern(pattern) or ())
