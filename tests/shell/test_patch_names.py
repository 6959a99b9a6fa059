from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.patch import changed_names


@pytest.mark.parametrize(
    ("text", "strip", "names"),
    [
        ("--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n", 1, ["src/a.py"]),
        ("--- a/src/a.py\t2026-01-01\r\n+++ b/src/a.py\t2026-01-01\r\n", 1, ["src/a.py"]),
        ("--- src/a.py 2026-01-01 10:00\n+++ src/a.py 2026-01-01 10:00\n", 0, ["src/a.py"]),
        ("--- /dev/null\n+++ b/new file.py\n", 1, ["new file.py"]),
        ("*** a/x.c\n--- b/x.c\n***************\n*** 1,3 ****\n--- 1,3 ----\n", 1, ["x.c"]),
        ("  --- a/.haiku/settings.yml\n  +++ b/.haiku/settings.yml\n", 1, [".haiku/settings.yml"]),
        ("diff --git a/x.png b/x.png\nindex 1..2\nGIT binary patch\n", 1, ["x.png"]),
        ("--- a/src/a.py\n+++ b/src/a.py\n", None, ["a/src/a.py", "a.py", "b/src/a.py"]),
        ('--- "a/\\303\\244"\n', 1, None),
        ('diff --git a/x "b/\\303"\n', 1, None),
        ("1d\n.\n", 1, None),
        ("", 1, None),
    ],
)
def test_names(text: str, strip: int | None, names: list[str] | None) -> None:
    assert changed_names(text, strip) == names


def test_both_sides_of_a_rename() -> None:
    text = "diff --git a/x.md b/.haiku/settings.yml\nrename from x.md\nrename to .haiku/settings.yml\n"
    assert {"x.md", ".haiku/settings.yml"} <= {*(changed_names(text, 1) or ())}


@given(st.text(max_size=200), st.integers(0, 3))
def test_it_reads_anything(text: str, strip: int) -> None:
    changed_names(f"--- {text}", strip)
