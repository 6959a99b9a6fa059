"""The expressions that are made of the table of losses."""

from __future__ import annotations

import pytest

from leeboard.shell.losses.table import acts_in_code, endings_in_code, listed_in_code


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ('unlink glob "*.md"', "*.md"),
        ("fs.readdirSync('drafts')", "drafts"),
        ('Dir["a/*"].each', "a/*"),
        ('opendir(D, "x")', "x"),
        ("unlink <*.md>", "*.md"),
    ],
)
def test_what_code_looks_through(code: str, path: str) -> None:
    found = listed_in_code().search(code)
    assert found is not None
    assert (found["path"] or found["angled"]) == path


def test_what_names_must_end_with() -> None:
    code = "f.endsWith('.md') || path.extname(f) === '.txt' || /\\.log$/.test(f)"
    assert [found["end"] or found["dotted"] for found in endings_in_code().finditer(code)] == [".md", ".txt", "log"]


def test_code_that_only_prints_does_not_act() -> None:
    assert acts_in_code().search("console.log(fs.readdirSync('.'))") is None
    assert acts_in_code().search("fs.rmSync('x')") is not None
