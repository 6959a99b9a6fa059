"""`leeboard open`: where an intent is shown, and what is said where nobody may know an address."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from leeboard.app.views.projects import project_key
from leeboard.surfaces.cli.project.open import _place
from tests.flow_desk import SLUG, FlowDesk
from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def flow_at_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.begin()
    return made


def test_the_review_of_an_intent_is_named_by_its_key(flow_at_shape: FlowDesk) -> None:
    assert _place("") == ""
    assert _place(SLUG) == f"/p/{project_key(str(flow_at_shape.root))}/i/{SLUG}"


LET_GO = """
import fcntl, os, sys, termios
if os.fork():
    os._exit(0)
os.setsid()
fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
os.execvp("/bin/sh", ["/bin/sh", "-c", sys.argv[2]])
"""
"""A window that somebody opened: whoever runs these tests is not above it."""
ENTER = """
import http.client, sys, urllib.parse
address = urllib.parse.urlsplit(sys.argv[1].strip())
line = http.client.HTTPConnection("127.0.0.1", address.port)
line.request("GET", address.path + "?" + address.query, headers={"Host": address.netloc})
came = line.getresponse()
print(came.status, came.getheader("Set-Cookie", "refused").partition("=")[0])
"""


def test_a_person_is_told_an_address_that_an_agent_can_not_use(desk: Desk, tmp_path: Path) -> None:
    """The page is started behind the scenes, and ended again; everything is a process of its own."""
    master, terminal = pty.openpty()
    runs, out = f"{sys.executable} -m leeboard", tmp_path / "told"
    enter = f"{sys.executable} -c '{ENTER}'"
    lines = (
        f"{runs} open --print > {out}.1 2>&1",
        f"CLAUDECODE=1 {enter} $(cat {out}.1) > {out}.2 2>&1",
        f"{enter} $(cat {out}.1) > {out}.3 2>&1",
        f"CLAUDECODE=1 {runs} open --print > {out}.4 2>&1",
        f"{runs} serve --stop > {out}.5 2>&1",
        f"mv {out}.5 {out}",
    )
    env = {**desk.env, "BROWSER": "/bin/false"}
    subprocess.run(
        (sys.executable, "-c", LET_GO, os.ttyname(terminal), "; ".join(lines)), env=env, cwd=desk.repo, check=True
    )
    ended = threading.Event()
    while not out.exists():
        ended.wait(0.05)
    told = [Path(f"{out}.{number}").read_text() for number in (1, 2, 3, 4)]
    assert told[0].startswith("http://leeboard.localhost:"), told
    assert told[1] == "403 refused\n"
    assert told[2] == "200 leeboard\n"
    assert "only a person may run `leeboard open`" in told[3]
    assert "ended" in out.read_text()
    os.close(terminal)
    os.close(master)


def test_an_agent_is_told_nothing(desk: Desk) -> None:
    ran = desk.run("open", "--print", env={"CLAUDECODE": "1"})
    assert (ran.code, ran.out) == (2, "")
    assert "token" not in ran.err
