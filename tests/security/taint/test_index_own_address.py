"""Who is sent to the address he came to stays here; what is read from it under a name is the client's again."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_GO = """package m
import "net/http"
func h(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, %s, 302)
}
"""


_GIN = """package m
import "github.com/gin-gonic/gin"
func h(c *gin.Context) { c.Redirect(302, %s) }
"""
_KIT = """import { redirect } from '@sveltejs/kit';
export async function load({ params, url }) {
  throw redirect(302, %s);
}
"""


def _kinds(code: str, language: str) -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [flow.kind for flow in find_flows(tree) if flow.confidence > 0.5]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "location.href = location.href;\n"),
        ("javascript", "window.location.href = window.location.protocol + '//' + window.location.host + '/x';\n"),
        ("javascript", "app.get('/', (req, res) => { res.redirect('https://' + req.hostname + req.originalUrl); });\n"),
        ("javascript", "$('.tabs a[href=\"' + window.location.hash + '\"]').tab('show');\n"),
        ("php", "<?php header('Location: https://' . $_SERVER['HTTP_HOST'] . $_SERVER['REQUEST_URI']);\n"),
        ("typescript", _KIT % "url.href.replace(params.lang, 'en')"),
        ("typescript", _KIT % "url.origin + '/start'"),
        ("typescript", _KIT % "`/${params.lang}/start`"),
        ("javascript", "fastify.get('/', (request, reply) => { reply.redirect(request.raw.url); });\n"),
        ("javascript", "router.get('/', async (ctx) => { ctx.redirect(ctx.request.url); });\n"),
        ("javascript", "app.get('/', (req, res) => { request.get(`http://localhost:${port}${req.path}`); });\n"),
        ("go", _GIN % 'c.Request.URL.Path + "/"'),
        (
            "go",
            _GO % 'r.URL.Path+"/"',
        ),
    ],
)
def test_the_own_address_is_no_target_of_an_attack(language: str, code: str) -> None:
    assert not _kinds(code, language)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "location.href = new URLSearchParams(location.search).get('next');\n"),
        ("javascript", "document.body.innerHTML = location.hash;\n"),
        ("php", "<?php header('Location: ' . $_GET['next']);\n"),
        ("typescript", _KIT % "url.searchParams.get('next')"),
        ("typescript", _KIT % "`/${params.lang}`"),
        ("typescript", _KIT % "params.to"),
        ("javascript", "router.get('/', async (ctx) => { ctx.redirect(ctx.query.next); });\n"),
        (
            "javascript",
            "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nserver.tool('load', {}, async ({ url }) => { await fetch(url); });\n",
        ),
        ("javascript", "app.get('/', (req, res) => { request.get(`http://localhost:${port}${req.query.path}`); });\n"),
        ("go", _GIN % 'c.Query("next")'),
        (
            "go",
            _GO % 'r.URL.Query().Get("next")',
        ),
    ],
)
def test_what_is_read_from_it_is_one(language: str, code: str) -> None:
    assert _kinds(code, language)


def test_the_command_line_and_uploaded_files_are_the_machines_own() -> None:
    assert not _kinds("<?php copy($_SERVER['argv'][0] . '/x', 'y');\n", "php")
    assert not _kinds("<?php readfile('/x/' . $_FILES['a']['tmp_name']);\n", "php")
    assert _kinds("<?php readfile('/x/' . $_FILES['a']['name']);\n", "php")
    assert not _kinds('package main\nimport "os"\nfunc main() { os.ReadFile("/x/" + os.Args[1]) }\n', "go")
