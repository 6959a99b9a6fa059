"""What somebody looks at before it is used is no certain case, however badly he looks."""

from __future__ import annotations

import pytest

from leeboard.security.taint.doubts.flow_doubt import doubt
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

PHP = "<?php\nfunction show() {{\n  {}\n}}\n"
FLASK = "import os, re\nfrom flask import request\n@app.get('/')\ndef f():\n    {}\n"
EXPRESS = "const fs = require('fs');\napp.get('/f', (req, res) => {{\n  {}\n}});\n"


def _worst(text: str, language: str) -> tuple[float, str]:
    tree = parse(text, language)
    assert tree is not None
    return max(((flow.confidence, flow.doubt) for flow in find_flows(tree)), default=(0.0, ""))


@pytest.mark.parametrize(
    "body",
    [
        "if (filter_input(INPUT_GET, 'n', FILTER_VALIDATE_INT) === 0 || ok()) { $n = $_GET['n']; } echo $n;",
        "if (strpos($_GET['n'], '<') > 3) { log_it(); } echo $_GET['n'];",
        "$n = $_GET['n']; if (!preg_match('/^a/', $n)) { $bad[] = 1; } if ($bad) { no(); } echo $n;",
        "$n = $_GET['n']; if (file_exists($n)) { echo $n; }",
        "foreach (all() as $one) { if ($one == $_REQUEST['n']) { $found = 1; } } echo $_GET['n'];",
    ],
)
def test_a_look_in_front_of_it_makes_it_a_matter_for_a_look(body: str) -> None:
    sure, why = _worst(PHP.format(body), "php")
    assert 0.5 < sure <= 0.8
    assert why in {doubt("checked_in_path").why, doubt("unread_check").why}


@pytest.mark.parametrize(
    "body",
    [
        "if (isset($_GET['n'])) { echo $_GET['n']; }",
        "if (!empty($_GET['n']) && strlen($_GET['n']) < 20) { echo $_GET['n']; }",
        "if (strpos($_GET['m'], '<') > 3) { log_it(); } echo $_GET['n'];",
        "if ($_GET['n'] == 'a') { log_it(); } echo $_GET['n'];",
        "foreach (all() as $one) { if ($_GET['n'] == $one) { echo ' selected'; } } echo $_GET['n'];",
        "$n = $_GET['n']; for ($i = 0; $i < $n; $i++) { row(); } echo $n;",
        "echo $_GET['n']; if (!preg_match('/^a/', $_GET['n'])) { $bad[] = 1; }",
    ],
)
def test_whether_it_is_there_is_no_look(body: str) -> None:
    assert _worst(PHP.format(body.replace("; ", ";\n  ")), "php")[0] > 0.85


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("p = request.args['p']\n    if os.path.isfile(p):\n        return open(p).read()", True),
        ("p = request.args['p']\n    if p.endswith('.txt'):\n        return open(p).read()", False),
        ("p = request.args['p'].replace('../', '')\n    return open(p).read()", False),
        ("p = request.args['p'].replace(' ', '_')\n    return open(p).read()", True),
        ("p = request.args['p']\n    ok = re.match('[a-z]', p)\n    return open(p).read() if ok else ''", False),
        (
            "p = request.args['p']\n    q = request.args['q']\n    if q.endswith('x'):\n        return ''\n    return open(p).read()",
            True,
        ),
        ("d = request.form\n    if 'p' not in d:\n        return ''\n    return open(d['p']).read()", True),
        ("d = request.form\n    if 'p' in d['p']:\n        return ''\n    return open(d['p']).read()", False),
    ],
)
def test_in_python(body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    sure, _why = _worst(FLASK.format(body), "python")
    assert (sure > 0.85) == is_refused


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("const { a, b } = req.query;\n  if (!/^x/.test(a)) return;\n  fs.readFile(b, done);", True),
        ("const { a, b } = req.query;\n  if (!/^x/.test(b)) return;\n  fs.readFile(b, done);", False),
        ("const { a, b } = req.query;\n  if (a !== 'x') return;\n  fs.readFile(b, done);", True),
        ("const { a, b } = req.query;\n  if (b !== 'x') return;\n  fs.readFile(b, done);", False),
        (
            "const { a, b } = req.query;\n  if (!/^x/.test(b)) return;\n  wait(fs\n    .readdirSync(b).map(named));",
            False,
        ),
        ("if (!KINDS.includes(req.query.a)) return;\n  fs.readFile(req.query.b, done);", True),
        ("const { a, b } = req.query;\n  if (!K.includes(a)) return;\n  fs.readFile('/' + a + b, done);", True),
        ("const b = req.query.b;\n  if (b.indexOf('..') !== -1) return;\n  fs.readFile('/d/' + b, done);", False),
        ("const names = req.query.b.split(',').filter((n) => n.length > 3);\n  fs.readFile(names[0], done);", False),
    ],
)
def test_in_javascript(body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    sure, _why = _worst(EXPRESS.format(body), "javascript")
    assert (sure > 0.85) == is_refused


@pytest.mark.parametrize(
    ("check", "is_refused"),
    [
        ("return True", True),
        ("if not p:\n        raise ValueError('a path is needed')", True),
        ("return len(p) < 9", True),
        ("return SAFE.match(p)", False),
        ("return all(c in LETTERS for c in p)", False),
    ],
)
def test_a_function_that_only_calls_itself_a_check(check: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    body = "p = request.args['p']\n    if not is_valid(p):\n        return ''\n    return open(p).read()"
    sure, _why = _worst(f"def is_valid(p):\n    {check}\n{FLASK.format(body)}", "python")
    assert (sure > 0.85) == is_refused
