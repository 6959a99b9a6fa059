"""What well-kept applications do every day: answers that are no page, values nobody chose, names that were checked.

Each stands beside a twin in which a stranger's value does reach a page, a path or a query.
"""

from __future__ import annotations

import pytest

from leeboard.rules.injection import DENIED_ABOVE
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_EXPRESS = 'const express = require("express");\nconst app = express();\n'
_FASTIFY = 'const fastify = require("fastify")();\n'
_FLASK = "from flask import Flask, request, redirect\nimport os\napp = Flask(__name__)\n@app.route('/x')\n"
_DJANGO = "from django.http import HttpResponse, HttpResponseRedirect\n"

_SERVLET = """
import javax.servlet.http.*;
class Show extends HttpServlet {
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.getWriter().println("<p>" + VALUE + "</p>");
  }
}
"""

TWINS = {
    "JSON is no page": (
        "php",
        '<?php\necho $_GET["q"];\n',
        '<?php\necho json_encode(["q" => $_GET["q"]]);\n',
    ),
    "a list of songs is no page": (
        "javascript",
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.setHeader("Content-Type", "text/html"); res.send("<p>" + req.query.q); }});\n',
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.setHeader("Content-Type", "application/x-mpegurl"); res.send("#" + req.query.q); }});\n',
    ),
    "what came back for a request of one's own": (
        "javascript",
        f'{_EXPRESS}app.post("/", async (req, res) => {{ const sent = await req.json(); res.send("<p>" + sent.q); }});\n',
        f'{_EXPRESS}app.post("/", async (_, res) => {{ const req = await fetch(URL); const sent = await req.json(); res.send("<p>" + sent.q); }});\n',
    ),
    "a filter for pages": (
        "java",
        _SERVLET.replace("VALUE", 'request.getParameter("q")'),
        _SERVLET.replace("VALUE", 'HTMLFilter.filter(request.getParameter("q"))'),
    ),
    "a quoted name of a column": (
        "php",
        '<?php\n$db->query("SELECT * FROM " . $_GET["t"]);\n',
        '<?php\n$db->query("SELECT * FROM " . Util::backquote($_GET["t"]));\n',
    ),
    "a reply is plain text until it has a type": (
        "javascript",
        f'{_FASTIFY}fastify.get("/", (request, reply) => {{ reply.type("text/html").send("<p>" + request.query.q); }});\n',
        f'{_FASTIFY}fastify.get("/", (request, reply) => {{ reply.send("No " + request.query.q); }});\n',
    ),
    "a record is sent as JSON": (
        "javascript",
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.send("<p>" + req.query.q); }});\n',
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.status(400).send({{ error: req.query.q }}); }});\n',
    ),
    "events are no page": (
        "javascript",
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.write(`<p>${{req.query.q}}`); }});\n',
        f'{_EXPRESS}app.get("/", (req, res) => {{ res.write(`data: ${{req.query.q}}\\n\\n`); }});\n',
    ),
    "the path the server gave an upload": (
        "javascript",
        f'{_EXPRESS}const fs = require("fs");\napp.post("/", (req, res) => {{ fs.unlinkSync("up/" + req.file.originalname); }});\n',
        f'{_EXPRESS}const fs = require("fs");\napp.post("/", (req, res) => {{ fs.unlinkSync(req.file.path); }});\n',
    ),
    "a file below a root": (
        "javascript",
        f'{_EXPRESS}app.get("/*", (req, res) => {{ res.sendFile(req.params[0]); }});\n',
        f'{_EXPRESS}const opts = {{ root: "dist" }};\napp.get("/*", (req, res) => {{ res.sendFile(req.params[0], opts); }});\n',
    ),
    "what a middleware put on the request": (
        "python",
        f"{_DJANGO}def show(request):\n    return HttpResponse('<p>' + request.GET['q'])\n",
        f"{_DJANGO}def show(request):\n    return HttpResponse('<p>' + request.tenant.motto)\n",
    ),
    "back to where somebody came from": (
        "python",
        f"{_FLASK}def back():\n    return redirect(request.args.get('next'))\n",
        f"{_FLASK}def back():\n    return redirect(request.headers.get('Referer'))\n",
    ),
    "errors of a form that somebody else wrote": (
        "python",
        f"{_DJANGO}def show(request):\n    return HttpResponse(str(request.POST['q']))\n",
        f"{_DJANGO}def show(request):\n    form = make_form(request.POST)\n    return HttpResponse(str(form.errors))\n",
    ),
    "an address that the client may use": (
        "python",
        f"{_DJANGO}def go(request):\n    uri = request.GET['uri']\n    return HttpResponseRedirect(uri)\n",
        (
            f"{_DJANGO}def go(request):\n    uri = request.GET['uri']\n"
            "    if not client.allow_redirect_uri(uri):\n        raise ValueError\n    return HttpResponseRedirect(uri)\n"
        ),
    ),
    "a method of a family": (
        "ruby",
        "class C < ApplicationController\n  def x\n    Setting.send(params[:name], 1)\n  end\nend\n",
        'class C < ApplicationController\n  def x\n    Setting.send("plugin_#{params[:name]}=", 1)\n  end\nend\n',
    ),
}


def _surest(language: str, code: str) -> float:
    tree = parse(code, language)
    assert tree is not None
    return max((flow.confidence for flow in find_flows(tree)), default=0.0)


@pytest.mark.parametrize(("language", "unsafe"), [twins[:2] for twins in TWINS.values()], ids=TWINS)
def test_a_stranger_reaches_it(language: str, unsafe: str) -> None:
    assert _surest(language, unsafe) > DENIED_ABOVE


@pytest.mark.parametrize(("language", "safe"), [(twins[0], twins[2]) for twins in TWINS.values()], ids=TWINS)
def test_its_twin_is_at_most_noted(language: str, safe: str) -> None:
    assert _surest(language, safe) < 0.5
