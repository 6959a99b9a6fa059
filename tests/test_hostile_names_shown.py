"""A file whose name would drive a terminal or a build server, through the real commands that show it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from tests.hook_process import hook_payload
from tests.leak import live_key
from tests.surfaces.cli.conftest import Desk

NAMES = (
    "src/a\n::error::owned.py",
    "src/b\r\n::set-output name=x::y.py",
    "src/c\x1b[2J\x1b]0;owned\x07.py",
    "src/d\u202egnp.py",
    "src/e%0A::warning::x,y:z.py",
    "::error file=f::owned.py",
    "src/g##[error]owned.py",
    "src/h\x9b31m\u2028x.py",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Made once: nothing that only looks changes it."""
    desk = Desk(tmp_path_factory.mktemp("hostile"))
    desk.env |= {
        f"GIT_{who}_{what}": "kim@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    (desk.repo / "src").mkdir()
    (desk.repo / "src/app.py").write_text("x = 1\n")
    for words in (("add", "-A"), ("commit", "-qm", "begin")):
        assert desk.execute(("git", *words)).code == 0
    desk.ok("contract", "start", "--goal", "do it", "--touch", "lib/**")
    desk.run("hook", stdin=_payload(desk, "UserPromptSubmit", prompt="work on lib"))
    for number, name in enumerate(NAMES):
        (desk.repo / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.repo / name).write_text(f'api_key = "{live_key(number)}"\n')
        given = {"file_path": str(desk.repo / name), "content": "y = 1\n"}
        for event in ("PreToolUse", "PostToolUse"):
            payload = _payload(desk, event, tool_name="Write", tool_input=given, tool_use_id=f"w{number}")
            desk.run("hook", stdin=payload)
    return desk


def _payload(desk: Desk, name: str, **fields: object) -> bytes:
    return json.dumps({**json.loads(hook_payload(name, **fields)), "cwd": str(desk.repo)}).encode()


def obeyed(text: str) -> Iterator[str]:
    """What a terminal would act on, and lines that a build server takes for orders."""
    yield from (repr(c) for c in text if not c.isprintable() and c not in "\n\t")
    yield from (line for line in text.splitlines() if line.strip().startswith("::") or "##[" in line)


@pytest.mark.parametrize(
    "words",
    [
        *(("check",), ("check", "--json"), ("check", "--sarif"), ("check", "--junit"), ("monitor", "--once")),
        *(("scan", "."), ("scan", ".", "--json"), ("scan", ".", "--sarif"), ("status",), ("status", "--json")),
        *(("report",), ("report", "--json"), ("report", "--markdown"), ("report", "--html", "-"), ("scope",)),
        *(("watch", "--once", "--all"), ("drift", "status"), ("doctor",), ("contract", "show")),
    ],
    ids=" ".join,
)
def test_no_name_of_a_file_drives_who_shows_it(hostile: Desk, words: tuple[str, ...]) -> None:
    ran = hostile.run(*words)
    assert "owned" in ran.out or words[0] in {"status", "scope", "watch", "drift", "doctor", "contract", "monitor"}
    assert [*obeyed(ran.out), *obeyed(ran.err)] == []


def test_an_id_explains_itself_without_driving_the_terminal(hostile: Desk) -> None:
    (page,) = hostile.ok("report", "--json").objects
    ids = [one["id"] for one in page["drifts"]]
    assert ids
    for each in ids:
        ran = hostile.ok("why", each)
        assert [*obeyed(ran.out), *obeyed(ran.err)] == []


def test_annotations_are_the_only_orders_that_github_is_given(hostile: Desk) -> None:
    ran = hostile.run("check", "--github")
    lines = ran.out.splitlines()
    assert len(lines) >= len(NAMES)
    for line in lines:
        head, _, _message = line.removeprefix("::").partition("::")
        assert line.startswith(("::error ", "::warning ", "::notice ")), line
        assert [part.partition("=")[0] for part in head.partition(" ")[2].split(",")] in (
            ["file", "title"],
            ["file", "line", "title"],
            ["title"],
        )
        assert line.isprintable()
        assert "##[" not in line


def test_junit_is_still_xml_with_all_names(hostile: Desk) -> None:
    suite = ET.fromstring(hostile.run("check", "--junit").out)
    said = "".join(case.text or "" for case in suite.iter("failure"))
    assert said.count("owned") >= 4
