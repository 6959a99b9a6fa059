"""What is worth a look and no refusal."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os, re, io, subprocess\nfrom flask import request, redirect, abort\n"
MODEL = "const User = require('./models/user'); "
GO = """package m
import ("log"; "net/http"; "net/url")
func h(w http.ResponseWriter, r *http.Request) {{
    next := r.URL.Query().Get("next")
    {before}
    http.Redirect(w, r, next, 302)
}}
"""


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("def f():\n    return redirect(request.args['next'])", True),
        ("def f():\n    return redirect('https://' + request.args['host'])", True),
        ("def f(self):\n    return redirect(self.url + request.args['x'])", False),
        (
            "def f():\n    url = request.args['next']\n    if urlparse(url).netloc and not known(url):\n        url = '/'\n    return redirect(url)",
            False,
        ),
        (
            "def f():\n    url = request.args['u']\n    host = urlparse(url).hostname\n    if known(host):\n        count(host)\n    return redirect(url)",
            False,
        ),
        (
            "def f():\n    url = request.args['u']\n    app.logger.info('%s in', urlparse(url).hostname)\n    return requests.get(url).text",
            True,
        ),
        (
            "def f():\n    url = request.args['u']\n    host = urlparse(url).hostname\n    app.logger.info(host)\n    return redirect(url)",
            True,
        ),
        (
            "def f():\n    hostname = socket.gethostname()\n    if hostname == 'a':\n        wait()\n    return redirect(request.args['next'])",
            True,
        ),
        (
            "def f():\n    return redirect('https://' + request.headers['X-Forwarded-Host'] + '/login')",
            True,
        ),
        ("def f():\n    return '<h1>' + request.args['header']", True),
        ("def f():\n    return '<h1>' + request.args.get('user_agent')", True),
        ("def f():\n    return '<h1>' + request.headers['User-Agent']", False),
    ],
)
def test_an_address_that_somebody_looks_at_is_no_refusal(text: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"{HEAD}import requests, socket\nfrom urllib.parse import urlparse\n@app.get('/')\n{text}\n", "python")
    assert tree is not None
    assert any(flow.confidence > 0.85 for flow in find_flows(tree)) == is_refused


@pytest.mark.parametrize(
    ("language", "code", "is_refused"),
    [
        ("php", "<?php echo $_GET['q'];", True),
        (
            "python",
            "from flask import request\n@app.get('/')\ndef f():\n    return open(request.form['a']).read()",
            True,
        ),
        (
            "python",
            "from flask import request\n@app.get('/')\ndef f():\n    return open(request.form['a.' + suffix()]).read()",
            False,
        ),
        ("php", "<?php echo $_SERVER['HTTP_REFERER'];", True),
        ("php", "<?php echo $_POST['header'];", True),
        ("php", "<?php echo $_GET['user_agent'];", True),
        ("php", "<?php echo $_GET['HTTP_X_FORWARDED_FOR'];", True),
        ("javascript", "app.get('/', (req, res) => { res.send('<h1>' + req.query.header); });", True),
        ("javascript", "app.get('/', (req, res) => { res.send('<h1>' + req.headers.accept); });", False),
        (
            "javascript",
            "app.get('/', (req, res) => { res.redirect('https://' + req.headers['x-forwarded-host'] + '/a'); });",
            True,
        ),
        ("go", GO.format(before="log.Println(r.Host)"), True),
        ("go", GO.format(before="u, err := url.Parse(next)\nif err != nil { return }\nlog.Println(u.Host)"), True),
        ("go", GO.format(before="u, err := url.Parse(next)\nif known(u.Host) { log.Println(err) }"), False),
        ("php", "<?php echo $_SERVER['HTTP_X_FORWARDED_FOR'];", False),
        ("php", "<?php system($_SERVER['HTTP_X_FORWARDED_FOR']);", True),
        (
            "php",
            "<?php if (!preg_match('/[^A-Za-z]/', $_GET['p'])) { readfile('/a/' . $_GET['p'] . '/b.xml'); }",
            False,
        ),
        ("javascript", "app.post('/', (req, res) => { _.defaultsDeep({}, req.body); });", False),
        ("javascript", "const kept = document.cookie.split('=')[1]; eval(kept);", False),
        ("javascript", "eval(location.hash.slice(1));", False),
        ("javascript", "eval(new URLSearchParams(location.search).get('run'));", True),
        ("javascript", "place.innerHTML = new URLSearchParams(location.search).get('q');", True),
        ("javascript", "place.innerHTML = decodeURIComponent(location.hash);", False),
        (
            "javascript",
            "app.get('/', (req, res) => { res.send(Buffer.from(req.query.q).toString('base64')); });",
            False,
        ),
        ("javascript", "app.get('/', (req, res) => { res.send(Buffer.from(req.query.q).toString()); });", True),
        ("javascript", "app.post('/', (req, res) => { User.findOne({ name: new RegExp(req.body.name) }); });", False),
        ("javascript", "app.post('/', (req, res) => { User.findOne({ name: req.body.name }); });", False),
        (
            "javascript",
            MODEL + "app.post('/', (req, res) => { User.findOne({ a: req.body.a, b: req.body.b }); });",
            True,
        ),
        (
            "javascript",
            MODEL + "app.post('/', (req, res) => { User.findOneAndUpdate({ a: req.body.a }, { b: 1 }); });",
            True,
        ),
        ("javascript", MODEL + "app.post('/', (req, res) => { User.findOne({ where: { a: req.body.a } }); });", False),
        ("javascript", MODEL + "app.post('/', (req, res) => { User.updateMany(req.body); });", False),
        ("javascript", MODEL + "app.post('/', (req, res) => { User.deleteMany(req.body); });", False),
        (
            "javascript",
            "const m = require('mongoose'); app.post('/', (req, res) => { User.findOne({ name: req.body.name }); });",
            True,
        ),
        (
            "javascript",
            "const m = require('mongoose'); app.post('/', (req, res) => { User.findOne({ p: '/a/' + req.body.p }); });",
            False,
        ),
        ("javascript", "app.get('/', (req, res) => { res.redirect(req.query.to); });", True),
        ("javascript", "app.get('/', (req, res) => { res.redirect(req.headers.scgotourl); });", False),
        ("javascript", "app.get('/', (req, res) => { res.redirect(req.get('referer')); });", False),
        (
            "javascript",
            "app.get('/', (req, res) => { res.redirect(is_relative_url(req.query.to) ? req.query.to : '/'); });",
            False,
        ),
        ("javascript", "app.get('/', (req, res) => { https.get({ host: HOST, headers: req.headers }); });", False),
        ("javascript", "app.get('/', (req, res) => { https.get({ host: req.query.host }); });", True),
        (
            "javascript",
            "app.get('/a/*', (req, res) => { axios.get('https://a.internal' + req.path.slice(2)); });",
            True,
        ),
        (
            "javascript",
            "app.get('/a/*', (req, res) => { axios.get('https://a.internal/' + req.path.slice(2)); });",
            False,
        ),
    ],
)
def test_what_only_comes_back_to_its_sender_is_no_refusal(language: str, code: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(code, language)
    assert tree is not None
    assert any(flow.confidence > 0.85 for flow in find_flows(tree)) == is_refused


@pytest.mark.parametrize(
    ("query", "is_refused"),
    [
        ("f\"SELECT * FROM t WHERE {a} = '{b}'\"", True),
        ("f\"INSERT INTO t VALUES ({a}, '{b}')\"", True),
        ("f\"UPDATE t SET {a} = '{b}' WHERE id = 1\"", True),
        ("f\"SELECT * FROM t WHERE {a} AND n = '{b}'\"", True),
        ('"SELECT * FROM t WHERE " + a', False),
        ('"SELECT * FROM t WHERE (" + a + ") ORDER BY n"', False),
        ('f"SELECT * FROM t WHERE {a} AND {b}"', False),
    ],
)
def test_a_column_or_a_value_is_no_clause(query: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = f"{HEAD}def f():\n    a, b = request.args['a'], request.args['b']\n    cursor.execute({query})\n"
    tree = parse(text, "python")
    assert tree is not None
    assert (max(flow.confidence for flow in find_flows(tree)) > 0.85) == is_refused


@pytest.mark.parametrize(
    ("sent", "is_queued"),
    [("$_SERVER['REQUEST_URI']", True), ("$_FILES['f']['name']", True), ("$_SERVER['HTTP_HOST']", False)],
)
def test_a_header_that_only_its_sender_gets_back_is_logged(sent: str, is_queued: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"<?php\necho '<b>' . {sent} . '</b>';\n", "php")
    assert tree is not None
    (flow,) = find_flows(tree)
    assert (0.5 < flow.confidence <= 0.8) is is_queued
    assert flow.confidence < 0.85


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("return open(f'/srv/{uuid4()}.{request.args[\"end\"]}', 'wb')", False),
        ("return open(f'/srv/{uuid4()}/{request.args[\"end\"]}', 'wb')", True),
    ],
)
def test_a_name_that_begins_with_a_fixed_text_leaves_no_folder(body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"from uuid import uuid4\nfrom flask import request\n@app.get('/')\ndef f():\n    {body}\n", "python")
    assert tree is not None
    assert (max(flow.confidence for flow in find_flows(tree)) > 0.85) is is_refused


def test_a_form_that_its_class_has_cleaned_is_queued() -> None:
    text = (
        "from django.shortcuts import redirect\nfrom django.views.generic import FormView\nclass Register(FormView):\n"
        "    def form_valid(self, form):\n        return redirect(form.cleaned_data['next'])\n"
    )
    tree = parse(text, "python")
    assert tree is not None
    assert [0.5 < flow.confidence <= 0.8 for flow in find_flows(tree)] == [True]


@pytest.mark.parametrize(
    ("sent", "is_refused"),
    [
        ("__dirname + '/static/' + req.params.name", False),
        ("path.join(__dirname, 'static', req.params.name)", True),
        ("req.query.name", True),
    ],
)
def test_what_sends_files_refuses_two_dots_that_it_is_shown(sent: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"app.get('/f/:name', (req, res) => {{ res.sendFile({sent}); }});\n", "javascript")
    assert tree is not None
    (flow,) = find_flows(tree)
    assert (flow.confidence > 0.85) is is_refused
    assert flow.confidence >= 0.8


@pytest.mark.parametrize(
    ("head", "is_refused"),
    [
        ("namespace PgAdmin\\Tables;", False),
        ("namespace Shop\\Orders;", True),
        ("$user = 'db_admin';", True),
        ("// the same login as phpMyAdmin", True),
    ],
)
def test_who_manages_a_database_sends_any_statement(head: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = f"<?php\n{head}\n$db->query('INSERT INTO log VALUES (\"' . $_POST['note'] . '\")');\n"
    tree = parse(text, "php")
    assert tree is not None
    (flow,) = find_flows(tree)
    assert (flow.confidence > 0.85) is is_refused
    assert flow.confidence >= 0.8


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("function all() { print_r($_SERVER); }", 0.8),
        ("function one() { print_r($_GET['a']); }", 0.92),
        ("function form() { echo '<input value=\"' . $_POST['csrf_token'] . '\">'; }", 0.8),
        ("function form() { echo '<input value=\"' . $_GET['csrf_token'] . '\">'; }", 0.92),
        ("function form() { foreach ($_GET as $k => $v) { echo \"<i title='$v'>\"; } }", 0.92),
        ("function form() { echo '<input value=\"' . $_POST['token'] . '\">'; }", 0.92),
    ],
)
def test_what_a_page_of_php_shows_of_a_request(text: str, confidence: float) -> None:
    tree = parse(f"<?php\n{text}\n", "php")
    assert tree is not None
    assert [flow.confidence for flow in find_flows(tree)] == [confidence]


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("cache.knex.raw(req.query.sql)", 0.8),
        ("redis.client.query(req.query.sql)", 0.0),
        (r"if (/^\/[^/]/.test(req.query.to)) res.redirect(req.query.to)", 0.8),
        (r"if (/^\/[^/\\]/.test(req.query.to)) res.redirect(req.query.to)", 0.0),
    ],
)
def test_what_a_script_is_served_with(body: str, confidence: float) -> None:
    tree = parse(f"app.get('/', (req, res) => {{ {body}; }});\n", "javascript")
    assert tree is not None
    assert max((flow.confidence for flow in find_flows(tree)), default=0.0) == confidence


@pytest.mark.parametrize(
    ("head", "made", "confidence"),
    [
        ("from .page import formatter", "formatter.format(request.args['a'])", 0.45),
        ("from .page import loader", "loader.load(request.args['a'])", 0.45),
        ("from .page import pages", "pages.first.format(request.args['a'])", 0.92),
        ("from .page import PAGE", "PAGE.format(request.args['a'])", 0.92),
        ("page = '<p>{}</p>'", "page.format(request.args['a'])", 0.92),
    ],
)
def test_what_an_object_of_another_file_makes_of_it_is_not_known(head: str, made: str, confidence: float) -> None:
    code = f"{head}\nfrom flask import Flask, make_response, request\napp = Flask(__name__)\n"
    tree = parse(f"{code}@app.route('/')\ndef show():\n    return make_response({made})\n", "python")
    assert tree is not None
    assert [flow.confidence for flow in find_flows(tree) if flow.kind == "html"] == [confidence]


@pytest.mark.parametrize(
    ("call", "sureness"),
    [
        ("req.db.get('_design/' + req.params.id)", 0.45),
        ("req.db.query(req.params.id + '/' + req.params.view)", 0.45),
        ("req.db.query(`SELECT 1 FROM u WHERE n = '${req.params.id}'`)", 1.0),
        ("req.db.query(req.query.statement); notes.push('sql')", 0.8),
        ('req.db.query(req.params.id + "\' OR 1=1"); mysql.end()', 1.0),
        (
            "req.db.query(\"SELECT 1 FROM u WHERE n = '\" + req.params.id + \"'\"); req.db.query('FLUSH PRIVILEGES')",
            0.8,
        ),
    ],
)
def test_a_key_of_a_record_is_no_statement(call: str, sureness: float) -> None:
    tree = parse(f"app.get('/:id', (req, res) => {{ {call}; }});\n", "javascript")
    assert tree is not None
    found = max((flow.confidence for flow in find_flows(tree) if flow.kind == "sql"), default=0.0)
    assert (found <= sureness) if sureness < 1 else found > 0.85
