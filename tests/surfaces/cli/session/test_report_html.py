"""The page: well-formed, on its own, and no text in it can be more than text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.app.views.report import Kept, ReportPage, page_of
from leeboard.model.contract import Contract
from leeboard.model.outcome import Judged, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Verdict
from leeboard.surfaces.cli.session.report_html import html_page

VOID = {"meta", "line", "rect", "polyline"}
HEADINGS = (
    "Timeline",
    "What was said",
    "Findings",
    "Said at once",
    "Waiting for a pause",
    "Patterns",
    "For the next session",
    "What it did to the code",
)
HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"

SIGNAL = Judged(
    id="s1",
    agent="",
    turn=2,
    subclass="B1",
    urgency="B1-ESCALATE",
    disposition="FIRE",
    state="fired",
    rule="credential",
    subject="a.py:1",
    path="a.py",
    line=1,
    confidence=0.95,
    message="Move it to .env.",
    reason="It stands in clear text.",
)


class Reader(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(page: ReportPage) -> Reader:
    reader = Reader()
    reader.feed(html_page(page))
    reader.close()
    assert reader.open == []
    return reader


def page(text: str = "add payments", judged: tuple[Judged, ...] = (SIGNAL,)) -> ReportPage:
    session = Session(id="s-1", root="/repo", contract=Contract(objective=text), turns=4, scored=1)
    verdict = Verdict(id="v1", session="s-1", agent="", turn=2, action=Action.DENY, event="ToolProposed", score=9)
    step = Step(id="1", session_id="s-1", action_type="edit", files=(text,), drift_score=9)
    return page_of(session, Kept(steps=(step,), verdicts=(verdict,), judged=judged), Policy())


def test_every_part_of_the_report_is_there_in_its_order() -> None:
    words = "\n".join(read(page()).words)
    places = [words.index(heading) for heading in HEADINGS]
    assert places == sorted(places)
    for part in ("add payments", "said at once, of at most 3", "B1-ESCALATE", "Move it to .env.", "s1"):
        assert part in words


def test_it_needs_nothing_else_and_runs_nothing() -> None:
    text = html_page(page())
    reader = read(page())
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name in {"src", "href"} or name.startswith("on")]


@pytest.mark.parametrize("where", ["goal", "message", "id", "observation", "session"])
def test_hostile_texts_stay_texts(where: str) -> None:
    match where:
        case "goal":
            shown = page(HOSTILE)
        case "message":
            shown = page(judged=(replace(SIGNAL, message=HOSTILE),))
        case "id":
            shown = page(judged=(replace(SIGNAL, id=HOSTILE, urgency=HOSTILE),))
        case "observation":
            shown = page(judged=(replace(SIGNAL, state="logged", reason=HOSTILE, note=HOSTILE),))
        case _:
            shown = replace(page(), session=replace(page().session, id=HOSTILE, root=HOSTILE))
    reader = read(shown)
    assert "script" not in reader.tags
    assert "img" not in reader.tags
    assert any("<script>alert(1)</script>" in word for word in reader.words)


def test_an_empty_session_has_a_page() -> None:
    reader = read(page_of(Session(id="s"), Kept(), Policy()))
    assert reader.words.count("none") >= 4


@given(st.text(max_size=60))
def test_whatever_the_words_are_the_page_is_well_formed(text: str) -> None:
    reader = read(page(text, (replace(SIGNAL, message=text, reason=text, path=text),)))
    assert reader.tags.count("circle") == 1
