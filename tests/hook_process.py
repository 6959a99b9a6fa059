"""The hook client run as a client runs it: a real process with JSON on stdin, in a world of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from leeboard.app.install.hook_files import hook_command
from leeboard.surfaces import hook

SCRIPT = str(Path(hook.__file__).absolute())


class HookProcess(msgspec.Struct, frozen=True, kw_only=True):
    """Home, state and sockets lie below `folder`; nothing of the caller's own is read or written."""

    folder: str
    python: str = sys.executable
    script: str = SCRIPT

    @property
    def state_dir(self) -> str:
        return f"{self.folder}/state"

    def environment(self, env: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """Its environment with these changes; None takes a variable away."""
        own: dict[str, str | None] = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self.folder,
            "LEEBOARD_STATE_DIR": self.state_dir,
            "LEEBOARD_RUNTIME_DIR": f"{self.folder}/r",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
        }
        return {name: value for name, value in (own | dict(env or {})).items() if value is not None}

    def run(self, payload: bytes, env: Mapping[str, str | None] | None = None) -> subprocess.CompletedProcess[bytes]:
        """Through a shell, by the very line that is registered with clients."""
        return subprocess.run(
            self.registered(), input=payload, env=self.environment(env), capture_output=True, check=False
        )

    def registered(self) -> tuple[str, ...]:
        return self._client(), "-c", hook_command(self.python, self.script)

    def _client(self) -> str:
        """A shell that bears a client's name: a hook knows its client by it, whoever runs all of this."""
        client = Path(self.folder, "claude")
        client.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            client.symlink_to("/bin/sh")
        return str(client)

    def start(self, env: Mapping[str, str | None] | None = None) -> subprocess.Popen[bytes]:
        """The client by itself, waiting for its payload."""
        pipe = subprocess.PIPE
        command = (self.python, "-I", "-S", self.script)
        return subprocess.Popen(command, env=self.environment(env), stdin=pipe, stdout=pipe, stderr=pipe)

    @contextmanager
    def resident(self, env: Mapping[str, str | None] | None = None) -> Iterator[subprocess.Popen[bytes]]:
        """A resident that listens by the time the block begins."""
        package_parent = str(Path(self.script).parents[2])
        command = (self.python, "-P", "-m", "leeboard.surfaces.resident")
        environment = self.environment(env) | {"PYTHONPATH": package_parent}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline().startswith(b"listening on ")
            try:
                yield process
            finally:
                process.terminate()


def hook_payload(name: str, /, **fields: object) -> bytes:
    """What a client writes to a hook's stdin."""
    return msgspec.json.encode({"session_id": "s", "cwd": "/repo", "hook_event_name": name, **fields})


def prompt(text: str, /, **fields: object) -> bytes:
    return hook_payload("UserPromptSubmit", prompt=text, **fields)


def edit(call: str, path: str, /, name: str = "PreToolUse", **fields: object) -> bytes:
    """An Edit that is about to run, or has run."""
    given = {"file_path": path, "old_string": "one", "new_string": "two"}
    return hook_payload(name, **{"tool_name": "Edit", "tool_input": given, "tool_use_id": call, **fields})


def shell(call: str, command: str, /, name: str = "PreToolUse", **fields: object) -> bytes:
    given = {"command": command}
    return hook_payload(name, **{"tool_name": "Bash", "tool_input": given, "tool_use_id": call, **fields})
