from __future__ import annotations

import pytest

from leeboard.code.analyse import shell_effects
from leeboard.code.known.sweep import sweeps_of
from leeboard.model.workspace import Workspace

ROOT = "/home/dev/shop"


def reached(line: str, path: str, cwd: str = ROOT) -> list[str]:
    return [one.words for one in sweeps_of(shell_effects(line, cwd), Workspace(ROOT)) if one.reaches(path)]


@pytest.mark.parametrize(
    ("line", "by"),
    [
        ("git checkout .", "git checkout"),
        ("git checkout -- .", "git checkout"),
        ("git checkout HEAD .", "git checkout"),
        ("git checkout -f main", "git checkout"),
        ("git reset -q --hard", "git reset"),
        ("sh -c 'git reset --hard HEAD~1'", "git reset"),
        ("git restore .", "git restore"),
        ("git restore '*.py'", "git restore"),
        ("git restore :/", "git restore"),
        ("git -C src restore .", "git restore"),
        ("git stash", "git stash"),
        ("git stash -q", "git stash"),
        ("git stash push -m later", "git stash"),
        ("git clean -fd", "git clean"),
        ("cd src && git checkout -- .", "git checkout"),
        ("rm -rf .", "rm"),
        ("rm -rf src", "rm"),
        ("rm -rf *", "rm"),
        ("rm -f src/*.py", "rm"),
        (f"rm -rf {ROOT}", "rm"),
    ],
)
def test_what_a_line_sweeps_away(line: str, by: str) -> None:
    assert reached(line, "src/app.py") == [by]


@pytest.mark.parametrize(
    "line",
    [
        "git checkout main",
        "git checkout -b other",
        "git reset",
        "git reset --soft HEAD~1",
        "git restore --staged .",
        "git restore docs",
        "git stash list",
        "git stash pop",
        "git stash push docs",
        "git clean -nd",
        "cd docs && git checkout -- .",
        "rm -f *.py",
        "rm -rf docs",
        "rm -f src/*.md",
        "git status",
        "git --git-dir /elsewhere/.git checkout .",
        "git checkout -- ':(exclude)src'",
        "",
        "rm",
    ],
)
def test_what_it_leaves_alone(line: str) -> None:
    assert reached(line, "src/app.py") == []
