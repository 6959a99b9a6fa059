"""A gate that a real MCP flow opens waits for the click, also where everything was killed in between."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from leeboard.app.views.projects import project_key
from leeboard.surfaces.web.control import ask
from tests.flow_desk import SLUG, FlowDesk
from tests.mcp_line import ROOT, McpLine
from tests.surfaces.web.conftest import let_in
from tests.trusting import trust_all
from tests.web_desk import served

SERVES = """
import sys
from leeboard.surfaces.web.server import ServerSettings, WebServer
settings = ServerSettings(root=sys.argv[1], port=int(sys.argv[2]))
made = WebServer(settings, lambda _: None, lambda *_: "", lambda _: "")
print(made.entrance(), flush=True)
made.run()
"""


def test_a_gate_of_the_real_flow_waits_for_the_click_and_goes_on(flow: FlowDesk, page: Page, tmp_path: Path) -> None:
    flow.at_stage_gate()
    trust_all(flow.root, tmp_path / "state")
    agent = McpLine(flow.root)
    with served(str(flow.root)) as desk:
        agent.call("run_next")
        agent.until_it_waits()
        let_in(page, desk)
        page.locator(f"#waiting a[href='/p/{project_key(str(flow.root))}/i/{SLUG}']").click()
        page.get_by_role("button", name="Approve").click()
        expect(page.locator("[data-decided=approved], #decide-h")).not_to_have_count(0)
        assert agent.action() == "advance_stage"
    agent.close()


def test_killed_and_started_anew_in_between_it_does_the_same(flow: FlowDesk, page: Page, tmp_path: Path) -> None:
    """Both servers are processes of their own, and get no chance to put anything in order."""
    flow.at_stage_gate()
    trust_all(flow.root, tmp_path / "state")
    with page_process(flow.root, 0) as (entrance, pid):
        agent = McpLine(flow.root)
        agent.call("run_next")
        agent.until_it_waits()
        page.goto(entrance)
        address = entrance.partition("/enter")[0]
        page.wait_for_url(f"{address}/")
        page.goto(f"{address}/p/{project_key(str(flow.root))}/i/{SLUG}")
        agent.kill()
        os.kill(pid, signal.SIGKILL)
    with page_process(flow.root, int(address.rpartition(":")[2])):
        page.reload()
        again = McpLine(flow.root)
        again.call("run_next")
        again.until_it_waits()
        page.get_by_role("button", name="Approve").click()
        assert again.action() == "advance_stage"
        again.close()


@contextmanager
def page_process(root: Path, port: int) -> Iterator[tuple[str, int]]:
    """An address that lets one browser in, and the server's process. Whoever connects is taken for a person."""
    process = subprocess.Popen(
        (sys.executable, "-c", SERVES, str(root), str(port)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        entrance = process.stdout.readline().strip()
        while (told := ask({"ask": "state"})) is None or told["pid"] != process.pid or not _listens(told["address"]):
            assert process.poll() is None
        yield entrance, process.pid
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _listens(address: str) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", int(address.rstrip("/").rpartition(":")[2]))) == 0
