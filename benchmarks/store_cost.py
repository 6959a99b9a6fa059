"""What one hook costs behind the socket: judged with the SQLite store of a resident, in processor time.

A session of edits, reads and shell lines in a real work tree. What is printed is the cost of one event and its receipt.
Who asks is a process below one that bears a client's name, as every hook is: the resident looks up to there.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.contention import environment
from benchmarks.measure import Ratio
from leeboard.app.hook_call import Asker
from leeboard.app.kept_store import keep_open, let_go
from leeboard.surfaces import edge
from tests.hook_process import HookProcess, edit, hook_payload, prompt, shell

EVENTS = 240
AIM = 1.0
"""Milliseconds."""


def measure() -> Iterator[Ratio]:
    edge.load_everything()
    keep_open()
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        root = Path(folder, "repo")
        (root / "src").mkdir(parents=True)
        subprocess.run(("git", "init", "-q", str(root)), check=True)
        env = {"LEEBOARD_STATE_DIR": f"{folder}/state", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0", "HOME": folder}
        with environment(env):
            answer(prompt("fix the parser in src", cwd=str(root)))
            warm = events(root, "warm", 40)
            for payload in warm:
                answer(payload)
            taken: dict[str, list[float]] = {}
            with _hook_of_client(HookProcess(folder=folder)) as asker:
                for name, payload in zip(NAMES * EVENTS, events(root, "run", EVENTS), strict=False):
                    began = time.process_time()
                    edge.respond(payload, os.environ, len, asker)
                    taken.setdefault(name, []).append(time.process_time() - began)
            let_go()
    every = [seconds for some in taken.values() for seconds in some]
    mean = sum(every) / len(every) * 1000
    parts = ", ".join(f"{name} {sum(some) / len(some) * 1000:.2f}" for name, some in taken.items())
    yield Ratio(
        name="one event, SQLite store / 1 ms", ratio=mean / AIM, aim=1.0, detail=f"ms of processor time: {parts}"
    )


@contextmanager
def _hook_of_client(process: HookProcess) -> Iterator[Asker]:
    """A shell that a client runs for its hook, waiting."""
    client, _, _ = process.registered()
    pipe = subprocess.PIPE
    with subprocess.Popen((client, "-c", "sh -c 'echo $$; read line'; :"), stdin=pipe, stdout=pipe) as running:
        assert running.stdout is not None
        yield Asker(process=int(running.stdout.readline()), patient=False)
        running.communicate(b"\n")


NAMES = ("read before", "read after", "edit before", "edit after", "shell before", "shell after")


def answer(payload: bytes) -> None:
    edge.answer(payload, os.environ)


def events(root: Path, name: str, count: int) -> list[bytes]:
    made: list[bytes] = []
    for number in range(count // len(NAMES)):
        path, cwd = str(root / "src" / f"{name}{number}.py"), str(root)
        Path(path).write_text(f"def part{number}():\n    one = {number}\n    return one\n", encoding="utf-8")
        call = f"{name}-{number}"
        seen = {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_use_id": f"r{call}", "cwd": cwd}
        file = {"filePath": path, "content": f"one = {number}\n", "startLine": 1, "totalLines": 1}
        done = {"filePath": path, "oldString": "one", "newString": "two", "originalFile": f"one = {number}\n"}
        made += [
            hook_payload("PreToolUse", **seen),
            hook_payload("PostToolUse", **seen, tool_response={"type": "text", "file": file}),
            edit(f"e{call}", path, cwd=cwd),
            edit(f"e{call}", path, name="PostToolUse", cwd=cwd, tool_response=done),
            shell(f"b{call}", f"grep -n part{number} src/{name}{number}.py", cwd=cwd),
            shell(
                f"b{call}",
                f"grep -n part{number} src/{name}{number}.py",
                name="PostToolUse",
                cwd=cwd,
                tool_response={"stdout": "1:def", "stderr": ""},
            ),
        ]
    return made
