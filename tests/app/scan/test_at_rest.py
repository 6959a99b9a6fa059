from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from leeboard.app.scan.at_rest import MOST, laid_to_rest
from leeboard.app.scan.change import ChangeOptions
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.page import ScanOptions, scan_page
from leeboard.app.scan.target import Target, find_targets
from leeboard.app.scan.work import FileScan, Terms
from leeboard.model.verdict import Disposition, PlacedFinding
from tests.git_repository import GitRepository
from tests.leak import random_text

NAMED = f'secret = "{random_text(32, 1, "0123456789abcdef")}"\n'
ANOTHER = f'other_secret = "{random_text(32, 2, "0123456789abcdef")}"\n'
RUNS = 'import os\nfrom flask import request\n\n\ndef ping():\n    host = "a"\n    os.system("ping " + host)\n'
PINGS = RUNS.replace('"a"', 'request.args["host"]')
SECOND = '\n\ndef trace():\n    host = request.args["host"]\n    os.system("ping " + host)\n'
CHECKED = PINGS.replace("    os", '    if host not in ("a", "b"):\n        return\n    os')


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repo")


def scanned(place: Path, name: str = "app.py") -> tuple[tuple[Target, ...], FileScan]:
    targets, _ = find_targets([str(place / name)])
    (one,) = scan(targets, {}, 1)
    return targets, one


def rested(place: Path) -> FileScan:
    targets, one = scanned(place)
    (told,) = laid_to_rest(targets, (one,), {})
    return told


def weights(place: Path, name: str = "app.py") -> list[tuple[int, Disposition]]:
    """Of a file in which a rule says of all it finds that it is only logged where it lies."""
    targets, one = scanned(place, name)
    (told,) = laid_to_rest(targets, (replace(one, found=tuple(map(_logged_at_rest, one.found))),), {})
    return [(item.line, item.disposition) for item in told.found]


def _logged_at_rest(item: PlacedFinding) -> PlacedFinding:
    return replace(item, at_rest="it has run for years", rests_at="LOG")


def test_a_value_that_git_has_lies_there_wherever_it_moved(repo: GitRepository) -> None:
    repo.write("app.py", NAMED)
    repo.commit("start")
    repo.write("app.py", f"import os\n\nif True:\n    {NAMED}{ANOTHER}")
    seen = [(item.line, item.disposition, item.confidence) for item in rested(repo.path).found]
    assert seen == [(4, "QUEUE", MOST), (5, "FIRE", 0.92)]


def test_what_git_does_not_take_lies_there(tmp_path: Path) -> None:
    place = tmp_path / "repo"
    place.mkdir()
    (place / "app.py").write_text(NAMED)
    assert [item.disposition for item in rested(place).found] == ["QUEUE"]
    repo = GitRepository(place)
    assert [item.disposition for item in rested(place).found] == ["FIRE"]
    repo.write(".gitignore", "app.py\n")
    assert [item.disposition for item in rested(place).found] == ["QUEUE"]


def test_what_a_person_let_stand_is_told_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    targets, one = scanned(tmp_path)
    (told,) = laid_to_rest(targets, (replace(one, found=(), decided=one.found),), {})
    assert [item.disposition for item in told.decided] == ["QUEUE"]


@pytest.mark.parametrize("before", ["FIRE", "QUEUE"])
def test_what_a_rule_only_logs_there_is_noted_with_its_reason(tmp_path: Path, before: Literal["FIRE", "QUEUE"]) -> None:
    (tmp_path / "app.py").write_text(NAMED)
    targets, one = scanned(tmp_path)
    asked = tuple(replace(_logged_at_rest(item), disposition=before) for item in one.found)
    (told,) = laid_to_rest(targets, (replace(one, found=asked),), {})
    assert [(item.disposition, item.note) for item in told.found] == [("LOG", "it has run for years")]


@pytest.mark.parametrize("before", [RUNS, CHECKED])
def test_an_old_line_that_a_change_makes_dangerous_is_being_written(repo: GitRepository, before: str) -> None:
    repo.write("app.py", before)
    repo.commit("start")
    repo.write("app.py", PINGS)
    assert weights(repo.path) == [(7, "FIRE")]
    repo.commit("more")
    assert weights(repo.path) == [(7, "LOG")]


def test_a_line_like_one_that_lies_there_is_another_one(repo: GitRepository) -> None:
    repo.write("app.py", PINGS)
    repo.commit("start")
    repo.write("app.py", PINGS + SECOND)
    assert weights(repo.path) == [(7, "LOG"), (12, "FIRE")]


@pytest.mark.parametrize(
    "now", [f"import re\n\n{PINGS}", PINGS.replace("ping()", "pong()"), PINGS.replace("\n", "\r\n"), f"{PINGS}\n\n"]
)
def test_what_only_moved_lies_there(repo: GitRepository, now: str) -> None:
    repo.write("app.py", PINGS)
    repo.commit("start")
    (repo.path / "app.py").write_bytes(now.encode())
    assert [disposition for _line, disposition in weights(repo.path)] == ["LOG"]


