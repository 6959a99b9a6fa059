"""A shell line that only looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.effects import ShellLook, look_of


@pytest.mark.parametrize(
    ("command", "look"),
    [
        ("cat a.py", ShellLook("a.py")),
        ("  cat -n a.py ", ShellLook("a.py")),
        ("/bin/cat 'a b.py'", ShellLook("a b.py")),
        ("head a.py", ShellLook("a.py", (1, 10))),
        ("head -n 20 a.py", ShellLook("a.py", (1, 20))),
        ("head -20 a.py", ShellLook("a.py", (1, 20))),
        ("head -n20 a.py", ShellLook("a.py", (1, 20))),
        ("sed -n 10,20p a.py", ShellLook("a.py", (10, 20))),
        ("sed -n '10p' a.py", ShellLook("a.py", (10, 10))),
        ("sed -n '10,$p' a.py", ShellLook("a.py", (10, 0))),
        ("grep -rn 'a|b' src", ShellLook(query="grep -rn a|b src")),
        ("git grep token", ShellLook(query="git grep token")),
        ("curl -sL https://x.org/a#b", ShellLook(query="https://x.org/a")),
    ],
)
def test_looks(command: str, look: ShellLook) -> None:
    assert look_of(command) == look


@pytest.mark.parametrize(
    "command",
    [
        "",
        "cat a.py b.py",
        "cat a.py | grep x",
        "cat a.py > b.py",
        "cat a.py; rm a.py",
        "cat $FILE",
        "cat *.py",
        "sed -i s/a/b/ a.py",
        "sed -n 1,2p",
        "head -c 5 a.py",
        "curl -X POST https://x.org",
        "curl -o out https://x.org",
        "python a.py",
        "cat 'a.py",
        "cat a.py\nrm b.py",
        "cat " + "a" * 2_000,
    ],
)
def test_more_than_a_look(command: str) -> None:
    assert look_of(command) is None


@given(st.text(max_size=120))
def test_any_text_is_fine(text: str) -> None:
    assert look_of(text) is None or isinstance(look_of(text), ShellLook)
