"""What is no page, no path, no host and no operator, each beside its harmful twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse
from tests.security.taint.surest_flow import surest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("getattr(api, request.args['x'])", ["attribute"]),
        ("getattr(api, 'do_' + request.args['x'])", []),
        ("self.wfile.write(b'Location: ' + request.args['x'] + b'\\r\\n')", []),
        ("self.wfile.write(b'A: b\\r\\n\\r\\n' + request.args['x'])", ["html"]),
        ("zipfile.ZipFile(request.files['x'])", []),
        ("zipfile.ZipFile(request.files['x'].filename)", ["path"]),
        ("buf = io.BytesIO()\nbuf.write(request.data)\nsend_file(buf)", []),
        ("redirect(BASE + request.args.urlencode())", []),
        ("redirect('../' + request.args['x'] + '/summary')", []),
        ("redirect('//' + request.args['x'] + '/summary')", ["redirect"]),
    ],
)
def test_places_in_which_it_can_do_nothing(text: str, found: list[str]) -> None:
    tree = parse(f"import io, zipfile\nfrom flask import redirect, request, send_file\n{text}\n", "python")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("self.addEventListener('fetch', (event) => { event.respondWith(fetch(event.request)); });", False),
        (
            "const https = require('https'); app.use((req) => { at.path = req.url; at.headers = req.headers; https.get(at); });",
            False,
        ),
        ("const https = require('https'); app.use((req) => { at.host = req.query.a; https.get(at); });", True),
        ("export async function GET(event) { return fetch(event.request.headers.get('x-target')); }", True),
        ("export async function POST({ request }) { return fetch((await request.json()).url); }", True),
        ("const U = require('./models/user'); app.post('/', (req) => U.findOne({ mail: req.body.mail }));", True),
        ("const U = require('@/models/user'); app.post('/', (req) => U.findOne({ mail: req.body.mail }));", True),
        ("const U = require('@own/models/user'); app.post('/', (req) => U.findOne({ mail: req.body.mail }));", False),
        ("const U = require('./models/user'); app.post('/', (req) => U.findOne({ id: req.body.id }));", False),
        ("const u = new URL(window.location); out.innerHTML = `<b>${u.searchParams.get('q')}</b>`;", True),
    ],
)
def test_in_javascript(text: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    assert (surest(text + "\n", "javascript") > 0.85) == is_refused


@pytest.mark.parametrize(("kind", "is_page"), [("Kinds.MIME_TYPE_PLAIN", False), ("Kinds.MIME_TYPE_HTML", True)])
def test_a_constant_may_say_that_an_answer_is_no_page(kind: str, *, is_page: bool) -> None:
    body = f'response.setContentType({kind}); response.getWriter().println("Q = " + request.getParameter("q"));'
    text = f"class A extends HttpServlet {{ void doGet(HttpServletRequest request, HttpServletResponse response) {{ {body} }} }}"
    tree = parse(text, "java")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == (["html"] if is_page else [])
