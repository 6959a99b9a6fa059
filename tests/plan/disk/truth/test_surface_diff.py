from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.disk.truth.surface import MOST_CHARACTERS, MOST_LINES, unified


def test_a_change_is_shown_as_people_read_it() -> None:
    shown = unified("a\nb\nc\n", "a\nB\nc\n", "knowledge/x.md")
    assert shown == "--- a/knowledge/x.md\n+++ b/knowledge/x.md\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"


def test_a_new_text_is_shown_whole() -> None:
    assert unified("", "a\nb\n", "x").endswith("@@ -0,0 +1,2 @@\n+a\n+b\n")


def test_it_is_cut_and_says_so() -> None:
    shown = unified("", "".join(f"{number}\n" for number in range(1000)), "x")
    assert len(shown.splitlines()) == MOST_LINES + 1
    assert "cut after 200 lines" in shown


def test_much_against_much_is_not_compared() -> None:
    """Comparing 4,000 lines with 4,000 others would take minutes."""
    old = "same\n" + "".join(f"old {number}\n" for number in range(4000)) + "end\n"
    new = "same\n" + "".join(f"new {number}\n" for number in range(4000)) + "end\n"
    shown = unified(old, new, "x").splitlines()
    assert shown[0].startswith("@@ -2,4000 +2,4000 @@")
    assert {"-old 0", "+new 0"} <= set(shown)


def test_no_secret_is_shown() -> None:
    key = "ghp_" + "q7Zk2Wm9Tx4Rb8Nc3Vd6Hf1Jg5Ls0PaYeUi"
    assert key not in unified("", f"token = {key}\n", "x")


@given(st.text(), st.text())
def test_whatever_is_compared(before: str, after: str) -> None:
    assert len(unified(before, after, "x")) <= MOST_CHARACTERS
