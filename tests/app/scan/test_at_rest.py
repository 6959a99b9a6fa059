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


def test_a_line_that_git_has_lies_there_wherever_it_moved(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    for line in ("init -q", "add app.py", "-c user.name=a -c user.email=a@b.c commit -qm start"):
        subprocess.run(("git", *line.split()), cwd=tmp_path, check=True)
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


AROUND = (
    "import random\n\n\ndef login(password):\n    request = {'pid': random.randint(0, 1024), 'password': password}\n"
)
TOKEN = "\n\ndef new_token():\n    token = str(random.random())\n    return token\n"


def test_a_group_that_was_seldom_right_is_told_while_it_is_written_and_logged_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(AROUND + TOKEN)
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    assert [(item.line, item.disposition) for item in rested(tmp_path).found] == [(5, "QUEUE"), (9, "QUEUE")]
    for line in ("add app.py", "-c user.name=a -c user.email=a@b.c commit -qm start"):
        subprocess.run(("git", *line.split()), cwd=tmp_path, check=True)
    first, second = rested(tmp_path).found
    assert (first.disposition, first.note) == ("LOG", "names around it speak of a secret, its own does not")
    assert second.disposition == "QUEUE"
