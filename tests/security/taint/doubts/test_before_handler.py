"""What a handler's parameter is in its address, and who is asked before it."""

from __future__ import annotations

import pytest

from leeboard.security.taint.doubts.flow_doubt import doubt
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

FLASK = "import os, subprocess\nfrom flask import Flask, send_file\napp = Flask(__name__)\n"


def _worst(text: str, language: str) -> tuple[float, str]:
    tree = parse(text, language)
    assert tree is not None
    return max(((flow.confidence, flow.doubt) for flow in find_flows(tree)), default=(0.0, ""))


@pytest.mark.parametrize(
    ("route", "use", "is_refused"),
    [
        ("/f/<name>", "send_file(os.path.join('/data', name))", False),
        ("/f/<string:name>", "send_file('/data/' + name)", False),
        ("/f/<path:name>", "send_file('/data/' + name)", True),
        ("/f/<name>", "subprocess.run('ls ' + name, shell=True)", True),
    ],
)
def test_a_segment_of_the_address_holds_no_slash(route: str, use: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    sure, why = _worst(f"{FLASK}@app.get('{route}')\ndef f(name):\n    return {use}\n", "python")
    assert (sure > 0.85) == is_refused
    assert is_refused or why == doubt("one_segment").why


def test_a_field_of_the_query_holds_any() -> None:
    text = "from fastapi import FastAPI\nfrom fastapi.responses import FileResponse\napp = FastAPI()\n"
    assert (
        _worst(f"{text}@app.get('/f')\ndef f(name: str):\n    return FileResponse('/d/' + name)\n", "python")[0] > 0.85
    )
    assert (
        _worst(f"{text}@app.get('/{{name}}')\ndef f(name: str):\n    return FileResponse('/d/' + name)\n", "python")[0]
        <= 0.8
    )


@pytest.mark.parametrize(
    ("between", "is_refused"),
    [
        ("", True),
        ("requireLogin, ", True),
        ("allowCors, ensureHttps, checkRateLimit, ", True),
        ("upload.single('a'), ", True),
        ("ensurePathExists, ", False),
        ("validate(schema), ", False),
        ("[check('p').isAlphanumeric()], ", False),
    ],
)
def test_what_stands_in_front_of_a_handler_may_check(between: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    head = "const { exec } = require('child_process'); const { check } = require('express-validator');\n"
    text = f"{head}app.post('/x', {between}(req, res) => {{ exec('ls ' + req.body.p); }});\n"
    sure, why = _worst(text, "javascript")
    assert (sure > 0.85) == is_refused
    assert is_refused or why == doubt("checked_before_handler").why


@pytest.mark.parametrize(
    ("mark", "is_refused"),
    [("extend_schema(summary='a')", True), ("invalidates_cache", True), ("validate_args(schema)", False)],
)
def test_what_documents_or_caches_an_answer_checks_nothing(mark: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = f"{FLASK}@app.get('/f/<name>')\n@{mark}\ndef f(name):\n    subprocess.run('ls ' + name, shell=True)\n"
    assert (_worst(text, "python")[0] > 0.85) == is_refused


@pytest.mark.parametrize(
    ("use", "why"),
    [
        ("return HttpResponse('no bug ' + bug_id)", "route_elsewhere"),
        ("return HttpResponse('no bug ' + request.GET['bug'])", ""),
        ("cursor.execute(f\"SELECT * FROM bugs WHERE id = '{bug_id}'\")", ""),
    ],
)
def test_a_part_of_an_address_whose_pattern_stands_in_another_file(use: str, why: str) -> None:
    text = f"from django.http import HttpResponse\nfrom django.views import View\nclass Bug(View):\n    def get(self, request, bug_id):\n        {use}\n"
    sure, told = _worst(text, "python")
    assert (sure > 0.85) is not bool(why)
    assert told == (doubt(why).why if why else "")


@pytest.mark.parametrize(
    ("route", "is_known"), [("/css/main.css", True), ("/css/:name", False), ("*", False), ("/css/*rest", False)]
)
def test_the_path_of_a_handler_of_one_address_is_known(route: str, is_known: bool) -> None:  # noqa: FBT001 - a column
    text = f"const fs = require('fs');\napp.get('{route}', (req, res) => {{ done(fs.readFileSync('static' + req.path)); }});\n"
    sure, why = _worst(text, "javascript")
    assert (sure < 0.5) == is_known
    for loose in (
        "app.use('/css', (req, res) => { done(fs.readFileSync('static' + req.path)); });",
        "app.get('/css', (req, res) => { done(fs.readFileSync('static' + req.url.slice(4))); });",
    ):
        assert _worst(f"const fs = require('fs');\n{loose}\n", "javascript")[0] > 0.5
    assert (why == doubt("fixed_address").why) == is_known
