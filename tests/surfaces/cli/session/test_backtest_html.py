"""The page of a run: everything from outside is text in it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.page import BacktestPage, Selection, page_of
from leeboard.app.backtest.run import JudgedFile
from leeboard.app.backtest.tally import own_opinions
from leeboard.app.session_files import SessionSource
from leeboard.surfaces.cli.session.backtest import html_page
from tests.recorded_sessions import record, straying

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

EVIL = "</pre><script>alert(1)</script>\"'><img src=x onerror=y>\u202e"


class Tags(HTMLParser):
    """Which elements there are, and what could load something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def page(text: str) -> BacktestPage:
    remark = Remark(
        id=text,
        session=text,
        file=text,
        turn=1,
        tool_use_id=text,
        action=text,
        rules=(text,),
        score=0,
        level="none",
        paths=(text,),
        goal=text,
        message=text,
    )
    heard = Heard(
        session=text,
        file=text,
        ended=0.0,
        turns=1,
        scored=1,
        skipped_lines=0,
        judged_by=text,
        remarks=(remark,),
    )
    files = (
        JudgedFile(source=SessionSource(text), heard=heard),
        JudgedFile(source=SessionSource(text), problem=text),
    )
    return page_of(files, own_opinions({text: "no"}), Selection())


def test_nothing_from_outside_becomes_markup() -> None:
    written = html_page(page(EVIL))
    found = Tags(written)
    assert not found.names & {"script", "img", "iframe", "link", "object", "form", "svg"}
    assert not found.attributes & {"src", "onerror", "style", "onclick"}
    assert "\u202e" not in written
    assert "&lt;script&gt;" in written
    assert "url(" not in written
    assert "@import" not in written


def test_a_run_without_messages_has_a_page_too() -> None:
    empty = replace(page("x"), remarks=(), tally=page_of((), own_opinions({}), Selection()).tally)
    assert "Nothing would have been said." in html_page(empty)


def test_it_is_written_where_one_says(desk: Desk, tmp_path: Path) -> None:
    folder = record(tmp_path / "sessions", a=straying())
    target = tmp_path / "page.html"
    ran = desk.ok("backtest", str(folder), "--html", str(target))
    assert (ran.out, ran.err) == ("", f"wrote {target}\n")
    written = target.read_text(encoding="utf-8")
    assert desk.ok("backtest", str(folder), "--html", "-").out.startswith("<!doctype html>")
    assert "credential LB-B101" in written
    assert "color-scheme: light dark" in written
    assert desk.run("backtest", str(folder), "--html", str(tmp_path / "no" / "page.html")).code == 5
