"""A browser where there is one, and a short place for sockets."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.flow_desk import FlowDesk
from tests.web_desk import WebDesk, served
from tests.web_showcase import Showcase
from tools.browser import FLAGS, NONE, find_browser

FOUND = find_browser()
collect_ignore_glob = [] if FOUND else ["test_*_browser.py"]


def pytest_report_header() -> str:
    return "" if FOUND else NONE


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ended with its module: while it runs, nothing else in this process can run an event loop."""
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=FOUND, args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A path of a test may be longer than a socket's name can be."""
    made = mkdtemp(prefix="lbw")
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", made)
    yield Path(made)
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: Path) -> Showcase:
    made = Showcase(tmp_path, monkeypatch)
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(runtime))
    return made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Of somebody who was not let in yet."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.set_default_timeout(30_000)
    problems: list[str] = []
    made.on("pageerror", lambda error: problems.append(str(error)))
    yield made
    context.close()
    assert not problems


def let_in(page: Page, desk: WebDesk) -> None:
    page.goto(desk.server.entrance())
    page.wait_for_url(f"{desk.address}/")


__all__ = ["let_in", "served"]
