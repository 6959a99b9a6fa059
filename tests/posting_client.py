"""A process that bears a client's name and posts hooks, as the real client does: one connection, kept open."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from leeboard.app.install.hook_files import hook_command
from leeboard.app.posting.hooks import HttpHooks, all_hooks, keep_hooks, new_hooks
from tests.hook_process import HookProcess, hook_payload

_POSTS = """
import http.client, json, os, subprocess, sys
line = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
for told in sys.stdin.buffer:
    asked = json.loads(told)
    if "command" in asked:
        os.environ["CLAUDE_PROJECT_DIR"] = asked["folder"]
        ran = subprocess.run(asked["command"], shell=True, input=asked["body"].encode(), stdout=subprocess.PIPE)
        sys.stdout.write(json.dumps([0, ran.stdout.decode()]) + "\\n")
        sys.stdout.flush()
        continue
    try:
        line.request("POST", "/leeboard/hook", asked["body"].encode(), asked["headers"])
        answer = line.getresponse()
        body = answer.read().decode()
        status = answer.status
    except OSError as error:
        line.close()
        status, body = 0, type(error).__name__
    sys.stdout.write(json.dumps([status, body]) + "\\n")
    sys.stdout.flush()
"""


class Answer(msgspec.Struct, frozen=True, array_like=True):
    status: int
    """Zero where nobody answered."""
    body: str


class PostingClient:
    def __init__(self, process: subprocess.Popen[bytes], hooks: HttpHooks, command: str) -> None:
        self.process = process
        self.hooks = hooks
        self.command = command

    def run(self, payload: bytes) -> str:
        """What the hook's command prints that this client runs."""
        return self._told({"body": payload.decode(), "command": self.command, "folder": self.hooks.root}).body

    def post(self, payload: bytes, headers: Mapping[str, str] | None = None) -> Answer:
        given = {"Content-Type": "application/json", **self.hooks.posted_to.headers, **(headers or {})}
        return self._told({"body": payload.decode(), "headers": given})

    def _told(self, asked: Mapping[str, object]) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self.process.stdin.flush()
        return msgspec.json.decode(self.process.stdout.readline(), type=Answer)


@contextmanager
def posting(
    world: HookProcess,
    hooks: HttpHooks,
    name: str = "claude",
    env: Mapping[str, str | None] | None = None,
    *,
    known: bool = True,
) -> Iterator[PostingClient]:
    """A process of this name, for the length of the block; `known` has run a command, as clients do before each call."""
    program = Path(world.folder, "programs", name)
    program.parent.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        program.symlink_to(os.path.realpath(sys.executable))
    pipe = subprocess.PIPE
    line = (str(program), "-I", "-S", "-c", _POSTS, str(hooks.port))
    with subprocess.Popen(line, env=world.environment(env), stdin=pipe, stdout=pipe, cwd=world.folder) as process:
        try:
            client = PostingClient(process, hooks, hook_command(world.python, world.script))
            if known:
                client.run(hook_payload("Notification", cwd=hooks.root))
            yield client
        finally:
            process.kill()


def opted_in(world: HookProcess, root: str = "/repo") -> HttpHooks:
    """What `init --http` keeps; only for a test whose own environment is the world's."""
    settings = f"{root}/.claude/settings.local.json"
    hooks = new_hooks(root, settings, "2.1.325")
    keep_hooks(hooks)
    assert hooks in all_hooks()
    assert world.state_dir == os.environ["LEEBOARD_STATE_DIR"]
    return hooks
