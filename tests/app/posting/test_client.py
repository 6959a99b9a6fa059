from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from leeboard.app.posting import client as known_clients
from leeboard.app.posting.client import KnownClients

WAITS = ("-I", "-S", "-c", "print(flush=True); input()")
PORT = 20_001


@contextmanager
def running(folder: Path, name: str = "claude", env: Mapping[str, str] | None = None) -> Iterator[int]:
    """The number of a process of this name, for the length of the block."""
    program = folder / name
    if not program.exists():
        program.symlink_to(os.path.realpath(sys.executable))
    pipe = subprocess.PIPE
    with subprocess.Popen((str(program), *WAITS), env=dict(env or {}), stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()


def test_who_was_learned_is_known_at_its_port_while_it_lives(tmp_path: Path) -> None:
    clients = KnownClients()
    with running(tmp_path) as client, running(tmp_path) as other:
        clients.learn(client, PORT)
        assert clients.knows(client, PORT)
        assert not clients.knows(client, PORT + 1)
        assert not clients.knows(other, PORT)
        assert clients.living() == (client,)
    assert not clients.knows(client, PORT)
    assert clients.living() == ()


def test_nobody_is_learned_whom_an_agents_shell_started(tmp_path: Path) -> None:
    clients = KnownClients()
    with running(tmp_path, env={"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/repo"}) as marked:
        clients.learn(marked, PORT)
        assert not clients.knows(marked, PORT)
    with running(tmp_path, "curl") as stranger:
        clients.learn(stranger, PORT)
        assert not clients.knows(stranger, PORT)
    assert clients.living() == ()


def test_what_a_forked_process_learns_is_known_to_all(tmp_path: Path) -> None:
    clients = KnownClients()
    with running(tmp_path) as client:
        child = os.fork()
        if not child:
            clients.learn(client, PORT)
            os._exit(0)
        os.waitpid(child, 0)
        assert clients.knows(client, PORT)


def test_no_more_are_kept_than_there_is_room_for(tmp_path: Path) -> None:
    clients = KnownClients()
    with ExitStack() as stack:
        first, second = stack.enter_context(running(tmp_path)), stack.enter_context(running(tmp_path))
        for number in range(known_clients.MOST):
            clients.learn(first, PORT + number)
        clients.learn(second, PORT)
        assert clients.knows(second, PORT)
        assert not clients.knows(first, PORT), "the one that came first gave way"
        assert clients.knows(first, PORT + 1)
    with running(tmp_path) as third:
        clients.learn(third, PORT)
        assert clients.living() == (third,)
