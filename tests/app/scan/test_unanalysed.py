from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.unanalysed import unfollowed_kind
from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_what_can_not_be_read_is_told(tmp_path: Path) -> None:
    files = {"a.bin": "\0\1\2" * 9, "large.py": "#" * (2 << 20) + "x", "empty.py": ""}
    assert [one.problem for one in scanned(tmp_path, files)] == ["binary", "larger than 2 MB", ""]
    (gone,) = scan((Target("gone.py", str(tmp_path), "gone.py"),), {}, 1)
    assert gone.problem == "unreadable"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.py", "x = 1\n", ""),
        ("run.sh", "ls\n", ".sh"),
        ("Makefile", "all:\n", "Makefile"),
        ("a.css", "\n", ""),
    ],
)
def test_files_through_which_nobody_follows_a_value(name: str, text: str, kind: str) -> None:
    assert unfollowed_kind(name, text) == kind


ROUTE = """
@app.route("/run")
def run():
    os.system("ls " + request.args["x"])
"""


@pytest.mark.parametrize("helpers", [450, 25_000])
def test_a_route_is_followed_however_much_stands_before_it(tmp_path: Path, helpers: int) -> None:
    padding = "".join(f"def h{number}(x):\n    os.system('ls {number} ' + x)\n" for number in range(helpers))
    (one,) = scanned(tmp_path, {"app.py": f"import os\nfrom flask import request\n{padding}{ROUTE}"})
    told = [found for found in one.found if found.rule == "injection" and found.disposition == "FIRE"]
    assert [found.line for found in told] == [2 * helpers + 6]
    assert one.unread.startswith("analysed in part: ") == (helpers > 10_000)


def test_statements_outside_of_functions_take_nothing_from_a_route(tmp_path: Path) -> None:
    padding = "os.system('ls ' + 'a')\n" * 25_000
    (one,) = scanned(tmp_path, {"app.py": f"import os\nfrom flask import request\n{padding}{ROUTE}"})
    assert [found.line for found in one.found if found.rule == "injection"] == [25_006]
    assert "line 1" in one.unread


def test_a_thousand_routes_are_all_told(tmp_path: Path) -> None:
    routes = "".join(
        f"@app.route('/r{number}')\ndef r{number}():\n    os.system(request.args['x'])\n" for number in range(1_000)
    )
    (one,) = scanned(tmp_path, {"app.py": f"import os\nfrom flask import request\n{routes}"})
    assert len([found for found in one.found if found.rule == "injection"]) == 1_000
    assert one.unread == ""
