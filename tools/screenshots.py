"""Every page at two widths and in both colour schemes: `make screenshots` writes them to `.screenshots/`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from leeboard.app.archive import opened_archive
from leeboard.app.views.projects import project_key
from tests.web_desk import WebDesk, served
from tests.web_showcase import ASKING, OTHER, PLANNED, SLUG, Showcase
from tools.browser import FLAGS, NONE, installed_browser

WIDTHS = (375, 1600)
SCHEMES = ("light", "dark")
OUT = Path(".screenshots")


def pages(world: Showcase) -> dict[str, str]:
    homes = (world.harbour, world.lighthouse, world.quay, world.mole)
    one, two, three, four = (f"/p/{project_key(str(home))}" for home in homes)
    return {
        "overview": "/",
        "project": one,
        "review": f"{one}/i/{SLUG}",
        "review-of-a-plan": f"{four}/i/{PLANNED}",
        "question": f"{three}/i/{ASKING}",
        "plan": f"{one}/i/{SLUG}/plan",
        "documents": f"{one}/i/{SLUG}/files",
        "changes": f"{two}/i/{OTHER}/changes",
        "sessions": "/sessions",
        "session": "/session?id=7f3c-drifting",
        "session-clean": "/session?id=a901-clean",
        "why": f"/why?id={_newest_correction()}",
        "trends": "/trends",
        "not-here": "/p/nothing",
    }


def _newest_correction() -> str:
    """The id of what was said last in the session that drifts."""
    with opened_archive() as store:
        return next(each.id for each in reversed(store.verdicts("7f3c-drifting")) if each.message)


def take(desk: WebDesk, shown: dict[str, str], browser: str) -> None:
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=browser, args=list(FLAGS))
        for width in WIDTHS:
            for scheme in SCHEMES:
                page = started.new_page(
                    viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
                )
                page.goto(desk.server.entrance())
                page.wait_for_url(desk.address + "/")
                for name, path in shown.items():
                    page.goto(desk.address + path)
                    page.screenshot(path=OUT / f"{name}-{width}-{scheme}.png", full_page=True)
                page.close()
        started.close()


def main() -> None:
    browser = installed_browser()
    if not browser:
        sys.exit(NONE)
    with tempfile.TemporaryDirectory(prefix="leeboard-shots-") as folder, pytest.MonkeyPatch.context() as patch:
        world = Showcase(Path(folder), patch)
        world.build()
        with served(str(world.harbour)) as desk:
            take(desk, pages(world), browser)
    print(f"{len(list(OUT.glob('*.png')))} pictures in {OUT}/")


if __name__ == "__main__":
    main()
