"""The real client, run headless and spoken to as a user does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec

from tests.e2e.model_script import JSON
from tests.e2e.scripted_api import Request

CLIENT = os.environ.get("LEEBOARD_E2E_CLAUDE", "")
LIMIT = 90
"""Seconds for one run of the client; an ordinary one takes two or three."""
NOT_ASKED = "Bash(*),Read,Edit,Write,Agent"
"""Tools the client runs without asking."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the client: how it ended, and what it asked of the model."""

    code: int
    output: list[JSON]
    """The objects it printed."""
    requests: list[Request]

    @property
    def main(self) -> list[Request]:
        return [request for request in self.requests if request.kind == "main"]

    @property
    def result(self) -> str:
        """Its last words."""
        return next((str(told["result"]) for told in reversed(self.output) if told.get("type") == "result"), "")

    @property
    def session(self) -> str:
        return str(self.output[0]["session_id"])


def converse(
    prompts: tuple[str, ...], options: tuple[str, ...], cwd: str, env: dict[str, str], before: tuple[str, ...] = ()
) -> tuple[int, list[JSON]]:
    """Say each prompt once the client has stopped; its exit code and the objects it printed.

    `before` is what stands before the client on its command line.
    """
    line = [*before, CLIENT, "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"]
    line += ["--allowedTools", NOT_ASKED, *options]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    told: list[JSON] = []
    with (
        subprocess.Popen(
            line, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=nothing, start_new_session=True
        ) as process,
        _limited(process),
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        for prompt in prompts:
            process.stdin.write(json.dumps(_user_message(prompt)).encode() + b"\n")
            process.stdin.flush()
            told += _until_result(process.stdout)
        process.stdin.close()
        told += _until_result(process.stdout)
    return process.returncode, told


@contextmanager
def _limited(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Whatever it waits for, it ends."""
    timer = threading.Timer(LIMIT, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _user_message(words: str) -> JSON:
    return {"type": "user", "message": {"role": "user", "content": words}}


def _until_result(lines: Iterable[bytes]) -> list[JSON]:
    """What the client prints until it has stopped, or ended."""
    told: list[JSON] = []
    for line in lines:
        told.append(json.loads(line))
        if told[-1].get("type") == "result":
            break
    return told


def client_env(address: str) -> dict[str, str]:
    """The client speaks to our API alone and tells nobody."""
    return {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "sk-ant-fake-0000000000000000000000",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }
