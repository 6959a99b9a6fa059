"""Five ways through the code, each gone once by a real process: how many files a reader of it has to open."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "leeboard"
RECORDER = Path(__file__).with_name("files_entered.py")
RECORDED = "demo_session.jsonl"
SOURCE = "def login(name: str) -> str:\n    return name\n"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "house", "version": "1"}}


class Stand:
    """A repository, a home and a state of their own below a folder; nothing of the caller's is read or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repository = folder / "repo"
        self.entered = folder / "entered"
        self.environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "LEEBOARD_STATE_DIR": f"{folder}/state",
            "LEEBOARD_RUNTIME_DIR": f"{folder}/run",
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        (self.repository / "src").mkdir(parents=True)
        (self.repository / "src" / "login.py").write_text(SOURCE, encoding="utf-8")
        (folder / "claude").symlink_to("/bin/sh")  # a hook knows its client by the name of the process above it
        self.run(("git", "init", "-q", "-b", "main"))
        self.run(("git", "config", "user.name", "kim"))
        self.run(("git", "config", "user.email", "kim@example.invalid"))
        self.run(("git", "add", "--all"))
        self.run(("git", "commit", "-qm", "begin"))
        self.run((*self.recorded("cli"), "init"))

    def run(self, command: tuple[str, ...], told: str = "") -> str:
        done = subprocess.run(
            command, cwd=self.repository, env=self.environment, input=told, capture_output=True, text=True, check=False
        )
        if done.returncode not in {0, 1, 3}:
            raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done.stdout

    def recorded(self, program: str, *options: str) -> tuple[str, ...]:
        return (sys.executable, *options, str(RECORDER), str(self.entered), str(PACKAGE), program)

    def files(self) -> list[str]:
        """Which files of the package the last program entered."""
        paths = self.entered.read_text(encoding="utf-8").splitlines()
        return [Path(path).relative_to(ROOT).as_posix() for path in paths]

    def hook(self, name: str, **fields: object) -> str:
        """What the hook that is registered with the client says to a payload."""
        settings = (self.repository / ".claude" / "settings.local.json").read_text(encoding="utf-8")
        line = next(iter(re.findall(r'"command": *("(?:[^"\\]|\\.)*")', settings)))
        script = next(word for word in shlex.split(json.loads(line)) if word.endswith(".py"))
        payload = {"session_id": "s", "cwd": str(self.repository), "hook_event_name": name, **fields}
        words = f"{shlex.join(self.recorded(script, '-I', '-S'))} || :"
        return self.run((str(self.folder / "claude"), "-c", words), json.dumps(payload))

    def edit(self, call: str) -> str:
        path = str(self.repository / "src" / "login.py")
        given = {"file_path": path, "old_string": "return name", "new_string": "return name.strip()"}
        return self.hook("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id=call)

    def tools(self, *calls: tuple[str, dict[str, object]]) -> list[str]:
        """What the server answers to calls of its tools, one after the other."""
        command = (*self.recorded("cli"), "mcp")
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=self.repository, env=self.environment, stdin=pipe, stdout=pipe, text=True
        ) as server:
            requests = [("initialize", HELLO), *(("tools/call", {"name": n, "arguments": a}) for n, a in calls)]
            answers = []
            for key, (method, params) in enumerate(requests):
                message = {"jsonrpc": "2.0", "id": key, "method": method, "params": params}
                print(json.dumps(message), file=server.stdin, flush=True)
                answers.append(server.stdout.readline() if server.stdout else "")
        return answers


def silent_edit(stand: Stand) -> None:
    """An Edit that was asked for, in a session that has made one before."""
    stand.hook("SessionStart", source="startup")
    stand.hook("UserPromptSubmit", prompt="strip the name in src/login.py")
    stand.edit("toolu_1")
    said = stand.edit("toolu_2")
    if said:
        raise SystemExit(f"the Edit is not silent: {said}")


def check(stand: Stand) -> None:
    """A changed tree under a contract that was written for it."""
    stand.run((*stand.recorded("cli"), "contract", "start", "--goal", "Strip the name", "--touch", "src/**"))
    (stand.repository / "src" / "login.py").write_text(SOURCE + "\n\nlogin('kim')\n", encoding="utf-8")
    stand.run((*stand.recorded("cli"), "check"))


def next_action(stand: Stand) -> None:
    """Asked by an agent at the beginning of a plan."""
    begin: dict[str, object] = {
        "title": "Log in",
        "description": "It is wanted.",
        "slug": "login",
        "studio": "software",
    }
    stand.tools(("haiku_intent_create", begin))
    *_, answer = stand.tools(("haiku_run_next", {}))
    if '"action' not in answer:
        raise SystemExit(f"haiku_run_next gives no action: {answer}")


def scan(stand: Stand) -> None:
    stand.run((*stand.recorded("cli"), "scan", "src/login.py"))


def replay(stand: Stand) -> None:
    (recording,) = PACKAGE.rglob(RECORDED)
    stand.run((*stand.recorded("cli"), "replay", str(recording)))


WAYS: dict[str, Callable[[Stand], None]] = {
    "a silent Edit": silent_edit,
    "check": check,
    "haiku_run_next": next_action,
    "scan of one file": scan,
    "replay of one session": replay,
}


def files_on(way: str, folder: Path) -> list[str]:
    stand = Stand(folder)
    WAYS[way](stand)
    return stand.files()
