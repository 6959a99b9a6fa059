"""Sessions over plain requests: pages, filters, why, and words that are refused."""

from __future__ import annotations

import re

from leeboard.app.views.projects import project_key
from tests.web_desk import served
from tests.web_showcase import Showcase


def test_lists_filters_and_the_reason_of_an_answer(world: Showcase) -> None:
    world.with_sessions()
    key = project_key(str(world.workshop))
    with served(str(world.workshop)) as desk:
        assert desk.shown("/sessions").count("<tr data-session") == 2
        assert desk.shown(f"/sessions?project={key}&status=active").count("<tr data-session") == 2
        assert "No session is like that" in desk.shown("/sessions?status=completed")
        assert desk.get("/sessions?project=nothing").status == 404
        assert desk.get("/sessions?after=nonsense-x").status == 400
        told = desk.get("/sessions.json").json
        assert {row["id"] for row in told["sessions"]} == {"a901-clean", "7f3c-drifting"}
        shown = desk.shown("/session?id=7f3c-drifting")
        (verdict, *_) = re.findall(r"/why\?id=(v[0-9a-f]+)", shown)
        assert "Trace" in desk.shown(f"/why?id={verdict}")
        assert desk.get("/why?id=v0000").status == 404
        assert "<strong>Inspected.</strong>" in desk.shown("/session?id=a901-clean")
        assert "scope_drift" in desk.shown("/trends")


FLOW = """import sqlite3
from flask import Flask, request

app = Flask(__name__)


@app.route("/find")
def find():
    return str(sqlite3.connect("a").execute(f"select * from t where a = '{request.args['q']}'"))
"""


def test_people_read_rules_by_their_code_and_no_class_of_a_format(world: Showcase) -> None:
    world.with_sessions()
    world.drifting.propose("Write", {"file_path": str(world.workshop / "src/auth/find.py"), "content": FLOW})
    with served(str(world.workshop)) as desk:
        shown = desk.shown("/session?id=7f3c-drifting&all=1")
        pages = [shown, *(desk.shown(f"/why?id={each}") for each in {*re.findall(r"/why\?id=(\w+)", shown)})]
    told = [re.sub("<[^>]+>", " ", page) for page in pages]
    assert any("sql sink" in page and "LB-" in page for page in told)
    assert not [found for page in told for found in re.findall(r"\b(?:CLASS-)?[A-DV]\d?:|CLASS-", page)]


def test_no_word_is_taken_without_a_reason(world: Showcase) -> None:
    world.with_sessions()
    with served(str(world.workshop)) as desk:
        query = "?id=7f3c-drifting"
        given = {"id": "7f3c-drifting", "reason": " "}
        assert desk.post(f"/session/allow{query}", {**given, "what": "tangent"}).status == 409
        assert desk.post(f"/session/widen{query}", {**given, "paths": "src"}).status == 409
        assert desk.post(f"/session/widen{query}", {**given, "paths": " "}).status == 409
        assert (
            desk.post(f"/session/widen{query}", {"id": "7f3c-drifting", "paths": "/etc/../..", "reason": "x"}).status
            == 409
        )
        assert desk.post(f"/session/rebaseline{query}", {**given, "reason": "so"}).status == 409
        assert desk.post("/session/allow?id=nobody", {"id": "nobody"}).status == 404
        secret = "password=hunter2-Zk3JqP9vX2mN8rT4wB7yL6d"
        came = desk.post(f"/session/allow{query}", {**given, "what": "tangent", "reason": f"because {secret}"})
        assert came.status == 303
        assert secret not in desk.shown("/session?id=7f3c-drifting")
