from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

PAGES = Path(__file__).resolve().parents[4] / "docs"


def test_a_page_is_shown_as_it_is_written(desk: Desk) -> None:
    assert desk.ok("docs", "trust").out.rstrip() == (PAGES / "trust.md").read_text().rstrip()
    assert desk.ok("docs", "scan").out == desk.ok("docs", "commands/scan.md").out
    assert "## " not in desk.ok("docs", "trust", env={"FORCE_COLOR": "1"}).out


def test_all_topics_are_listed(desk: Desk) -> None:
    listed = [one["name"] for one in desk.ok("docs", "--json").objects]
    assert sorted(listed) == sorted(page.relative_to(PAGES).with_suffix("").as_posix() for page in PAGES.rglob("*.md"))
    assert all(name in desk.ok("docs").out for name in listed)


def test_a_name_that_is_none_gets_the_nearest_ones(desk: Desk) -> None:
    ran = desk.run("docs", "setings")
    assert (ran.code, ran.out) == (2, "")
    assert "near it: settings" in ran.err
    assert desk.run("docs", "../README").code == 2


def test_a_folder_is_the_list_of_its_pages(desk: Desk) -> None:
    assert desk.ok("docs", "commands").out.startswith("# Commands\n")
