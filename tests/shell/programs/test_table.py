from __future__ import annotations

import pytest

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.programs.table import name_of, start
from leeboard.shell.scope import Effects, Run, ShellScope


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["ls", "-l"], "ls"),
        (["/usr/bin/git", "-C", "x", "log"], "git log"),
        (["npm", "--silent", "ci"], "npm ci"),
        (["git"], "git"),
        (["git", UNKNOWN], "git"),
        ([UNKNOWN, "x"], ""),
    ],
)
def test_a_program_is_named(words: list[str], name: str) -> None:
    assert name_of(words) == name


@pytest.mark.parametrize(
    ("line", "opaque"),
    [
        ("cat a", False),
        ("./cat a", True),
        (".venv/bin/pytest", False),
        ("./node_modules/.bin/jest", False),
        ("unheard-of a", True),
        ("unheard-of --version", False),
        ("unheard-of --version --write", True),
    ],
)
def test_an_unknown_program_is_opaque(line: str, *, opaque: bool) -> None:
    effects = Effects()
    start(Run(effects, ShellScope("")), line.split())
    assert effects.opaque == opaque
