"""What a hook costs the agent: the whole process, through a resident and by itself, against an idle interpreter."""

from __future__ import annotations

import subprocess
import tempfile
import venv
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.measure import Ratio, in_turns, milliseconds
from tests.hook_process import HookProcess, edit, prompt

ROUNDS = 40


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        process = HookProcess(folder=folder)
        floor = _fresh_interpreter(Path(folder, "venv"))
        process.run(prompt("fix the auth bug in src/auth"), {"LEEBOARD_RESIDENT": "0"})
        command = (process.python, "-I", "-S", process.script)
        with process.resident():
            parts = {
                "floor": lambda: _run((floor, "-c", "pass"), process.environment()),
                "resident": lambda: _run(command, process.environment()),
                "alone": lambda: _run(command, process.environment({"LEEBOARD_RESIDENT": "0"})),
            }
            taken = in_turns(parts, ROUNDS)
    for name, part, aim in (("through the resident", "resident", 1.2), ("in-process", "alone", 5.0)):
        detail = f"{milliseconds(taken[part])} / {milliseconds(taken['floor'])}"
        yield Ratio(name=f"hook {name} / python -c pass", ratio=taken[part] / taken["floor"], aim=aim, detail=detail)


_calls = count()


def _run(command: tuple[str, ...], env: dict[str, str]) -> None:
    """A process that is given a call of its own, asked for or not."""
    number = next(_calls)
    payload = edit(f"t{number}", f"/repo/src/auth/part{number % 20}.py")
    subprocess.run(command, input=payload, env=env, capture_output=True, check=True)


def _fresh_interpreter(folder: Path) -> str:
    venv.create(folder, symlinks=True)
    return str(folder / "bin" / "python")
