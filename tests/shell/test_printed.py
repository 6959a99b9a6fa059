"""What a program prints, told from its words alone."""

from __future__ import annotations

import pytest

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.printed import body_of, printed


@pytest.mark.parametrize(
    ("words", "handed", "expected"),
    [
        (["echo", "a", "b"], None, "a b\n"),
        (["echo", "-e", "a\\nb"], None, "a\nb\n"),
        (["printf", "%s\\n", "a", "b"], None, "a\nb\n"),
        (["printf", "%s-%s", "a", "b"], None, "a-b"),
        (["cat"], "text", "text"),
        (["tee", "x"], "text", "text"),
        (["cat", "file"], "text", None),
        (["cat"], None, None),
        (["printf", "-v", "x", "a"], None, None),
        (["ls"], None, None),
        ([], None, None),
    ],
)
def test_it_prints_what_its_words_say(words: list[str], handed: str | None, expected: str | None) -> None:
    assert printed(words, handed) == expected


def test_what_a_here_document_runs_is_no_part_of_it() -> None:
    assert body_of(f"a\nb\n{UNKNOWN}") == "a\nb\n"
    assert body_of("a") == "a"
