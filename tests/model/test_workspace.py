"""Each path has one spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.workspace import Workspace

PLACE = Workspace("/repo")


@pytest.mark.parametrize(
    ("path", "cwd", "spelled"),
    [
        ("src/a.py", "", "src/a.py"),
        ("/repo/src/a.py", "", "src/a.py"),
        ("a.py", "/repo/src", "src/a.py"),
        ("../b/a.py", "/repo/src", "b/a.py"),
        ("./src//a.py", "", "src/a.py"),
        ("/repo", "", "."),
        ("/repository/a.py", "", "/repository/a.py"),
        ("../../etc/passwd", "/repo/src", "/etc/passwd"),
        ("~/notes.md", "", "~/notes.md"),
        ("src\\win\\a.py", "", "src/win/a.py"),
        ("C:\\work\\a.py", "", "C:/work/a.py"),
        ("src/a\x00.py", "", "src/a.py"),
    ],
)
def test_spells(path: str, cwd: str, spelled: str) -> None:
    assert PLACE.spell(path, cwd) == spelled


def test_a_root_with_a_slash_is_the_same_root() -> None:
    assert Workspace("/repo/").spell("/repo/src/a.py") == "src/a.py"


def test_without_a_root_a_relative_path_stays() -> None:
    assert Workspace().spell("src/a.py") == "src/a.py"
    assert Workspace().spell("/srv/a.py") == "/srv/a.py"


@pytest.mark.parametrize("outside", ["/etc/passwd", "~/a", "../a", "C:/a"])
def test_holds_only_what_lies_inside(outside: str) -> None:
    assert not PLACE.holds(outside)
    assert PLACE.holds("src/a.py")


@given(st.text(max_size=40))
def test_a_spelling_is_spelled_the_same_again(path: str) -> None:
    spelled = PLACE.spell(path)
    if not spelled.startswith("~"):
        assert PLACE.spell(spelled) == spelled


@pytest.mark.parametrize("path", ["C:\\repo\\src\\a.ts", "c:\\repo\\src\\a.ts", "/c/repo/src/a.ts", "c:/repo/src/a.ts"])
def test_a_drive_has_one_spelling(path: str) -> None:
    assert Workspace("C:/repo").spell(path) == "src/a.ts"
