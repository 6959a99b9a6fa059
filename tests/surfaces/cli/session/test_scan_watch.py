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


def test_each_round_is_told_in_the_form_that_was_asked_for(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(_WEAK)
    (project / "b.py").write_text("x = 1\n")
    command = [sys.executable, "-P", "-m", "leeboard", "scan", "--watch", "--json", "-j", "1"]
    own = {"HOME": "home", "LEEBOARD_STATE_DIR": "state", "LEEBOARD_CACHE_DIR": "cache", "XDG_CONFIG_HOME": "config"}
    env = {"PATH": os.environ["PATH"]} | {name: str(tmp_path / folder) for name, folder in own.items()}
    with subprocess.Popen(command, cwd=project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
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
