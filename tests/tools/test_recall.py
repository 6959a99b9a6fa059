"""The bench of what others have labelled, on labels made up here."""

from __future__ import annotations

import re
from pathlib import Path

from tools import recall
from tools.labelled import READERS, Case
from tools.recall import Figures

_PYTEST = """
import pytest
from textwrap import dedent
HEADER = "from flask import request\\nimport os\\n"

def _scan(tmp_path, body, name="app.py"):
    (tmp_path / "setup.cfg").write_text("[metadata]\\nname = x")
    path = tmp_path / name
    path.write_text(HEADER + dedent(body))
    return scan(path)

def test_found(tmp_path):
    assert "X1" in _scan(tmp_path, "os.system(request.args['q'])")

def test_nothing(tmp_path):
    found = _scan(tmp_path, "os.system('ls')")
    assert found == []

@pytest.mark.parametrize("line", ["eval(request.args['a'])", "exec(request.args['b'])"])
def test_each(tmp_path, line):
    assert len(_scan(tmp_path, line)) == 1

def test_of_something_else(tmp_path):
    found = _scan(tmp_path, "print('hello you')")
    assert found[0].severity == "HIGH"

class TestJs:
    RULE = "X2"

    def _hits(self, text):
        return self.engine("javascript").run(text)

    def test_it(self):
        for text in ("eval(req.query.code)",):
            assert not self._hits(text)
"""
_RULE_TESTER = """
const bad = 'eval(' + 'req.query.code)'
tester.run('eval', rule, {valid: [{code: 'eval("1")'}], invalid: [{code: bad, errors: [{}]}, `exec(x)`]})
"""


def _read(form: str, files: dict[str, str], folder: Path) -> list[Case]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return list(READERS[form](folder, r"\.(?:py|js)$"))


def test_tests_are_read_without_being_run(tmp_path: Path) -> None:
    header = "from flask import request\nimport os\n"
    read = _read("pytest", {"test_it.py": _PYTEST}, tmp_path)
    assert [(case.path, case.text.removeprefix(header), case.expected) for case in read] == [
        ("app.py", "os.system(request.args['q'])", 1),
        ("app.py", "os.system('ls')", 0),
        ("app.py", "eval(request.args['a'])", 1),
        ("app.py", "exec(request.args['b'])", 1),
        ("app.js", "eval(req.query.code)", 0),
    ]


def test_labels_of_folders_lists_and_counts(tmp_path: Path) -> None:
    folders = _read("folders", {"r1/tp/a.py": "eval(x)", "r1/tn/b.py": "1", "c.py": "2"}, tmp_path / "folders")
    assert {(case.path, case.expected) for case in folders} == {("a.py", 1), ("b.py", 0)}
    lists = _read("rule-tester", {"eval.js": _RULE_TESTER}, tmp_path / "lists")
    assert [(case.text, case.expected) for case in lists] == [
        ('eval("1")', 0),
        ("eval(req.query.code)", 1),
        ("exec(x)", 1),
    ]
    test = (
        "class T:\n def test_eval(self):\n"
        "  expect = {'SEVERITY': {'UNDEFINED': 0, 'LOW': 1, 'MEDIUM': 2, 'HIGH': 1}}\n"
        "  self.check_example('eval.py', expect)\n"
    )
    counts = _read("counts", {"examples/eval.py": "eval(x)", "tests/f/test_f.py": test}, tmp_path / "counts")
    assert [(case.path, case.expected) for case in counts] == [("eval.py", 3)]


def test_what_is_heard_is_counted_by_weakness_and_what_is_safe_by_text() -> None:
    chosen = [
        Case(
            name="a",
            path="app.py",
            text="import os\nfrom flask import request\nos.system(request.args['q'])\n",
            expected=1,
        ),
        Case(name="b", path="app.js", text="const a = 1\n", expected=0),
    ]
    heard, silent = recall.scan(chosen, jobs=1)
    assert [(one["disposition"], one["line"]) for one in heard] == [("FIRE", 3)]
    assert silent == []
    figures = Figures()
    figures.add(chosen[0], 1, 2)
    figures.add(chosen[1], 1, 1)
    assert figures.row() == "1 | 1 | 100 % | 100 % | 1 | 1 | 50 %"


def test_the_page_shows_every_set_that_is_pinned() -> None:
    page = (recall.LIST.parent.parent / "recall.md").read_text()
    pinned = recall.load()
    assert re.findall(r"(?m)^\| (\S+ \S+) \| counted", page) == [f"{one.name} {one.version}" for one in pinned]
    assert all(re.fullmatch(r"[0-9a-f]{64}", one.sha256) and one.format in READERS for one in pinned)
