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
    assert least <= surest(f"import os, subprocess, tarfile\n{text}\n", "python") <= most


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
