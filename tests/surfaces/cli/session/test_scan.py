from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from leeboard.security.taint.doubts.flow_doubt import doubt
from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

KEYS = [
    "code",
    "rule",
    "subclass",
    "path",
    "line",
    "confidence",
    "disposition",
    "message",
    "note",
    "same_as",
    "also",
    "id",
    "state",
    "reason",
]
WEAK = "import hashlib\nh = hashlib.md5(password)\n"
SUM = "import hashlib\netag = hashlib.md5(content)\n"
INJECTED = 'import os\nfrom flask import request\ndef f():\n    os.system("ping " + request.args["h"])\n'
DOUBTED = 'from flask import request\ndef f():\n    return open("pages/" + request.args["n"] + ".md").read()\n'
ENDS_FIXED = doubt("fixed_ending").why
COPIED = (
    "def verify_jwt(token, key):\n    header, body, sign = token.split('.')\n"
    "    expected = hmac_sign(header + body, key)\n"
    "    if expected != sign:\n        raise InvalidToken('signature')\n    claims = json.loads(decode(body))\n"
    "    if claims['exp'] < now():\n        raise InvalidToken('expired')\n    return claims\n"
)


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
    assert ran.err.splitlines() == [
        "leeboard: 1 file not analysed: 1 binary (a.bin)",
        "leeboard: 1 file not analysed for injections: 1 .gitignore",
    ]


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
    assert "at pause weak.py:2 weak_crypto LB-B301 0.9" in out
    assert "3 findings in 6 files: 1 at once, 1 at pause, 1 noted; duplicates: not analysed (`--duplicates`" in out
    assert "1 file not analysed: 1 binary" in out


def test_what_was_understood_in_part_is_told_in_every_form(project: Desk) -> None:
    (project.repo / "app.swift").write_text("let x = 1\n")
    (project.repo / "torn.py").write_text("os.system('ls')\n]]] def (( class\n")
    asked = ("scan", "app.swift", "torn.py", "fine.py")
    told = (
        "2 files analysed in part: app.swift: its language is not supported (.swift); only secrets were looked for; "
        "torn.py: does not parse as python (line 2); what lies there was not judged"
    )
    assert told in " ".join(project.run(*asked).out.split())
    assert told in project.run(*asked, "--json").err
    (run,) = json.loads(project.run(*asked, "--sarif").out)["runs"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for note in notes] == [
        "app.swift",
        "torn.py",
    ]


def test_sarif(project: Desk) -> None:
    ran = project.run("scan", ".", "--sarif")
    assert ran.code == 1
    (run,) = json.loads(ran.out)["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {"credential", "injection", "weak_crypto"}
    assert [result["level"] for result in run["results"]] == ["error", "note", "warning"]


def test_why_a_finding_is_only_logged_is_told_in_every_form(project: Desk) -> None:
    (found,) = project.run("scan", "sum.py", "--json").objects
    assert found["note"]
    assert f"      only noted: {found['note']}\n" in project.run("scan", "sum.py").out
    ((result,),) = [run["results"] for run in json.loads(project.run("scan", "sum.py", "--sarif").out)["runs"]]
    assert result["properties"]["note"] == found["note"]
    assert result["message"]["text"].endswith(f"(only logged: {found['note']})")
    assert project.run("scan", "weak.py", "--json").objects[0]["note"] == ""


def test_why_a_finding_is_not_refused_is_told_in_every_form_and_once(project: Desk) -> None:
    (project.repo / "page.py").write_text(DOUBTED)
    (found,) = project.run("scan", "page.py", "--json").objects
    assert (found["disposition"], found["note"]) == ("QUEUE", ENDS_FIXED)
    assert f"      no refusal: {ENDS_FIXED}\n" in project.run("scan", "page.py").out
    ((result,),) = [run["results"] for run in json.loads(project.run("scan", "page.py", "--sarif").out)["runs"]]
    assert result["message"]["text"] == f"{found['message']} (no refusal: {ENDS_FIXED})"
    assert result["properties"]["note"] == ENDS_FIXED
    (project.repo / "made" / "page.py").write_text(DOUBTED)
    (committed,) = project.run("scan", "made/page.py", "--json").objects
    assert ENDS_FIXED not in committed["message"]
    assert project.run("scan", "open.py", "--json").objects[0]["note"] == ""


def test_a_file_that_is_named_is_looked_at_though_git_ignores_it(project: Desk) -> None:
    (project.repo / ".gitignore").write_text(".env\n")
    (project.repo / ".env").write_text(f"STRIPE_API_KEY={live_key(4)}\n")
    (found,) = project.ok("scan", ".env", "--json").objects
    assert (found["path"], found["line"], found["disposition"]) == (".env", 1, "LOG")
    assert found["note"] == "git ignores this file: secrets may stand here"
    assert live_key(4) not in str(found)
    assert ".env" not in {found["path"] for found in project.run("scan", ".", "--json").objects}


def test_duplicates_need_an_index_and_are_told_once(project: Desk) -> None:
    (project.repo / "one.py").write_text(COPIED)
    (project.repo / "two.py").write_text(COPIED.replace("verify_jwt", "check_session"))
    asked = ("scan", "one.py", "two.py", "--duplicates")
    assert "duplicates: not analysed (run `leeboard index --wait`)" in project.ok(*asked).out
    project.ok("index", "--wait")
    ran = project.run(*asked, "--json")
    assert [(found["path"], found["subclass"]) for found in ran.objects] == [("one.py", "A1")]
    assert "not analysed" not in project.run(*asked).out
    assert project.ok("scan", "one.py", "two.py", "--json").objects == []


def test_a_path_that_is_not_there(project: Desk) -> None:
    ran = project.run("scan", "none.py")
    assert ran.code == 5
    assert "none.py: no such file or folder" in ran.err


def test_what_the_project_says_holds(project: Desk) -> None:
    project.ok("allow", "weak_crypto", "--path", "weak.py", "--reason", "an old protocol")
    (project.repo / "leeboard.toml").write_text("[rules.injection]\nenabled = false\n")
    ran = project.run("scan", ".", "--json", "--trust")
    assert [found["path"] for found in ran.objects] == ["sum.py"]
    assert ran.code == 0
    assert "leeboard: 1 finding left out: allowed by a person" in ran.err


def test_nothing_is_stored(project: Desk) -> None:
    project.run("scan", ".")
    assert not list(project.state.glob("*.db*"))
