from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.workspace import Workspace
from leeboard.shell.effects import shell_effects
from leeboard.truth.sweep import patterns_in, sweeps_of
from tests.known_world import ROOT, HeldDisk

FILES = ("src/app.py", "src/.env", "src/[id].py", "app.py", ".env", "new/app.py", "new/src/app.py", "docs/a.md")
DISK = HeldDisk(dict.fromkeys(FILES, ("x\n", 1.0)))


def named(line: str) -> list[str]:
    """Which of the files a line names by patterns."""
    sweeps = tuple(sweeps_of(shell_effects(line, ROOT), line, Workspace(ROOT)))
    return [path for path in FILES if any(one.names(path, DISK) for one in sweeps)]


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("rm *.py", ["app.py"]),
        ("rm src/*.py", ["src/app.py", "src/[id].py"]),
        ("cd src && rm *.py", ["src/app.py", "src/[id].py"]),
        (f"rm {ROOT}/src/app.*", ["src/app.py"]),
        ("rm ./a??.py", ["app.py"]),
        ("rm a?.py", []),
        ("rm [a-c]*.py", ["app.py"]),
        ("rm [!a]*.py", []),
        ("rm *", ["app.py"]),
        ("rm .*", [".env"]),
        ("rm src/.e*", ["src/.env"]),
        ("rm */*.py", ["src/app.py", "src/[id].py", "new/app.py"]),
        ("rm **/*.py", ["src/app.py", "src/[id].py", "new/app.py"]),
        ("rm -r s*", []),
        ("rm */", []),
        ("rm -r */.", []),
        ("rm 'a*.py'", []),
        ("rm a\\*.py", []),
        ("git rm -f *.py", ["app.py"]),
        ("git rm -f 'src/a*.py'", ["src/app.py"]),
        ("git rm -f '*.md'", ["docs/a.md"]),
        ("git -C docs rm -f '*.md'", ["docs/a.md"]),
        ("git rm '*.md'", []),
        ("git rm -f --cached '*.md'", []),
        ("git rm -f ':(glob)*.md'", []),
        ("mv docs/*.md old", ["docs/a.md"]),
        ("mv new/app.* .", ["app.py", "new/app.py"]),
        ("mv -n docs/*.md old", []),
        ("cp new/*.py .", ["app.py"]),
        ("cp new/* src", ["src/app.py"]),
        ("cp -t src new/*", ["src/app.py"]),
        ("cp docs/* .", []),
        ("cp -n new/* src", []),
        ("cp -u new/* src", []),
        ("cp -T new/* src", []),
        ("cp n*/app.py src", []),
        ("cp ../new/* .", []),
        ("cp src/* ./src", []),
        ("cp new/*", []),
        ("mv", []),
    ],
)
def test_which_files_a_line_names(line: str, files: list[str]) -> None:
    assert named(line) == files


@pytest.mark.parametrize(
    "line",
    [
        "rm $X*.py",
        "rm $(ls) *.py",
        "for f in *.py; do rm $f; done",
        "sh -c 'ls *; rm $X'",
        "ls *.py; rm {1..3}.py",
        "ls *.py; rm ?.py",
        "rm [^x]*.py",
        "rm [[:alpha:]]*.py",
        "ls *.py | xargs rm",
        "find . -exec rm *.py +",
    ],
)
def test_what_can_not_be_told_is_not_named(line: str) -> None:
    assert named(line) == []


@given(st.text(alphabet="rm *?[a]'\".$\\;/\n", max_size=60))
def test_any_line_is_taken(line: str) -> None:
    assert named(f"rm {line}") is not None
    assert all("\0" in shape and "\0" not in written for shape, written in patterns_in(line).items())


@pytest.mark.parametrize("hostile", ["*", "* ", "[", "a*b?", "'*' "])
def test_it_takes_time_with_the_length(hostile: str) -> None:
    assert len(patterns_in(hostile * 50_000)) <= 1
