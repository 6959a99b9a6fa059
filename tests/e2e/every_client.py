"""The clients beside Claude Code, each driven through the same steps in words of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.e2e.copilot_client import run_copilot
from tests.e2e.desk import Desk
from tests.e2e.model_script import Reply, Script, Use, say, use
from tests.e2e.opencode_client import run_opencode
from tests.e2e.scripted_gemini import run_gemini, write_settings
from tests.e2e.scripted_responses import run_codex

TRUSTED = ("--dangerously-bypass-hook-trust",)
"""Codex runs no hook that its user has not reviewed; nobody is there to do it."""


class OtherClient(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    scope: tuple[str, ...]
    """Where `init` puts the hooks."""
    settings: str
    """The file they are in, from the folder of the desk."""
    read: Callable[[str], Use]
    edit: Callable[[str, str, str], Use]
    shell: Callable[[str], Use]
    run: Callable[[Desk, str, tuple[Reply, ...]], tuple[int, list[str]]]
    """How it ended, and what the model got to read with each of its requests."""
    by_agent: tuple[Reply, ...] = ()
    """What the model says to have a sub-agent run a line, where its hooks tell of one in a way of their own."""

    def path(self, desk: Desk) -> Path:
        return desk.folder / self.settings


_TASK = {"description": "a task", "prompt": "Run echo sub."}


def _shell(line: str) -> Use:
    return Use("exec_command", {"cmd": line})


def _codex(desk: Desk, prompt: str, replies: tuple[Reply, ...]) -> tuple[int, list[str]]:
    done = run_codex(prompt, Script(main=replies), str(desk.repo), desk.env, options=TRUSTED)
    return done.code, [json.dumps(request["input"]) for request in done.requests]


def _gemini(desk: Desk, prompt: str, replies: tuple[Reply, ...]) -> tuple[int, list[str]]:
    if not (desk.home / ".gemini" / "settings.json").exists():
        write_settings(desk.home)
    done = run_gemini(prompt, Script(main=replies), str(desk.repo), desk.env)
    return done.code, [json.dumps(request["contents"]) for request in done.requests]


def _opencode(desk: Desk, prompt: str, replies: tuple[Reply, ...]) -> tuple[int, list[str]]:
    done = run_opencode(desk, prompt, *replies)
    return done.code, [request.text for request in done.requests if request.kind == "main"]


def _copilot(desk: Desk, prompt: str, replies: tuple[Reply, ...]) -> tuple[int, list[str]]:
    code, requests = run_copilot(desk, prompt, *replies)
    return code, [request.text for request in requests if request.kind == "main"]


CODEX = OtherClient(
    name="codex",
    scope=("--user",),
    settings="home/.codex/hooks.json",
    read=lambda path: _shell(f"cat {path}"),
    edit=lambda path, old, new: _shell(f"sed -i 's/{old}/{new}/' {path}"),
    shell=_shell,
    run=_codex,
)
GEMINI = OtherClient(
    name="gemini_cli",
    scope=("--user",),
    settings="home/.gemini/settings.json",
    read=lambda path: Use("read_file", {"file_path": path}),
    edit=lambda path, old, new: Use(
        "replace", {"file_path": path, "instruction": "a step", "old_string": old, "new_string": new}
    ),
    shell=lambda line: Use("run_shell_command", {"command": line}),
    run=_gemini,
)
OPENCODE = OtherClient(
    name="opencode",
    scope=("--local",),
    settings="repo/.opencode/plugins/leeboard.js",
    read=lambda path: Use("read", {"filePath": path}),
    edit=lambda path, old, new: Use("edit", {"filePath": path, "oldString": old, "newString": new}),
    shell=lambda line: Use("bash", {"command": line, "description": "a step"}),
    run=_opencode,
)
COPILOT = OtherClient(
    name="copilot",
    scope=("--user",),
    settings="home/.copilot/hooks/leeboard.json",
    read=lambda path: Use("view", {"path": path}),
    edit=lambda path, old, new: Use("edit", {"path": path, "old_str": old, "new_str": new}),
    shell=lambda line: Use("bash", {"command": line, "description": "a step"}),
    run=_copilot,
    by_agent=(
        use(Use("task", {**_TASK, "agent_type": "general-purpose", "name": "t1", "mode": "sync"})),
        use(Use("bash", {"command": "echo sub", "description": "a step"})),
        say("It printed sub."),
    ),
)
OTHERS = (CODEX, GEMINI, OPENCODE, COPILOT)
