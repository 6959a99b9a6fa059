from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from leeboard.app.scan.at_rest import MOST, laid_to_rest
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan, Terms
from tests.leak import random_text

NAMED = f'secret = "{random_text(32, 1, "0123456789abcdef")}"\n'


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def rested(folder: Path) -> FileScan:
    target = Target("app.py", str(folder), "app.py")
    scanned = tuple(scan((target,), {str(folder): Terms()}, 1))
    (one,) = laid_to_rest((target,), scanned)
    return one


def commit(folder: Path) -> None:
    for line in ("init -q", "add app.py", "-c user.name=a -c user.email=a@b.c commit -qm start"):
        subprocess.run(("git", *line.split()), cwd=folder, check=True)


def test_a_line_that_git_has_lies_there_wherever_it_moved(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    commit(tmp_path)
    (tmp_path / "app.py").write_text(f"import os\n\nif True:\n    {NAMED}other_{NAMED}")
    seen = [(item.line, item.disposition, item.confidence) for item in rested(tmp_path).found]
    assert seen == [(4, "QUEUE", MOST), (5, "FIRE", 0.92)]


def test_what_git_does_not_take_lies_there(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    assert [item.disposition for item in rested(tmp_path).found] == ["QUEUE"]
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    assert [item.disposition for item in rested(tmp_path).found] == ["FIRE"]
    (tmp_path / ".gitignore").write_text("app.py\n")
    assert [item.disposition for item in rested(tmp_path).found] == ["QUEUE"]


def test_what_a_person_let_stand_is_told_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    target = Target("app.py", str(tmp_path), "app.py")
    (one,) = scan((target,), {}, 1)
    decided = replace(one, found=(), decided=one.found)
    (told,) = laid_to_rest((target,), (decided,))
    assert [item.disposition for item in told.decided] == ["QUEUE"]


@pytest.mark.parametrize("before", ["FIRE", "QUEUE"])
def test_what_a_rule_only_logs_there_is_noted_with_its_reason(tmp_path: Path, before: Literal["FIRE", "QUEUE"]) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    target = Target("app.py", str(tmp_path), "app.py")
    (one,) = scan((target,), {}, 1)
    asked = tuple(
        replace(item, disposition=before, at_rest="it has run for years", rests_at="LOG") for item in one.found
    )
    (told,) = laid_to_rest((target,), (replace(one, found=asked),))
    assert [(item.disposition, item.note) for item in told.found] == [("LOG", "it has run for years")]


PAGE = """from flask import Flask, request

app = Flask(__name__)


@app.route("/shown")
def shown():
    name = request.args["name"]
    return open("/srv/shown/" + name).read()
"""
CHECKED = PAGE.replace("    return", "    if name not in NAMES:\n        abort(404)\n    return")
"""A list of names stands between the request and the path."""


def paths_of(folder: Path, text: str) -> list[str]:
    (folder / "app.py").write_text(text)
    return [item.disposition for item in rested(folder).found]


def test_a_way_that_was_committed_before_is_worth_a_look(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(PAGE)
    commit(tmp_path)
    assert paths_of(tmp_path, PAGE) == ["QUEUE"]
    assert paths_of(tmp_path, f"import os\n\n{PAGE}\n\nSIZE = 4\n") == ["QUEUE"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PAGE.replace('request.args["name"]', '"index"'), PAGE),
        (CHECKED, PAGE),
        (PAGE.replace("    return", "    name += request.args['more']\n    return"), PAGE),
        (PAGE.replace('@app.route("/shown")\n', ""), PAGE),
    ],
    ids=["its source is new", "a check is gone", "a line on the way is gone", "a route makes it a handler"],
)
def test_a_way_with_a_line_that_is_new_or_gone_is_being_written(tmp_path: Path, before: str, after: str) -> None:
    (tmp_path / "app.py").write_text(before)
    commit(tmp_path)
    assert paths_of(tmp_path, after) == ["FIRE"]
