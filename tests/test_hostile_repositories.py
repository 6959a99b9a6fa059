"""No repository gets more than `git clone` gives it: hooks and commands run nothing that it names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hook_process import HookProcess, hook_payload
from tests.hostile_repositories import HOSTILE, Hostile, Planted

_COMMANDS = (
    *(("status",), ("doctor",), ("doctor", "--fix"), ("check",), ("check", "--base", "HEAD"), ("scan",), ("index",)),
    *(("drift", "status"), ("drift", "diff"), ("init", "--dry-run"), ("monitor", "--once"), ("report",)),
    *(("flow", "status"), ("flow", "list"), ("steer-tree",), ("contract",), ("init",), ("init", "--workflow")),
    *(("uninstall", "--dry-run"),),
)
_RUN = """
import sys
sys.path[:] = {path!r}
from leeboard.surfaces.cli.main import run
for words in {commands!r}:
    try:
        run(list(words))
    except SystemExit:
        pass
"""
"""All of them in one process: what counts is what else they start."""


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_nothing_of_a_repository_runs(hostile: Hostile, tmp_path: Path) -> None:
    planted = Planted(tmp_path, hostile)
    env = _environment(planted, hostile)
    _run_hooks(planted, env)
    in_hooks = planted.marks()
    _run_commands(planted, env)
    in_commands = planted.marks()
    print(f"{hostile.name}: code run in hooks {len(in_hooks)}, in commands {len(in_commands)}")  # noqa: T201 - a figure
    assert (in_hooks, in_commands) == ([], [])


def test_the_table_is_long_enough() -> None:
    names = {hostile.name for hostile in HOSTILE}
    assert len(names) == len(HOSTILE) >= 30
    print(f"{len(HOSTILE)} hostile repositories")  # noqa: T201 - a figure that is asked for


def _environment(planted: Planted, hostile: Hostile) -> dict[str, str]:
    given = planted.env(hostile)
    path = given.pop("PATH", "") + os.environ.get("PATH", os.defpath)
    return {
        "PATH": path,
        "HOME": str(planted.home),
        "LEEBOARD_STATE_DIR": f"{planted.home.parent}/state",
        "LEEBOARD_RUNTIME_DIR": f"{planted.home.parent}/r",
        "LEEBOARD_RESIDENT": "0",
        "LEEBOARD_INDEX": "0",
        "LEEBOARD_KEEP": "0",
        **given,
    }


def _run_hooks(planted: Planted, env: dict[str, str]) -> None:
    process = HookProcess(folder=str(planted.home.parent))
    call = {"tool_name": "Bash", "tool_input": {"command": "make all"}, "tool_use_id": "t1"}
    edit = {"file_path": str(planted.repo / "src/work.py"), "old_string": "return 1", "new_string": "return 2"}
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "Change what work returns", "prompt_id": "p"}),
        ("PreToolUse", {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t0"}),
        ("PreToolUse", dict(call)),
        ("PostToolUse", {**call, "tool_response": {"stdout": "done"}}),
        ("Stop", {"stop_hook_active": False}),
    )
    for name, fields in events:
        done = process.run(hook_payload(name, cwd=str(planted.cwd), **fields), dict(env))
        assert done.returncode == 0
        (planted.repo / "made.txt").write_text(name, encoding="utf-8")


def _run_commands(planted: Planted, env: dict[str, str]) -> None:
    code = _RUN.format(path=[place for place in sys.path if place], commands=_COMMANDS)
    done = subprocess.run(
        (sys.executable, "-I", "-c", code),
        cwd=planted.cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-2000:]
