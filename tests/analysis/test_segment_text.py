from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.segment import Piece, pieces_of


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
        ("Index: speeds it up.\n- first\n- second", [("PLAN", "Index: speeds it up.\n- first\n- second", "")]),
        ("Index: a.py\n=====================\n+x\nDone.", [("DIFF", "Index: a.py\n=====================\n+x", ""), ("PLAN", "Done.", "")]),
        ("The parts\n--- \nFirst the parser.", [("PLAN", "The parts\n--- \nFirst the parser.", "")]),
        ("Plan:\n- [ ] one\n- [x] two\n```\nx\n```", [("PLAN", "Plan:\n- [ ] one\n- [x] two", "")]),
        ("Update: the parser\n✗ old one\nError: it failed.\n> said\n```\nx\n```", [("PLAN", "Update: the parser\n✗ old one\nError: it failed.\n> said", "")]),
        ("a\n```py\nx\n```\nb", [("PLAN", "a", ""), ("PLAN", "b", "")]),
        ("a\n~~~\nx\n```\ny\n~~~\nb", [("PLAN", "a", ""), ("PLAN", "b", "")]),
        ("a\n````\n```\nx\n```\n````\nb", [("PLAN", "a", ""), ("PLAN", "b", "")]),
        ("a\n```\nnever closed", [("PLAN", "a", "")]),
        ("inline `x` stays", [("PLAN", "inline `x` stays", "")]),
        ("", []),
    ],
)  # fmt: skip
def test_a_text_is_split(text: str, pieces: list[Piece]) -> None:
    assert list(pieces_of(text)) == pieces


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
                "Traceback (most recent call last):",
                "  File",
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
