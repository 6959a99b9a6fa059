from __future__ import annotations

import pytest

from leeboard.shell.command import Simple
from leeboard.shell.scope import Effects, ShellScope
from leeboard.shell.source import prepare
from leeboard.shell.written_texts import WritingWalk


@pytest.mark.parametrize(
    ("command", "program", "target"),
    [
        ("cd a && cat > b <<'E'\nx\nE\n", "cat", "b"),
        ("cd a && mkdir c && cat > b <<'E'\nx\nE\n", "cat", "b"),
        ("true || echo x > b", "echo", "b"),
        ("cat > b <<'E'\nx\nE\n", "cat", "b"),
        ("ls | cat > b", "cat", "b"),
        ("cd a && ls | cat > b", "cat", "b"),
        ("cd a && ls 2>&1 | tail -1 > b && true", "tail", "b"),
    ],
)
def test_a_redirection_belongs_to_the_last_command_of_a_chain(command: str, program: str, target: str) -> None:
    seen: list[tuple[str, str]] = []

    def perform(simple: Simple, effects: Effects, scope: ShellScope, *, piped: bool = False) -> None:
        del effects, scope, piped
        seen.extend((simple.words[0], word) for operator, word in simple.redirects if operator == ">")

    source = prepare(command)
    assert source is not None
    WritingWalk(source, Effects(), perform).walk(ShellScope(""))
    assert seen == [(program, target)]