def test_so_does_what_went_to_another_file(repo: GitRepository) -> None:
    repo.write("app.py", PINGS)
    repo.write("more.py", RUNS)
    repo.commit("start")
    repo.run("mv", "app.py", "pings.py")
    assert weights(repo.path, "pings.py") == [(7, "LOG")]
    repo.write("more.py", PINGS + SECOND)
    repo.write("pings.py", "import os\n")
    assert [disposition for _line, disposition in weights(repo.path, "more.py")].count("FIRE") == 1


def test_an_edit_that_git_was_told_not_to_see_is_seen(repo: GitRepository) -> None:
    repo.write("app.py", RUNS)
    repo.commit("start")
    repo.run("update-index", "--assume-unchanged", "app.py")
    repo.write("app.py", PINGS)
    assert weights(repo.path) == [(7, "FIRE")]


def test_it_is_the_same_in_every_kind_of_checkout(repo: GitRepository, tmp_path: Path) -> None:
    repo.write("app.py", PINGS)
    repo.commit("start")
    repo.run("worktree", "add", "-q", "--detach", str(tmp_path / "beside"))
    repo.run("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "shallow"))
    outer = GitRepository(tmp_path / "outer")
    outer.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.path), "inner")
    places = (tmp_path / "beside", tmp_path / "shallow", outer.path / "inner")
    for place in places:
        assert weights(place) == [(7, "LOG")]
        (place / "app.py").write_text(PINGS + SECOND)
        assert weights(place) == [(7, "LOG"), (12, "FIRE")]


def test_a_change_is_judged_as_if_it_were_written_now(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("README.md", "a\n")
    repo.commit("start")
    start = repo.run("rev-parse", "HEAD").strip()
    repo.write("app.py", NAMED)
    repo.run("add", "-A")
    monkeypatch.chdir(repo.path)
    assert _of_change(ChangeOptions(staged=True)) == ["FIRE"]
    repo.commit("more")
    assert _of_change(ChangeOptions(base=start)) == ["FIRE"]
    assert [item.disposition for item in rested(repo.path).found] == ["QUEUE"]


def _of_change(change: ChangeOptions) -> list[Disposition]:
    page = scan_page((), ScanOptions(change=change), lambda: None, (".",))
    return [item.disposition for item in page.found]


def test_rules_that_are_off_bring_in_nothing(repo: GitRepository) -> None:
    repo.write("app.py", f"x = 1\n{NAMED}")
    repo.commit("start")
    repo.write("app.py", f"x = 2\n{NAMED}{PINGS}")
    targets, _ = find_targets([str(repo.path / "app.py")])
    terms = {str(repo.path): Terms(disabled=("injection",))}
    (told,) = laid_to_rest(targets, tuple(scan(targets, terms, 1)), terms)
    assert [(item.rule, item.disposition) for item in told.found] == [("credential", "QUEUE")]


AROUND = (
    "import random\n\n\ndef login(password):\n    request = {'pid': random.randint(0, 1024), 'password': password}\n"
)
TOKEN = "\n\ndef new_token():\n    token = str(random.random())\n    return token\n"


def test_a_group_that_was_seldom_right_is_told_while_it_is_written_and_logged_where_it_lies(
    repo: GitRepository,
) -> None:
    repo.write("app.py", AROUND + TOKEN)
    assert [(item.line, item.disposition) for item in rested(repo.path).found] == [(5, "QUEUE"), (9, "QUEUE")]
    repo.commit("start")
    first, second = rested(repo.path).found
    assert (first.disposition, first.note) == ("LOG", "only names around it speak of a secret, its own does not")
    assert second.disposition == "QUEUE"


PAGE = """from flask import Flask, request

app = Flask(__name__)


@app.route("/shown")
def shown():
    name = request.args["name"]
    return open("/srv/shown/" + name).read()
"""
LISTED = PAGE.replace("    return", "    if name not in NAMES:\n        abort(404)\n    return")
"""A list of names stands between the request and the path."""


def test_a_way_that_was_committed_before_is_worth_a_look(repo: GitRepository) -> None:
    repo.write("app.py", PAGE)
    repo.commit("start")
    for text in (PAGE, f"import os\n\n{PAGE}\n\nSIZE = 4\n"):
        repo.write("app.py", text)
        assert [item.disposition for item in rested(repo.path).found] == ["QUEUE"]


@pytest.mark.parametrize(
    "before",
    [
        PAGE.replace('request.args["name"]', '"index"'),
        LISTED,
        PAGE.replace('@app.route("/shown")\n', "").replace("request.args", "ARGS"),
    ],
    ids=["its source is new", "a check is gone", "a route makes it a handler"],
)
def test_a_way_with_a_line_that_is_new_or_gone_is_being_written(repo: GitRepository, before: str) -> None:
    repo.write("app.py", before)
    repo.commit("start")
    repo.write("app.py", PAGE)
    assert [item.disposition for item in rested(repo.path).found] == ["FIRE"]
