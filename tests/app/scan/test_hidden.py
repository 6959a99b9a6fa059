"""A change may not take a source file out of what is analysed unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.change import ChangeOptions
from leeboard.app.scan.page import ScanOptions, ScanPage, scan_page
from tests.git_repository import GitRepository

ROUTE = "app.get('/r', (req, res) => { require('child_process').exec('ls ' + req.query.x); });\n"
LONG = "// " + "x" * 6_000 + "\n"
BINARY = b"\0\1\2" * 9
LARGE = "// x\n" * 500_000
DEEP = f"import os\nos.system(input())\nx = {'[1,' * 20_000}1{']' * 20_000}\n"
UTF_7 = "# -*- coding: utf-7 -*-\nx = 1\n"

Files = dict[str, str | bytes]


def of_change(folder: Path, base: Files, now: Files, *, reviewed: bool = False) -> ScanPage:
    repo = GitRepository(folder)
    for name, text in base.items():
        repo.write(name, text)
    repo.commit()
    for name, text in now.items():
        repo.write(name, text) if text else repo.remove(name)
    repo.run("add", "-A")
    change = ChangeOptions(base="HEAD", reviewed=reviewed)
    staged = ChangeOptions(staged=True, reviewed=reviewed)
    pages = [scan_page((), ScanOptions(change=one), lambda: None, (str(folder),)) for one in (change, staged)]
    assert [item.message for item in pages[0].found] == [item.message for item in pages[1].found]
    return pages[0]


@pytest.fixture(autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path_factory.mktemp("state")))


@pytest.mark.parametrize(
    ("base", "now", "told"),
    [
        ({}, {"src/a.js": BINARY}, "src/a.js can not be analysed: it is binary"),
        ({"src/a.js": "x = 1\n"}, {"src/a.js": LARGE}, "larger than 2 MB"),
        ({}, {"src/a.js": LONG + ROUTE}, "src/a.js has lines so long that it is taken for minified"),
        ({}, {"src/a.min.js": ROUTE}, "src/a.min.js is called minified and is not"),
        ({}, {"vendor/a.js": ROUTE, "vendor/b/c.js": ROUTE}, "the change brings the folder vendor/"),
        (
            {"src/app.js": ROUTE * 9, "vendor/a.js": "x = 1\n"},
            {"src/app.js": "", "vendor/app.js": ROUTE * 9},
            "lay where people write",
        ),
        ({"a.py": "x = 1\n"}, {"a.py": UTF_7}, "a.py is read by Python as utf-7"),
        ({"a.py": "x = 1\n"}, {"a.py": DEEP}, "too deeply nested"),
    ],
)
def test_what_a_change_takes_out_of_the_analysis_is_queued(tmp_path: Path, base: Files, now: Files, told: str) -> None:
    page = of_change(tmp_path / "repo", base, now)
    (item,) = [item for item in page.found if item.disposition != "LOG"]
    assert told.lower() in item.message.lower()
    assert (item.disposition, item.rule) == ("QUEUE", "contract_changed")


@pytest.mark.parametrize("now", [{"src/a.js": BINARY}, {"a.py": UTF_7}])
def test_a_person_has_reviewed_it(tmp_path: Path, now: Files) -> None:
    assert of_change(tmp_path / "repo", {}, now, reviewed=True).found == ()


@pytest.mark.parametrize(
    ("base", "now"),
    [
        pytest.param({"src/a.js": BINARY}, {"src/a.js": BINARY + b"\3"}, id="was binary"),
        pytest.param({"src/a.js": LARGE}, {"src/a.js": LARGE + "x\n"}, id="was large"),
        pytest.param({"src/a.js": LONG}, {"src/a.js": LONG * 2}, id="was minified"),
        pytest.param({}, {"static/jquery.min.js": LONG}, id="a minified bundle"),
        pytest.param({"vendor/a.js": "x = 1\n"}, {"vendor/b.js": ROUTE}, id="a vendored folder"),
        pytest.param({}, {"tests/data/a.js": BINARY}, id="of a test"),
        pytest.param({}, {"logo.png": BINARY, "notes.txt": "x\0"}, id="no code"),
        pytest.param({"a.py": UTF_7}, {"a.py": UTF_7 + "y = 2\n"}, id="was so encoded"),
        pytest.param({}, {"a.py": "# -*- coding: latin-1 -*-\nx = 1\n"}, id="in Latin-1"),
        pytest.param({}, {"a.py": "# vim: set fileencoding=utf8 :\nx = 1\n"}, id="in UTF-8"),
    ],
)
def test_what_is_no_more_hidden_than_before_is_not(tmp_path: Path, base: Files, now: Files) -> None:
    assert [item.message for item in of_change(tmp_path / "repo", base, now).found] == []


@pytest.mark.parametrize(
    "text", [(LONG + ROUTE).encode(), f"// a\0\n{ROUTE}".encode(), ROUTE.encode("utf-16")], ids=["long", "nul", "wide"]
)
def test_what_can_be_read_is_read(tmp_path: Path, text: bytes) -> None:
    """A long line that comes into a file of people makes it none of a tool."""
    page = of_change(tmp_path / "repo", {"src/a.js": "x = 1\n"}, {"src/a.js": text})
    assert [item.rule for item in page.found if item.disposition == "FIRE"] == ["injection"]
