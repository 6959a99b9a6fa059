"""What a huge file costs the agent that writes it: the whole hook, against a file that is analysed whole."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.analysis.analyse import MOST
from tests.hook_process import HookProcess, edit, prompt

ROUNDS = 3
LARGE = 100_000_000


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        process = HookProcess(folder=folder)
        env = process.environment({"LEEBOARD_RESIDENT": "0"})
        process.run(prompt("write the table in src/data.py"), {"LEEBOARD_RESIDENT": "0"})
        payloads = {"whole": _written(MOST), "large": _written(LARGE)}
        command = (process.python, "-I", "-S", process.script)
        parts = {name: lambda told=told: _run(command, env, told) for name, told in payloads.items()}
        taken = in_turns(parts, ROUNDS)
    detail = f"{milliseconds(taken['large'])} / {milliseconds(taken['whole'])}"
    ratio = taken["large"] / taken["whole"]
    yield Ratio(name="hook of a write of 100 MB / of 2 MB", ratio=ratio, aim=5.0, detail=detail)


def _written(size: int) -> bytes:
    line = "value_1 = compute(alpha, 'text 17')\n"
    given = {"file_path": "/repo/src/data.py", "content": line * (size // len(line))}
    return edit("NUMBER", "/repo/src/data.py", tool_name="Write", tool_input=given)


_calls = count()


def _run(command: tuple[str, ...], env: dict[str, str], payload: bytes) -> None:
    """A call of its own each time: one that was answered is not judged again."""
    payload = payload.replace(b"NUMBER", b"t%d" % next(_calls), 1)
    subprocess.run(command, input=payload, env=env, capture_output=True, check=True)
