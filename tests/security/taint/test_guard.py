"""Tests that make values harmless."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os, re, io, subprocess\nfrom flask import request, redirect, abort\n"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = request.args['x']\nif x in ('a', 'b'):\n    os.system(x)", []),
        ("x = request.args['x']\nif x in request.args:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif x not in ALLOWED:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nok = x in ALLOWED\nif ok:\n    os.system(x)", []),
        ("x = request.args['x']\nok = x in ALLOWED\nif not ok:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif x == 'a' or y:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif y and x == 'a':\n    os.system(x)", []),
        ("x = request.args['x']\nif not (x == 'a' or x == 'b'):\n    abort(400)\nos.system(x)", []),
        ("x = request.args['x']\nif isinstance(x, int):\n    os.system(x)", []),
        ("x = request.args['x']\nif isinstance(x, str):\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif type(x) == int:\n    os.system(x)", []),
        ("x = request.args['x']\nif len(x) == 3:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nassert x.isalnum()\nos.system(x)", []),
        ("x = request.args['x']\nif re.fullmatch(r'\\w+', x):\n    os.system(x)", []),
        ("x = request.args['x']\nif re.fullmatch(r'.+', x):\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif re.search(r'^[a-z]+$', x):\n    os.system(x)", []),
        ("x = request.args['x']\nif re.search(r'[a-z]+$', x):\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif not re.search(r'[^a-z0-9]', x):\n    os.system(x)", []),
        ("x = request.args['x']\nif re.search(r'[^a-z0-9]', x):\n    abort(400)\nos.system(x)", []),
        ("x = request.args['x']\nif not re.search(r'[a-z0-9]', x):\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif re.match(r'[^a-z0-9]', x):\n    abort(400)\nos.system(x)", ["command"]),
        ("b = re.compile('[^a-z]')\nx = request.args['x']\nif b.match(x):\n    abort(400)\nos.system(x)", ["command"]),
        ("b = re.compile('[^a-z]')\nx = request.args['x']\nif b.search(x):\n    abort(400)\nos.system(x)", []),
        ("x = request.args['x']\nif is_valid_name(x):\n    os.system(x)", []),
        ("x = request.args['x']\nif not is_path_inside(x, BASE):\n    abort(400)\nopen(x)", []),
        ("x = request.args['x']\nif not is_path_inside(x, BASE):\n    abort(400)\nos.system(x)", ["command"]),
        ("x = request.args['x']\nif is_under_limit(x):\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif ';' in x:\n    abort(400)\nos.system(x)", []),
        ("x = request.args['x']\nif ';' in x:\n    os.system(x)", ["command"]),
        ("x = request.args['x']\nif x.startswith('/srv/'):\n    open(os.path.abspath(x))", []),
        ("x = request.args['x']\nif x.startswith('https://a.example/'):\n    redirect(x)", []),
        ("x = request.args['x']\nif x.startswith('https'):\n    redirect(x)", ["redirect"]),
        ("x = request.args['x']\nif not x:\n    os.system(x)", []),
        ("x = request.args['x']\nif any(c in x for c in BAD):\n    abort(400)\nos.system(x)", []),
        ("x = [y for y in request.args.getlist('x') if y.isdigit()]\nos.system(x[0])", []),
    ],
)
def test_tests_are_believed_as_far_as_they_go(text: str, found: list[str]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("! Core::checkQuerySignature($_POST['q'], $_POST['sign'])", []),
        ("! Core::checkQuery($_POST['q'])", ["sql"]),
    ],
)
def test_a_signature_shows_who_wrote_a_value(test: str, found: list[str]) -> None:
    tree = parse(f"<?php\nif ({test}) {{ return; }}\n$db->query('SELECT 1 WHERE ' . $_POST['q']);\n", "php")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


@pytest.mark.parametrize(
    ("test", "use", "found"),
    [
        ("isFileInside(req.query.x)", "fs.unlinkSync(req.query.x)", []),
        ("isFileInside(req.query.x)", "cp.exec('ls ' + req.query.x)", ["command"]),
        ("isWithinLimit(req.query.x)", "cp.exec('ls ' + req.query.x)", ["command"]),
        ("isLocalPath(req.query.x)", "cp.exec('ls ' + req.query.x)", ["command"]),
        ("isLocalUrl(req.query.x)", "res.redirect(req.query.x)", []),
        ("isSafe(req.query.x)", "cp.exec('ls ' + req.query.x)", []),
    ],
)
def test_a_check_of_where_a_path_leads_says_nothing_of_commands(test: str, use: str, found: list[str]) -> None:
    head = "const fs = require('fs'), cp = require('child_process');\n"
    tree = parse(f"{head}app.get('/', (req, res) => {{ if ({test}) {{ {use}; }} }});\n", "javascript")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("fs.readFileSync(f)", True),
        ("fs.unlinkSync(f)", True),
        ("res.sendFile(f)", True),
        ("fs.unlinkSync('/' + f)", True),
        ("fs.unlinkSync(f + suffix)", True),
        ("fs.unlinkSync(f + '.txt')", False),
        ("fs.unlinkSync(path.resolve(BASE, f))", True),
        ("fs.unlinkSync(path.resolve(BASE, '.' + f))", False),
        ("fs.unlinkSync(BASE + f)", False),
        ("fs.unlinkSync(path.join(BASE, f))", False),
        ("fs.unlinkSync(path.join(BASE, f.slice(1)))", False),
    ],
)
def test_a_path_cleaned_from_the_root_is_any_file_by_itself(use: str, is_found: bool) -> None:  # noqa: FBT001 - a column
    head = "const fs = require('fs'), path = require('path');\n"
    body = f"const f = path.normalize('/' + req.query.p); {use};"
    tree = parse(f"{head}app.get('/', (req, res) => {{ {body} }});\n", "javascript")
    assert tree is not None
    assert any(flow.kind == "path" and flow.confidence > 0.85 for flow in find_flows(tree)) == is_found


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ('os.ReadFile(path.Clean("/" + p))', True),
        ('os.ReadFile(filepath.Join("/", path.Clean("/" + p)))', True),
        ('os.ReadFile(filepath.Join(base, path.Clean("/" + p)))', False),
        ('os.ReadFile(filepath.Join(base, filepath.FromSlash(path.Clean("/" + p))))', False),
        ('os.ReadFile("/srv" + path.Clean("/" + p))', False),
    ],
)
def test_so_it_is_in_go(use: str, is_found: bool) -> None:  # noqa: FBT001 - a column
    head = 'package m\nimport ("net/http"; "os"; "path"; "path/filepath")\n'
    body = f'p := r.URL.Query().Get("p")\nb, _ := {use}\nuse(b)'
    tree = parse(f"{head}func h(w http.ResponseWriter, r *http.Request) {{\n{body}\n}}\n", "go")
    assert tree is not None
    assert any(flow.kind == "path" and flow.confidence > 0.85 for flow in find_flows(tree)) == is_found


_EXPRESS = "const { execSync } = require('child_process')\napp.post('/x', (req, res) => {\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (req.body.kind === 'a') execSync('ping ' + req.body.host)", ["command"]),
        ("const m = JSON.parse(req.body); if (m.kind === 'a') execSync('ping ' + m.host)", ["command"]),
        ("const { kind, host } = req.body; switch (kind) { case 'a': execSync('ping ' + host) }", ["command"]),
        ("if (req.body.host === 'a') execSync('ping ' + req.body.host)", []),
        ("const m = JSON.parse(req.body); if (HOSTS.includes(m.host)) execSync('ping ' + m.host)", []),
    ],
)
def test_a_test_of_one_field_says_nothing_of_another(body: str, found: list[str]) -> None:
    tree = parse(f"{_EXPRESS}{body}\n}})\n", "javascript")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


def test_that_nothing_failed_says_nothing_of_what_was_read() -> None:
    tree = parse(
        """package a
