"""Globs put in other words: as the files that they could mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.reach.globs import fits, readings

FILES = ("/r/.claude/settings.json", "/r/leeboard.toml", "/r/src/db/schema.sql")


def read(line: str) -> list[str]:
    return list(readings(line, FILES, lambda _glob, _path: True))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("rm .claude/*.json", "rm .claude/settings.json"),
        ("rm -rf .c*", "rm -rf .claude"),
        ("rm l*.toml", "rm leeboard.toml"),
        ("rm src/*/schema.sql", "rm src/db/schema.sql"),
        ('rm "$d"/*.json', 'rm "$d"/settings.json'),
        ("sh -c 'rm .claude/*.json'", "sh -c 'rm .claude/settings.json'"),
    ],
)
def test_a_glob_means_what_it_could_match(line: str, meant: str) -> None:
    assert meant in read(line)


@pytest.mark.parametrize("line", ["rm -rf *", "rm -rf build/*", "rm *.pyc", "grep 'a.*b' x"])
def test_a_star_takes_no_leading_dot_and_quotes_are_left_alone(line: str) -> None:
    assert not any(".claude" in reading for reading in read(line))


def test_without_a_file_to_mean_it_is_any_name() -> None:
    assert read("rm db/*.sql other/?.[ch]")[-1] == "rm db/x.sql other/x.c"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.json", "a.json", True),
        ("*.json", ".a.json", False),
        (".[!.]*", ".claude", True),
        ("[a", "[a", True),
        ("**/x", "a/b/x", True),
    ],
)
def test_fits_as_the_shell_does(pattern: str, path: str, *, expected: bool) -> None:
    assert fits(pattern, path) is expected


@given(st.text(alphabet="ab*?[]!^-\\/.{}'\" $\n", max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    read(f"rm {text}")
    fits(text, "a/b")
