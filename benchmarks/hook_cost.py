"""What a hook costs the agent: the whole process, through a resident and by itself, against an idle interpreter.

In processor time, so that a busy machine changes little; beside other guards on the same payloads, where they can be
installed. Of a hook that asks the resident, what the resident takes meanwhile is told too.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from benchmarks.measure import Ratio, installed, installed_by_npm, milliseconds, processor_seconds, used_by
from tests.hook_process import HookProcess, edit, prompt, shell
from tests.posting_client import opted_in, posting

ROUNDS = 30
ALONE = {"LEEBOARD_RESIDENT": "0"}


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        process = HookProcess(folder=folder)
        floor = _fresh_interpreter(Path(folder, "venv"))
        process.run(prompt("fix the auth bug in src/auth"), ALONE)
        ways = {
            "floor": ((floor, "-c", "pass"), {}),
            "registered": (process.registered(), {}),
            "alone": (process.registered(), ALONE),
            **{name: (line, {}) for name, line in _others().items()},
        }
        taken: dict[str, list[float]] = {name: [] for name in ways}
        with process.resident() as resident:
            for _ in range(ROUNDS):
                for name, (line, env) in ways.items():
                    before = used_by(resident)
                    taken[name].append(processor_seconds(line, _payload(), process.environment(env)))
                    if name == "registered":
                        taken.setdefault("resident", []).append(used_by(resident) - before)
        posted, of_resident = _posted(process)
        taken["posted"] = [posted]
    seconds = {name: statistics.median(some) for name, some in taken.items()}
    beside = f", and {milliseconds(statistics.mean(taken['resident']))} of the resident"
    for name, words, aim in (
        ("registered", "registered hook", 0.95),
        ("posted", "hook that is posted, both sides", 0.15),
        ("alone", "hook in-process", 3.5),
        ("agentlint", "agentlint", 100.0),
        ("cc-safety-net", "cc-safety-net", 100.0),
    ):
        if name in seconds:
            detail = f"{milliseconds(seconds[name])} / {milliseconds(seconds['floor'])} of processor time"
            detail += beside if name == "registered" else ""
            detail += f", {milliseconds(of_resident)} of it the resident's" if name == "posted" else ""
            yield Ratio(
                name=f"{words} / python -c pass", ratio=seconds[name] / seconds["floor"], aim=aim, detail=detail
            )


def _others() -> dict[str, tuple[str, ...]]:
    """Other guards, by the line that they register."""
    agentlint, net = installed("agentlint", "agentlint"), installed_by_npm("cc-safety-net")
    lines = {
        "agentlint": (agentlint, "check", "--event", "PreToolUse"),
        "cc-safety-net": (net, "hook", "--claude-code"),
    }
    return {name: line for name, line in lines.items() if line[0]}


_calls = count()


def _payload(name: str = "PreToolUse", **fields: object) -> bytes:
    """A call that nobody has answered before: an edit, then a shell line, in turn."""
    number = next(_calls)
    if number // 5 % 2:
        return shell(f"t{number}", f"git status && ls src/auth/part{number % 20}.py", name, **fields)
    return edit(f"t{number}", f"/repo/src/auth/part{number % 20}.py", name, **fields)


def _fresh_interpreter(folder: Path) -> str:
    venv.create(folder, symlinks=True)
    return str(folder / "bin" / "python")


def _posted(process: HookProcess) -> tuple[float, float]:
    """Seconds of processor time of a hook that a client posts to the resident, and of those what the resident takes.
    Both sides count: of the posting one this is more than a client takes that is not written in Python.
    """
    with _environment(process):
        hooks = opted_in(process)
    with process.resident() as resident, posting(process, hooks) as client:
        for _ in range(ROUNDS):
            client.post(_payload("PostToolUse", **_DONE))
        before, own = used_by(resident), used_by(client.process)
        for _ in range(10 * ROUNDS):
            assert client.post(_payload("PostToolUse", **_DONE)).status == 200
        server, posts = used_by(resident) - before, used_by(client.process) - own
    return (server + posts) / (10 * ROUNDS), server / (10 * ROUNDS)


_DONE = {"tool_response": {"stdout": "", "stderr": "", "interrupted": False}}


@contextmanager
def _environment(process: HookProcess) -> Iterator[None]:
    """That of the hooks, for what a command of a person's does in it."""
    before = dict(os.environ)
    os.environ.update(process.environment())
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
