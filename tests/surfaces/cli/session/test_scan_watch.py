"""A scan that stays, as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

_WEAK = "import hashlib\nh = hashlib.md5(password)\n"
_INTERRUPTED = 130
_GIVEN_UP = 120.0
"""Seconds after which a scan that says nothing is ended, so that the test fails where it would wait for ever."""


def _watching(folder: Path, project: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "leeboard", "scan", "--watch", "-j", "1", *options]
    own = {"HOME": "home", "LEEBOARD_STATE_DIR": "state", "LEEBOARD_CACHE_DIR": "cache", "XDG_CONFIG_HOME": "config"}
    env = {"PATH": os.environ["PATH"]} | {name: str(folder / place) for name, place in own.items()}
    return subprocess.Popen(command, cwd=project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_each_round_is_told_in_the_form_that_was_asked_for(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(_WEAK)
    (project / "b.py").write_text("x = 1\n")
    with _watching(tmp_path, project, "--json") as running:
        assert running.stdout is not None
        given_up = threading.Timer(_GIVEN_UP, running.kill)
        given_up.start()
        first = json.loads(running.stdout.readline())
        (project / "b.py").write_text(_WEAK)
        second = json.loads(running.stdout.readline())
        running.send_signal(signal.SIGINT)
        rest, said = running.communicate()
        given_up.cancel()
    assert (first["path"], second["path"], rest) == ("a.py", "b.py", b"")
    assert b"leeboard: watching; Ctrl-C ends it\n" in said
    assert b"Traceback" not in said
    assert running.returncode == _INTERRUPTED


def test_a_round_that_looked_at_nothing_does_not_read_as_clean(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(_WEAK)
    with _watching(tmp_path, project, "--verbose") as running:
        assert running.stdout is not None
        given_up = threading.Timer(_GIVEN_UP, running.kill)
        given_up.start()
        first = b""
        while b"1 finding in 1 file" not in first:
            first += running.stdout.readline()
            assert running.poll() is None
        (project / "leeboard-allowed.json").write_text("{")
        while (line := running.stdout.readline()).startswith((b"to let one stand", b"1 ", b"ID --reason")):
            assert running.poll() is None
        reason = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        rest, _said = running.communicate()
        given_up.cancel()
    assert b"id: 'weak_crypto:a.py:" in first
    assert line == b"nothing was scanned\n"
    assert reason.startswith(b"leeboard-allowed.json")
    assert b"0 findings" not in rest
