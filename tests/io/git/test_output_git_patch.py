from __future__ import annotations

import pytest

from leeboard.errors import WireError
from leeboard.io.git.output import Section, Sections
from leeboard.model.touch import Hunk


def patch(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def taken(path: str, *lines: str) -> Section:
    sections = Sections(patch(*lines), whole=True)
    found = sections.take(path, path)
    assert found is not None
    assert sections.done()
    return found


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("plain", "diff --git a/plain b/plain"),
        ("with space", "diff --git a/with space b/with space"),
        ("-dash", "diff --git a/-dash b/-dash"),
        ("café", "diff --git a/café b/café"),
        ("\udcff", "diff --git a/\udcff b/\udcff"),
        ('q"', r'diff --git "a/q\"" "b/q\""'),
        ("b\\s", r'diff --git "a/b\\s" "b/b\\s"'),
        ("\a\b\t\n\v\f\r\x01\x7f", r'diff --git "a/\a\b\t\n\v\f\r\001\177" "b/\a\b\t\n\v\f\r\001\177"'),
    ],
)
def test_a_section_is_known_by_the_names_as_git_writes_them(name: str, written: str) -> None:
    assert taken(name, written, "@@ -0,0 +1 @@", "+x").hunks == (Hunk(1, ("x",)),)


def test_lines_that_look_like_headers_are_content() -> None:
    lines = ("diff --git a/b b/b", "++ b/b", "@@ -1 +1 @@", "\\ No newline at end of file", "")
    shown = [f"+{line}" for line in lines]
    found = taken("a", "diff --git a/a b/a", "--- a/a", "+++ b/a", "@@ -0,0 +1,5 @@ @@ -1 +1 @@", *shown)
    assert found.hunks == (Hunk(1, lines),)


def test_a_missing_newline_at_the_end_belongs_to_neither_side() -> None:
    mark = "\\ No newline at end of file"
    found = taken("a", "diff --git a/a b/a", "@@ -1 +1 @@", "-x", mark, "+y", mark)
    assert found.hunks == (Hunk(1, ("y",), ("x",)),)


@pytest.mark.parametrize(
    ("head", "lines", "hunk"),
    [
        ("@@ -3,2 +2,0 @@", ("-a", "-b"), Hunk(3, (), ("a", "b"))),
        ("@@ -1,2 +0,0 @@", ("-a", "-b"), Hunk(1, (), ("a", "b"))),
        ("@@ -4,0 +5,2 @@", ("+a", "+b"), Hunk(5, ("a", "b"))),
        ("@@ -4 +5 @@", ("-a", "+b"), Hunk(5, ("b",), ("a",))),
        ("@@ -4 +5 @@", ("-a\r", "+b\r"), Hunk(5, ("b",), ("a",))),
    ],
)
def test_where_a_hunk_begins(head: str, lines: tuple[str, ...], hunk: Hunk) -> None:
    assert taken("a", "diff --git a/a b/a", head, *lines).hunks == (hunk,)


def test_a_binary_file_has_a_digest_and_no_lines() -> None:
    index = f"index {'1' * 40}..{'2' * 40} 100644"
    found = taken("a", "diff --git a/a b/a", index, "Binary files a/a and b/a differ")
    assert found == Section(blob="2" * 40, binary=True)


def test_a_file_without_a_section_is_empty_and_the_next_one_keeps_its_own() -> None:
    sections = Sections(patch("diff --git a/b b/b", "@@ -0,0 +1 @@", "+x"), whole=True)
    assert sections.take("a", "a") == Section()
    assert sections.take("b", "b") == Section(hunks=(Hunk(1, ("x",)),))


def test_a_hunk_shorter_than_its_head_is_an_error() -> None:
    with pytest.raises(WireError, match="not as long"):
        Sections(patch("diff --git a/a b/a", "@@ -1,3 +0,0 @@", "-x"), whole=True).take("a", "a")
