"""Each path has one spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import matches
from leeboard.model.workspace import Workspace, from_top, is_whole, normal, one_spelling, placed, system_of

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
        ("src/a\\b.py", "", "src/a\\b.py"),
        ("C:\\work\\a.py", "", "C:\\work\\a.py"),
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


WINDOWS = Workspace("C:/Users/kim/shop")
SHARE = Workspace("//server/share/shop")
WINDOWS_NAMES = st.lists(
    st.sampled_from(
        ["\\", "/", ".", "..", ":", "c", "C", "?", " ", "UNC", "cygdrive", "shop", "a.py", "::$DATA", "~", "ß", "İ"]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("path", "cwd", "spelled"),
    [
        (r"C:\Users\kim\shop\src\a.py", "", "src/a.py"),
        (r"c:\users\KIM\shop\src\a.py", "", "src/a.py"),
        (r"C:\Users/kim\shop/src\a.py", "", "src/a.py"),
        ("/c/Users/kim/shop/src/a.py", "", "src/a.py"),
        ("/cygdrive/c/Users/kim/shop/src/a.py", "", "src/a.py"),
        (r"\\?\C:\Users\kim\shop\src\a.py", "", "src/a.py"),
        (r"\Users\kim\shop\src\a.py", "", "src/a.py"),
        (r"src\a.py", "", "src/a.py"),
        (r"..\a.py", r"C:\Users\kim\shop\src", "a.py"),
        ("a.py", r"c:\Users\kim\shop\src", "src/a.py"),
        ("a.py", "/c/Users/kim/shop/src", "src/a.py"),
        (r"src\a.py::$DATA", "", "src/a.py"),
        (r"src::$INDEX_ALLOCATION\a.py", "", "src/a.py"),
        (r"src.\a.py. ", "", "src/a.py"),
        ("C:\\Users\\kim\\shop\\", "", "."),
        (r"C:\Users\kim\shopping\a.py", "", "C:/Users/kim/shopping/a.py"),
        (r"C:\..\..\Users\kim\shop\a.py", "", "a.py"),
        (r"d:\Users\kim\shop\a.py", "", "D:/Users/kim/shop/a.py"),
        (r"..\other\a.py", "", "C:/Users/kim/other/a.py"),
        (r"\\server\share\x", "", "//server/share/x"),
        (r"\\?\UNC\server\share\x", "", "//server/share/x"),
        (r"\tmp\x", "", "/tmp/x"),
        (r"~\notes.md", "", "~/notes.md"),
        ("C:a.py", "", "C:a.py"),
    ],
)
def test_windows_has_many_names_for_a_file(path: str, cwd: str, spelled: str) -> None:
    assert WINDOWS.spell(path, cwd) == spelled
    assert Workspace(r"c:\Users\kim\shop").spell(path, cwd) == spelled, "a root that a client told"


@pytest.mark.parametrize("path", [r"\\SERVER\share\shop\src\a.py", "//server/share/shop/src/a.py", r"src\a.py"])
def test_a_share_is_a_root_like_any_other(path: str) -> None:
    assert SHARE.spell(path) == "src/a.py"


@pytest.mark.parametrize("root", ["C:/", "C:\\"])
def test_a_drive_may_be_the_root(root: str) -> None:
    assert Workspace(root).spell(r"c:\src\a.py") == "src/a.py"


def test_the_globs_of_contracts_and_limits_meet_what_windows_clients_tell() -> None:
    for told in (r"C:\Users\kim\shop\src\billing\a.py", "/c/users/kim/shop/src/billing/a.py", r"src\billing\a.py"):
        assert matches(WINDOWS.spell(told), ("src/billing/**",))
        assert not matches(WINDOWS.spell(told), ("src/auth/",))


@given(WINDOWS_NAMES)
def test_a_windows_name_has_one_spelling(path: str) -> None:
    spelled = one_spelling(path, "windows")
    assert one_spelling(spelled, "windows") == spelled
    assert "\\" not in spelled
    for place in (WINDOWS, SHARE):
        found = place.spell(path)
        assert found.startswith("~") or place.spell(found) == found


@given(st.text(alphabet="ab\\/.:cC ", max_size=20))
def test_elsewhere_a_backslash_is_a_letter_of_a_name(path: str) -> None:
    assert one_spelling(path, "posix") == path
    assert PLACE.spell(path).count("\\") <= path.count("\\")
    assert PLACE.spell(f"src/a\\{path.replace('/', '')}b") == f"src/a\\{path.replace('/', '')}b"


@pytest.mark.parametrize(
    ("place", "system"),
    [
        ("/repo", "posix"),
        ("", "posix"),
        ("c:\\repo", "windows"),
        ("C:/repo", "windows"),
        (r"\\server\share", "windows"),
    ],
)
def test_a_folder_tells_its_system(place: str, system: str) -> None:
    assert system_of(place) == system


def test_where_a_path_begins() -> None:
    assert [is_whole(path) for path in ("/a", "C:/a", "c:\\a", "C:a", "a", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [normal(path) for path in ("C:/../a", "C://a/./b", "/a/../b")] == ["C:/a", "C:/a/b", "/b"]
    assert [placed("C:/repo", path) for path in ("../a", "D:/a/./b", "/a", "a")] == [
        "C:/a",
        "D:/a/b",
        "/a",
        "C:/repo/a",
    ]
    assert from_top("C:/repo/src/a.py", "C:/repo/src", "C:/repo") == "src/a.py"