import ("net/http"; "os/exec")
func h(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie("name")
	if err != nil { return }
	exec.Command("sh", "-c", "ls "+c.Value).Run()
}
""",
        "go",
    )
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == ["command"]


@pytest.mark.parametrize(
    ("test", "sure"),
    [
        ("x.startswith('/')", 0.8),
        ("x.startswith('/') and not x.startswith('//')", 0.0),
        ("x.startswith('/') and x[1] != '/'", 0.0),
    ],
)
def test_a_slash_alone_does_not_keep_a_redirect_here(test: str, sure: float) -> None:
    code = f"@app.get('/')\ndef f():\n    x = request.args['x']\n    if {test}:\n        return redirect(x)\n"
    tree = parse(HEAD + code, "python")
    assert tree is not None
    assert max((flow.confidence for flow in find_flows(tree)), default=0.0) == sure


@pytest.mark.parametrize(("is_asked", "found"), [(True, []), (False, ["path"])])
def test_what_is_relative_and_does_not_climb_stays_below(is_asked: bool, found: list[str]) -> None:  # noqa: FBT001 - a column
    asked = 'if strings.HasPrefix(rel, ".."+string(os.PathSeparator)) { return errOutside }' if is_asked else ""
    tree = parse(
        f"""package a
import ("net/http"; "os"; "path/filepath"; "strings")
func h(w http.ResponseWriter, r *http.Request) error {{
	path := filepath.Join("/srv", r.FormValue("name"))
	rel, err := filepath.Rel("/srv", path)
	if err != nil {{ return err }}
	{asked}
	return os.Remove(path)
}}
""",
        "go",
    )
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


_PHP = "<?php\nfunction show($db) {{\n  $n = $_GET['n'];\n  {}\n  mysqli_query($db, \"SELECT * FROM t WHERE n = '$n'\");\n}}\n"


@pytest.mark.parametrize(
    ("check", "is_found"),
    [
        ("if ($n != 'a' AND $n != 'b') { return; }", False),
        ("if ($n == 'a' OR $n == 'b') { return; }", True),
        ("$form = '/^[a-z]{1,9}$/'; if (!preg_match($form, $n)) { return; }", False),
        ("$form = '/[a-z]/'; if (!preg_match($form, $n)) { return; }", True),
    ],
)
def test_php_writes_operators_as_words_and_patterns_under_names(check: str, is_found: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(_PHP.format(check), "php")
    assert tree is not None
    assert bool(find_flows(tree)) is is_found
