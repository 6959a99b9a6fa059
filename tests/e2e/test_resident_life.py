"""The resident answers a session's hooks, and does not outlive its use."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.desk import ROOT, Desk
from tests.e2e.model_script import Script, bash, say, use

pytestmark = pytest.mark.e2e

SCRIPT = Script(main=(use(bash("echo one")), use(bash("echo two")), say("Done.")))
WITNESS = Path(__file__).with_name("witness_resident.py")


def wait_for_its_receipts(path: Path) -> None:
    """It answers one at a time: once this question has its end, all that belongs to earlier ones is written."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(path))
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""


def listening_process(path: Path) -> int:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(path))
        told = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", told)[0])


def test_it_answers_every_hook_while_it_listens(desk: Desk) -> None:
    asked = desk.folder / "asked"
    env = {**desk.env, "PYTHONPATH": str(ROOT), "LEEBOARD_IDLE_SECONDS": "60"}
    line = (sys.executable, str(WITNESS), str(asked))
    with subprocess.Popen(line, env=env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"listening on ")
        run = desk.run("say one and two", SCRIPT)
        wait_for_its_receipts(desk.resident_socket())
        process.terminate()
    answered = asked.read_text(encoding="utf-8").split()
    assert len(answered) == 10
    assert answered == [receipt.event for receipt in desk.receipts(run.session)]


def test_the_first_hook_starts_one_that_ends_by_itself(desk: Desk) -> None:
    desk.env["LEEBOARD_IDLE_SECONDS"] = "3"
    desk.run("say one and two", SCRIPT)
    path = desk.resident_socket()
    process = listening_process(path)
    assert os.getpgid(process) not in {0, os.getpgid(0)}, "it is no child of whoever asked"
    desk.wait_for_resident()
    assert not path.exists()


def test_without_it_the_session_is_the_same(desk: Desk) -> None:
    desk.env["LEEBOARD_RESIDENT"] = "0"
    run = desk.run("say one and two", SCRIPT)
    assert [receipt.event for receipt in desk.receipts(run.session)].count("PreToolUse") == 2
    assert desk.session(run.session).turns == 3
    assert not list((desk.folder / "run").glob("*"))
