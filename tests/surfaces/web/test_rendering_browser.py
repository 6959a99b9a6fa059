"""A hostile session on every page: nothing runs, nothing hides, nothing is fetched from elsewhere; and every page can be
used by everybody, as far as a tool can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Request

from leeboard.app.views.projects import project_key
from tests.hostile_session import hostile_plan, hostile_run
from tests.mcp_agent import Agent
from tests.surfaces.web.conftest import let_in
from tests.web_desk import WebDesk, served
from tests.web_showcase import Showcase
from tools.screenshots import pages

AXE = Path(__file__).parents[2] / "fixtures" / "web" / "axe.min.js"
HOSTILE = "hostile"
WIDTHS = (375, 1600)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture
def hostile(world: Showcase) -> Iterator[tuple[WebDesk, dict[str, str]]]:
    session = hostile_run(world.workshop)
    hostile_plan(Agent(world.lighthouse), HOSTILE)
    intent = f"/p/{project_key(str(world.lighthouse))}/i/{HOSTILE}"
    shown = {
        "overview": "/",
        "project": f"/p/{project_key(str(world.lighthouse))}",
        "review": intent,
        "plan": f"{intent}/plan",
        "changes": f"{intent}/changes",
        "files": f"{intent}/files",
        "sessions": "/sessions",
        "session": f"/session?{urlencode({'id': session, 'all': '1'})}",
        "trends": "/trends",
    }
    with served(str(world.lighthouse)) as desk:
        yield desk, shown


def test_nothing_of_a_hostile_session_runs_hides_or_leads_away(
    hostile: tuple[WebDesk, dict[str, str]], page: Page
) -> None:
    desk, shown = hostile
    asked: list[str] = []
    spoken: list[str] = []
    page.on("request", lambda request: _note(request, asked))
    page.on("dialog", lambda dialog: spoken.append(dialog.message))
    let_in(page, desk)
    for name, path in shown.items():
        came = page.goto(desk.address + path)
        assert came is not None
        assert came.status == 200, name
        assert page.title() != "owned"
        assert (
            page.locator("main script, main iframe, main object, main embed, main [onerror], main [onload]").count()
            == 0
        )
        links = page.eval_on_selector_all("a[href]", "all => all.map(a => a.getAttribute('href'))")
        assert not [link for link in links if link.strip().lower().startswith(("javascript:", "data:", "vbscript:"))]
        text = page.inner_text("body")
        assert not {mark for mark in "\x1b\u202e\u200b\x00" if mark in text}, name
        assert "49.py" not in page.content()
        assert len(page.content()) < 3_000_000, f"{name} is cut, and says so"
    assert not spoken
    assert {address.split("/")[2] for address in asked} == {desk.host}


def _note(request: Request, asked: list[str]) -> None:
    if not request.url.startswith(("data:", "blob:")):
        asked.append(request.url)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Showcase]:
    """One for all: nothing is changed in it."""
    with pytest.MonkeyPatch.context() as patch:
        made = Showcase(tmp_path_factory.mktemp("world"), patch)
        made.build()
        yield made


def test_every_page_has_names_contrast_and_room(built: Showcase, page: Page) -> None:
    """Checked by axe at two widths in both colour schemes, and that nothing is wider than the window."""
    world = built
    faults: list[str] = []
    with served(str(world.harbour)) as desk:
        let_in(page, desk)
        for (name, path), width in product(pages(world).items(), WIDTHS):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(desk.address + path)
            page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
            page.evaluate(AXE.read_text(encoding="utf-8"))
            for scheme in SCHEMES:
                # A background that is still fading from one scheme to the other has the contrast of neither.
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                faults += [f"{name}, {width}, {scheme}: {fault}" for fault in _faults(page)]
    assert not faults, "\n".join(faults)


def _faults(page: Page) -> Iterator[str]:
    """As the page is shown now."""
    found = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']})")
    yield from (f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found["violations"])
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        yield f"{wide} pixels too wide"
    beyond = "all => all.filter((each) => each.parentElement.scrollWidth > each.parentElement.clientWidth).length"
    if hidden := page.eval_on_selector_all("table.stack", beyond):
        yield f"{hidden} tables whose figures are seen by scrolling alone"


def test_everything_is_reached_by_the_keyboard(built: Showcase, page: Page) -> None:
    world = built
    with served(str(world.harbour)) as desk:
        let_in(page, desk)
        page.goto(f"{desk.address}/p/{project_key(str(world.harbour))}/i/count-words")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        reached = set()
        for _ in range(120):
            page.keyboard.press("Tab")
            reached.add(str(page.evaluate("document.activeElement.textContent")).strip()[:20])
        assert {"Approve: stage ship ", "Request changes: the", "+"} <= reached
