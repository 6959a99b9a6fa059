from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

KEYS = ["rule", "subclass", "path", "line", "confidence", "disposition", "message"]
WEAK = "import hashlib\nh = hashlib.md5(password)\n"
SUM = "import hashlib\netag = hashlib.md5(content)\n"
INJECTED = 'import os\nfrom flask import request\ndef f():\n    os.system("ping " + request.args["h"])\n'


@pytest.fixture
def project(desk: Desk) -> Desk:
    for name, text in (("weak.py", WEAK), ("sum.py", SUM), ("open.py", INJECTED), ("fine.py", "x = 1\n")):
        (desk.repo / name).write_text(text)
    (desk.repo / "a.bin").write_bytes(b"\0\1")
    (desk.repo / "made").mkdir()
    (desk.repo / "made" / "weak.py").write_text(WEAK)
    (desk.repo / ".gitignore").write_text("made/\n")
    return desk


def test_one_object_a_line(project: Desk) -> None:
    ran = project.run("scan", ".", "--json")
    assert ran.code == 1
    assert [list(found) for found in ran.objects] == [KEYS] * 3
    seen = [(found["path"], found["line"], found["disposition"]) for found in ran.objects]
    assert seen == [("open.py", 4, "FIRE"), ("sum.py", 2, "LOG"), ("weak.py", 2, "QUEUE")]
    assert ran.err == "leeboard: 1 file not analysed: 1 binary\n"


@pytest.mark.parametrize(
    ("options", "code", "count"),
    [
        (("sum.py",), 0, 1),
        (("sum.py", "--fail-on", "log"), 1, 1),
        (("weak.py",), 1, 1),
        (("weak.py", "--fail-on", "fire"), 0, 1),
        (("weak.py", "sum.py", "--min", "queue"), 1, 1),
        (("weak.py", "--min", "fire"), 0, 0),
        (("open.py", "--fail-on", "never"), 0, 1),
        (("fine.py",), 0, 0),
        ((".", "--no-ignore"), 1, 4),
        ((".", "--jobs", "2"), 1, 3),
    ],
)
def test_weights_and_exit_codes(project: Desk, options: tuple[str, ...], code: int, count: int) -> None:
    ran = project.run("scan", *options, "--json")
    assert (ran.code, len(ran.objects)) == (code, count)


def test_people_see_it_too(project: Desk) -> None:
    out = project.run("scan", ".").out
    assert "QUEUE weak.py:2 B3 weak_crypto 0.9" in out
    assert "3 findings in 6 files: 1 FIRE, 1 QUEUE, 1 LOG" in out
    assert "1 file not analysed: 1 binary" in out


def test_sarif(project: Desk) -> None:
    ran = project.run("scan", ".", "--sarif")
    assert ran.code == 1
    (run,) = json.loads(ran.out)["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {"credential", "injection", "weak_crypto"}
    assert [result["level"] for result in run["results"]] == ["error", "note", "warning"]


def test_a_path_that_is_not_there(project: Desk) -> None:
    ran = project.run("scan", "none.py")
    assert ran.code == 5
    assert "none.py: no such file or folder" in ran.err


def test_what_the_project_says_holds(project: Desk) -> None:
    project.ok("allow", "weak_crypto", "--path", "weak.py", "--reason", "an old protocol")
    (project.repo / "leeboard.toml").write_text("[rules.injection]\nenabled = false\n")
    ran = project.run("scan", ".", "--json")
    assert [found["path"] for found in ran.objects] == ["sum.py"]
    assert ran.code == 0
    assert "leeboard: 1 finding allowed" in ran.err


def test_nothing_is_stored(project: Desk) -> None:
    project.run("scan", ".")
    assert not list(project.state.glob("*.db*"))
