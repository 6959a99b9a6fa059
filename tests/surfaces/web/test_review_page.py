"""One request out of many comments, answers to findings, and long diffs in pages."""

from __future__ import annotations

import re

import pytest
from starlette.datastructures import FormData, UploadFile

from leeboard.app.views.projects import project_key
from leeboard.surfaces.web import review_page
from leeboard.surfaces.web.review_page import LineComment, comments_in, request_text
from tests.flow_desk import SLUG, FlowDesk
from tests.web_desk import served

ONE = LineComment(path="a.py", line="3", side="old", quote="x = `1`", text="Why?")


def test_a_request_names_each_line() -> None:
    assert request_text("Look.", ()) == "Look."
    assert request_text("", (ONE,)) == "1 comment on the diff\n\n- a.py:3 (before): `x = '1'`\n  Why?"
    fields: list[tuple[str, str | UploadFile]] = [
        ("comment_path", "a.py"),
        ("comment_line", "3"),
        ("comment_side", "new"),
        ("comment_quote", "x"),
        ("comment_text", " "),
    ]
    assert comments_in(FormData(fields)) == ()
    with pytest.raises(Exception, match="incomplete"):
        comments_in(FormData(fields[:-1]))


def test_a_long_diff_is_shown_in_pages_and_says_so(flow: FlowDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    flow.at_stage_gate()
    monkeypatch.setattr(review_page, "LINES_AT_ONCE", 1)
    base = f"/p/{project_key(str(flow.root))}/i/{SLUG}"
    with served(str(flow.root)) as desk:
        shown = desk.shown(base)
        assert "lines of this diff are not on this page" in shown
        assert "file=left.txt" in shown
        alone = desk.shown(f"{base}?file=left.txt")
        assert "1 more lines of this file" in alone
        assert "unit-01-left" in desk.shown(f"{base}?file=left.txt&from=1")
        assert desk.get(f"{base}?file=nothing").status == 404


def test_findings_are_answered_closed_and_rejected_by_a_person(flow: FlowDesk) -> None:
    flow.at_stage_gate()
    for title in ("One", "Two", "Three"):
        flow.ok("feedback", "add", title)
    base = f"/p/{project_key(str(flow.root))}/i/{SLUG}"
    with served(str(flow.root)) as desk:
        for finding, what in (("FB-01", "reply"), ("FB-02", "close"), ("FB-03", "reject")):
            came = desk.post(f"{base}/reply", {"stage": "build", "finding": finding, "what": what, "text": "My word."})
            assert came.status == 303, came.text
        assert desk.post(f"{base}/reply", {"stage": "build", "finding": "FB-99", "text": "x"}).status == 409
        assert desk.post(f"{base}/say", {"text": " "}).status == 409
        assert desk.post(f"{base}/decide", {"decision": "maybe"}).status == 400
    states = {
        item.id: (item.status, [said["text"] for said in item.replies]) for item in flow.plan_now.stages[1].feedback
    }
    assert states == {
        "FB-01": ("pending", ["My word."]),
        "FB-02": ("closed", ["My word."]),
        "FB-03": ("rejected", ["My word."]),
    }


@pytest.mark.parametrize("decision", ["approved", "changes_requested"])
def test_after_a_decision_no_page_says_that_it_is_waited_for(flow: FlowDesk, decision: str) -> None:
    flow.at_stage_gate()
    project = f"/p/{project_key(str(flow.root))}"
    base = f"{project}/i/{SLUG}"
    waits = re.compile("waits? for you")
    with served(str(flow.root)) as desk:
        shown = desk.shown(base)
        assert waits.search(shown)
        assert waits.search(desk.shown(f"{base}/plan"))
        assert f'href="{base}"' in desk.shown("/")
        mark = re.search('name="shown" value="([^"]+)"', shown)
        assert mark is not None
        given = {"decision": decision, "shown": mark[1], "changes": "Say more."}
        assert desk.post(f"{base}/decide", given).status == 303
        for path in (base, f"{base}/plan", project):
            said = desk.shown(path).replace("Nothing waits for you", "")
            assert not waits.search(said), path
        assert f'href="{base}"' not in desk.shown("/")
        assert not [work for work in desk.get("/waiting.json").json if work["project"] == desk.root]
