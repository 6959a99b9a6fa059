from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def path(desk: Desk, tmp_path: Path) -> str:
    program = tmp_path / "bin" / "leeboard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m leeboard "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}:{desk.env['PATH']}"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("sc", ["scan", "scope"]), ("config s", ["schema", "show"]), ("scan --git", ["--github"]), ("no-such", [])],
)
def test_bash_completes(desk: Desk, path: str, typed: str, expected: list[str]) -> None:
    """As bash itself calls it."""
    words = typed.split()
    script = (
        'eval "$(leeboard completion bash)"; COMP_WORDS=(leeboard "$@"); COMP_CWORD=$#; _leeboard_completion leeboard; '
    )
    ran = desk.execute(("bash", "-c", script + 'printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words), env={"PATH": path})
    assert ran.out.split() == expected, ran.err


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_others_get_a_script_of_theirs(desk: Desk, shell: str) -> None:
    out = desk.ok("completion", shell).out
    assert f"_LEEBOARD_COMPLETE={shell}_complete" in out
    assert desk.ok("completion", shell, "--json").objects[0]["script"].strip() == out.strip()
    if program := shutil.which(shell):
        assert desk.execute((program, "-n"), out.encode()).code == 0
