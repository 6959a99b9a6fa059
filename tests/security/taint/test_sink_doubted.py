"""What is no value, no text or no host at a sink, each beside its harmful twin."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("print_r($_GET['q']);", True),
        ("note(print_r($_GET['q'], true));", False),
        ("print_r($_GET['q'], false);", True),
        ("echo print_r($_GET['q'], true);", True),
        ("readfile($_FILES[$name]['tmp_name']);", False),
        ("readfile('/up/' . $_FILES[$name]['name']);", True),
        ("assert(is_string($_GET['x']));", False),
        ("assert($_GET['x'] === 'a');", False),
        ("assert($_GET['x']);", True),
        ("$n = sprintf('%06d', $_GET['n']); unlink('/run/' . $n);", False),
        ("$n = sprintf('%06s', $_GET['n']); unlink('/run/' . $n);", True),
        ("$n = sprintf('%d%s', $_GET['n'], $_GET['m']); unlink('/run/' . $n);", True),
        ("echo sprintf(_n('%d file', '%d files', 2), $_GET['n']);", False),
        ("echo sprintf(_n('%s file', '%s files', 2), $_GET['n']);", True),
        ("echo __($_GET['n']);", True),
        (
            "foreach (known() as $v) { if ($v['n'] == $_GET['n']) { $ok = 1; } } $ok or no(); readfile('/v/' . $_GET['n']);",
            False,
        ),
        ("foreach (known() as $one) { if ($one['n'] == $x) { $ok = true; } } readfile('/v/' . $_GET['n']);", True),
        ("foreach (known() as $one) { if ($_GET['n'] == 'a') { $ok = true; } } readfile('/v/' . $_GET['n']);", True),
        ("$m = array(); $m[] = '<b>' . elsewhere($_GET['n']); echo implode(', ', $m);", False),
        ("$m = array(); $m[] = '<b>' . $_GET['n']; echo implode(', ', $m);", True),
        ("$s = preg_replace('/[^a-z0-9.\\-]/', '', $_GET['s']); require '/etc/app-' . $s . '.php';", False),
    ],
)
def test_in_php(body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    assert (surest(f"<?php\nfunction f($name) {{ {body} }}\n", "php") > 0.85) == is_refused


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("def f(name):\n    c.execute(f\"SELECT a FROM t WHERE n = '{name}'\")", 0.61, 0.85),
        ('def f(table_name):\n    c.execute(f"SELECT a FROM t WHERE n = {table_name}")', 0.0, 0.6),
        ("def f(order):\n    c.execute(f\"SELECT a FROM t WHERE id = '{order}'\")", 0.61, 0.85),
        ('def f(prefix):\n    c.execute("SELECT a FROM t WHERE p LIKE \'" + prefix + "%\'")', 0.61, 0.85),
        ("def f(name, order):\n    c.execute(f'SELECT a FROM t WHERE n = {name} ORDER BY {order}')", 0.61, 0.85),
        ("def f(order):\n    c.execute(f'SELECT a FROM t ORDER BY {order}')", 0.0, 0.6),
        ("def f(keys):\n    c.execute(f\"INSERT INTO t (a, {', '.join(keys)}) VALUES (1)\")", 0.0, 0.6),
        ("def f(v):\n    c.execute(f\"INSERT INTO t (a, b) VALUES (1, '{v}')\")", 0.61, 0.85),
        ('def f():\n    c.execute(f"SELECT a FROM t WHERE x = 1 AND {thing().clause}")', 0.0, 0.5),
        ("def f():\n    c.execute(f\"SELECT a FROM t WHERE x = '{thing().name}'\")", 0.51, 0.85),
        ("def f(self):\n    subprocess.Popen(self.made(), shell=os.name == 'nt')", 0.0, 0.5),
        ("def f(self):\n    mask = os.umask(0)\n    os.umask(mask)\ndef main():\n    f(1)\nmain()", 0.0, 0.5),
        ("def f(self):\n    mask = os.umask(0)\n    work(mask)\ndef main():\n    f(1)\nmain()", 0.51, 0.85),
        (
            "def f(tar):\n    for m in tar:\n        if not m.name.startswith(root):\n            raise E\n        tar.extract(m)",
            0.0,
            0.5,
        ),
        ("def f(tar):\n    for m in tar:\n        tar.extract(m)", 0.51, 0.85),
    ],
)
def test_in_python(text: str, least: float, most: float) -> None:
    assert (
        least
        <= surest(f"import os, subprocess, sqlite3, tarfile\nc = sqlite3.connect(p).cursor()\n{text}\n", "python")
        <= most
    )


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("self.addEventListener('fetch', (event) => { event.respondWith(fetch(event.request)); });", False),
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


@pytest.mark.parametrize(
    ("call", "is_refused"),
    [
        ("send_from_directory('static', path=name)", False),
        ("send_from_directory('static', name)", False),
        ("send_from_directory(name, 'a.css')", True),
        ("send_from_directory(directory=name, path='a.css')", True),
    ],
)
def test_what_keeps_a_file_below_its_folder(call: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = f"from flask import send_from_directory\n@app.route('/f/<path:name>')\ndef f(name):\n    return {call}\n"
    assert (surest(text, "python") > 0.85) == is_refused
