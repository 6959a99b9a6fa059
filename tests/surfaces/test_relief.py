from __future__ import annotations

import os
import select
import signal
import socket
from pathlib import Path

import pytest

from leeboard.surfaces import hook_client
from tests.hook_process import HookProcess, prompt
from tests.surfaces.test_resident import environment, send, socket_of


@pytest.fixture
def process(tmp_path: Path) -> HookProcess:
    return HookProcess(folder=str(tmp_path))


def hanging_project(process: HookProcess) -> tuple[Path, bytes]:
    """A repository whose git answers nothing, and the question of its first hook."""
    root, programs = Path(process.folder, "hangs"), Path(process.folder, "bin")
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="ascii")  # kept in tables: git is asked
    programs.mkdir()
    os.mkfifo(programs / "never")
    (programs / "git").write_text(f"#!/bin/sh\nread line < {programs}/never\n", encoding="ascii")
    (programs / "git").chmod(0o755)
    env = environment(process) | {b"PATH": os.fsencode(f"{programs}:{os.environ['PATH']}")}
    return root, hook_client.request(env, prompt("fix it", session_id="held", cwd=str(root)))


def other(process: HookProcess, name: str, folder: str) -> bytes:
    return hook_client.request(environment(process), prompt("fix it", session_id=name, cwd=folder))


def test_a_project_that_hangs_holds_up_no_other(process: HookProcess) -> None:
    root, question = hanging_project(process)
    with process.resident(), socket.socket(socket.AF_UNIX) as held:
        held.connect(socket_of(process))
        held.sendall(question)
        assert send(process, other(process, "free", f"{process.folder}/other")) == b"0\n"
        assert not select.select([held], [], [], 0)[0], "the first one is still at it"
        assert send(process, other(process, "same", str(root))) == b"", "its own hooks are to judge there"
        assert send(process, other(process, "more", f"{process.folder}/other")) == b"0\n"


def test_the_helper_ends_with_the_resident(process: HookProcess) -> None:
    with process.resident() as resident:
        helper = int(Path(f"/proc/{resident.pid}/task/{resident.pid}/children").read_text(encoding="ascii"))
        watched = os.pidfd_open(helper)
    assert select.select([watched], [], [], 10)[0]
    os.close(watched)


def test_a_helper_that_was_killed_is_missed_once_it_is_quiet(process: HookProcess) -> None:
    with process.resident() as resident:
        children = Path(f"/proc/{resident.pid}/task/{resident.pid}/children")
        first = int(children.read_text(encoding="ascii"))
        os.kill(first, 9)
        while children.read_text(encoding="ascii").split() in ([], [str(first)]):
            select.select([], [], [], 0.05)
        assert send(process, other(process, "s", "/repo")) == b"0\n"


def test_a_stopped_helper_of_a_dead_resident_is_not_waited_for(process: HookProcess) -> None:
    with process.resident() as resident:
        helper = int(Path(f"/proc/{resident.pid}/task/{resident.pid}/children").read_text(encoding="ascii"))
        os.kill(helper, signal.SIGSTOP)
        path = os.fsencode(socket_of(process))
        try:
            resident.kill()
            resident.wait()
            with pytest.raises(ConnectionResetError):  # TimeoutError where it waits to the end
                hook_client._exchange(path, other(process, "s", "/repo"), hook_client.SECONDS)
        finally:
            os.kill(helper, signal.SIGKILL)
