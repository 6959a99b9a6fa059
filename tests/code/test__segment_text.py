from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.code._segment_text import Piece, pieces_of, without_fences


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("I will look at it first.\n\nThen I fix it.", [("PLAN", "I will look at it first.\n\nThen I fix it.", "")]),
        ("```diff\n--- a/x.py\n+++ b/x.py\n+z\n```", [("DIFF", "--- a/x.py\n+++ b/x.py\n+z", "x.py")]),
        ("diff --git a/q.py b/q.py\n@@ -1 +1 @@\n-x\n+y\n\nDone.", [("DIFF", "diff --git a/q.py b/q.py\n@@ -1 +1 @@\n-x\n+y", "q.py"), ("PLAN", "Done.", "")]),
        ("--- old.py\n+++ new.py\n@@ -1 +1 @@\n+y", [("DIFF", "--- old.py\n+++ new.py\n@@ -1 +1 @@\n+y", "new.py")]),
        ("*** Begin Patch\n*** Update File: a.py\n+x\n*** End Patch", [("DIFF", "*** Begin Patch\n*** Update File: a.py\n+x\n*** End Patch", "a.py")]),
        ("In `src/a.py`:\n```python\nx = 1\n```", [("PLAN", "In `src/a.py`:", ""), ("DIFF", "x = 1", "src/a.py")]),
        ("I'll add this:\n\n```python\nx = 1\n```", [("PLAN", "I'll add this:", ""), ("DIFF", "x = 1", "")]),
        ("```python:src/b.py\nx = 1\n```", [("DIFF", "x = 1", "src/b.py")]),
        ("The idea:\n```python\nfrom_scratch()\n```\nGood.", [("PLAN", "The idea:", ""), ("PLAN", "Good.", "")]),
        ("src/a.py currently reads:\n```python\nx = 1\n```", [("PLAN", "src/a.py currently reads:", "")]),
        ("It says:\n```\nTraceback (most recent call last):\nValueError: x\n```", [("PLAN", "It says:", ""), ("ERROR", "Traceback (most recent call last):\nValueError: x", "")]),
        (
            'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x\nI see.',
            [("ERROR", 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x', ""), ("PLAN", "I see.", "")],
        ),
        ("FAILED tests/a.py::b\n\nLet me look.", [("ERROR", "FAILED tests/a.py::b", ""), ("PLAN", "Let me look.", "")]),
        ("Plan:\n- [ ] one\n- [x] two\n- three", [("PLAN", "Plan:", ""), ("TODO", "- [ ] one\n- [x] two", ""), ("PLAN", "- three", "")]),
        ("⏺ Read(src/a.py)", [("TOOL", "⏺ Read(src/a.py)", "src/a.py")]),
        ("● Bash(pytest -q)\n$ ls -la", [("TOOL", "● Bash(pytest -q)", ""), ("TOOL", "$ ls -la", "")]),
        ("[tool] Grep: parse_token", [("TOOL", "[tool] Grep: parse_token", "")]),
        ("⏺ Edit(src/a.py)", [("DIFF", "⏺ Edit(src/a.py)", "src/a.py")]),
        ("Read the file first. Write: later.", [("PLAN", "Read the file first. Write: later.", "")]),
        ("> fix it from scratch\nSure.", [("PLAN", "Sure.", "")]),
        ("User: from scratch please\nand more\nAssistant: Fine.", [("PLAN", "Assistant: Fine.", "")]),
        ("User: is a class here.", [("PLAN", "User: is a class here.", "")]),
        ("", []),
    ],
)  # fmt: skip
def test_a_text_is_split(text: str, pieces: list[Piece]) -> None:
    assert list(pieces_of(text)) == pieces


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a\n```py\nx\n```\nb", "a\nb"),
        ("a\n~~~\nx\n```\ny\n~~~\nb", "a\nb"),
        ("a\n````\n```\nx\n```\n````\nb", "a\nb"),
        ("a\n```\nnever closed", "a"),
        ("inline `x` stays", "inline `x` stays"),
    ],
)
def test_fenced_code_is_taken_out(text: str, rest: str) -> None:
    assert without_fences(text) == rest


@given(
    st.lists(
        st.sampled_from(
            [
                "```",
                "~~~py",
                "--- a/x",
                "+++ b/x",
                "+y",
                "- [ ] a",
                "",
                "User: x",
                "Agent: y",
                "> q",
                "Read(a.py)",
                "FAILED x",
                "prose",
            ]
        )
    ).map("\n".join)
)
def test_no_line_is_made_up_and_none_is_told_twice(text: str) -> None:
    pieces = list(pieces_of(text))
    told = [line for _kind, body, _path in pieces for line in body.split("\n")]
    assert len(told) <= len(text.split("\n"))
    assert all(line in text for line in told)
    assert all(body.strip() for _kind, body, _path in pieces)
