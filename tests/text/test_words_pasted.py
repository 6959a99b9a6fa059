from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.words import separate

PASTED = [
    "> quoted mail",
    "    indented = code()",
    "\tindented with a tab",
    "+ added line",
    "-removed line",
    "@@ -1,3 +1,4 @@",
    "// a comment",
    "# a comment",
    "/* a comment */",
    "2024-01-02 12:00:00 WARN disk is full",
    "[12:00:01] started",
    "ERROR: it broke",
    "[INFO] it works",
    "Traceback (most recent call last):",
    '  File "src/a.py", line 3, in run',
    "    at run (src/a.js:3:4)",
    "ValueError: no such thing",
    "npm ERR! code 1",
    "$ make test",
    ">>> run()",
    '"key": "value",',
    '{"key": 1}',
    "<div class='x'>",
    "const x = 3",
    "from a import b",
    "result = compute(value)",
    "let it = be;",
    "E   assert 1 == 2",
    "Subject: the release",
]
OWN = [
    "Please fix the login",
    "- a bullet",
    "* another bullet",
    "  - a nested bullet",
    "1. a numbered one",
    "    - deeply nested bullet",
    "Fix it (but keep the name)",
    "Let the user choose a colour",
    "From now on use tabs",
    "Error handling is missing in src/a.py",
    "Note that it is slow",
]


@pytest.mark.parametrize("line", PASTED)
def test_machine_made_lines_are_pasted(line: str) -> None:
    assert separate(line) == ("", line)


@pytest.mark.parametrize("line", OWN)
def test_sentences_and_bullets_are_the_humans_own(line: str) -> None:
    assert separate(line) == (line, "")


def test_a_fenced_block_is_pasted_whole_and_may_stay_open() -> None:
    own, pasted = separate("Fix this:\n```py\nnot a sentence\n\nstill inside\n```\nThen stop\n~~~\nto the end")
    assert own.split("\n") == ["Fix this:", "", "", "", "", "", "Then stop", "", ""]
    assert "still inside" in pasted
    assert "to the end" in pasted


def test_removed_lines_of_a_diff_are_no_bullets() -> None:
    own, _pasted = separate("Apply this\n\n--- a/x\n+++ b/x\n- old line\n+ new line\n\n- a bullet")
    assert own.split() == ["Apply", "this", "-", "a", "bullet"]


def test_a_comment_goes_on_until_it_ends() -> None:
    own, _pasted = separate("/* do not\nedit this\nfile */\nFix it")
    assert own.split("\n")[-1] == "Fix it"
    assert "edit this" not in own


@given(st.text(max_size=400))
def test_no_line_is_lost_and_none_is_in_both(text: str) -> None:
    own, pasted = separate(text)
    lines = text.splitlines()
    pairs = list(zip(own.split("\n"), pasted.split("\n"), strict=True))
    assert [mine or theirs for mine, theirs in pairs][: len(lines)] == lines
    assert all(not (mine and theirs) for mine, theirs in pairs)
