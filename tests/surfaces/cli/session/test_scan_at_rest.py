"""What was committed before, beside what is being written: through `leeboard scan` and through the hook."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.leak import live_key, random_text

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

NAMED = f'secret = "{random_text(32, 5, "0123456789abcdef")}"\n'
PRIVATE = "-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQ\n" + "".join(
    f"{random_text(64, line, 'ABCDEFGHabcdefgh01234567+/')}\n" for line in range(8)
)


def written(desk: Desk, text: str) -> None:
    (desk.repo / "src").mkdir(exist_ok=True)
    (desk.repo / "src" / "app.py").write_text(text)


def committed(desk: Desk, text: str) -> None:
    written(desk, text)
    git(desk, "add", "-A")
    git(desk, "commit", "-qm", "work")


def git(desk: Desk, *words: str) -> None:
    subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words), cwd=desk.repo, check=True)


def told(desk: Desk, *options: str) -> list[tuple[object, object]]:
    ran = desk.run("scan", ".", "--json", *options)
    return [(found["line"], found["disposition"]) for found in ran.objects if found["rule"] == "credential"]


def test_what_only_its_name_calls_a_secret_is_worth_a_look_once_it_is_committed(desk: Desk) -> None:
    written(desk, NAMED)
    assert told(desk) == [(1, "FIRE")]
    git(desk, "add", "-A")
    assert told(desk, "--staged") == [(1, "FIRE")]
    git(desk, "commit", "-qm", "work")
    assert told(desk) == [(1, "QUEUE")]
    assert desk.run("scan", ".", "--fail-on", "fire").code == 0
    ran = desk.run("scan", ".")
    assert ran.code == 1
    assert "only its name calls it a secret" in " ".join(ran.out.split())


def test_a_new_line_in_an_old_file_is_being_written(desk: Desk) -> None:
    committed(desk, NAMED)
    written(desk, f'# more\n{NAMED}token = "{random_text(40, 6, "0123456789abcdef")}"\n')
    assert told(desk) == [(2, "QUEUE"), (3, "FIRE")]
    assert told(desk, "--diff", "HEAD") == [(3, "FIRE")]


def test_where_there_is_no_git_all_lies_there(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("unpacked")
    (folder / "app.py").write_text(NAMED)
    ran = desk.run("scan", str(folder), "--json")
    assert [found["disposition"] for found in ran.objects] == ["QUEUE"]


@pytest.mark.parametrize(
    "text",
    [
        PRIVATE,
        f'pay(key="{live_key(3)}")\n',
        f'base = "postgres://app:{random_text(18, 7, "abcdefgh01234567ABCD")}@db.acme.io/app"\n',
        f'headers = {{"Authorization": "Bearer {random_text(40, 8, "abcdefgh01234567ABCDEFGH")}"}}\n',
    ],
)
def test_what_speaks_for_itself_is_a_refusal_wherever_it_lies(desk: Desk, text: str) -> None:
    committed(desk, text)
    assert told(desk) == [(1, "FIRE")]


def test_a_key_that_programs_carry_is_worth_a_look_where_it_lies(desk: Desk) -> None:
    committed(desk, f'MAPS = "AIza{random_text(35, 9, "abcdefgh01234567ABCDEFGH_-")}"\n')
    assert told(desk) == [(1, "QUEUE")]


def test_a_key_file_is_worth_a_look_where_it_lies(desk: Desk) -> None:
    (desk.repo / "server.pem").write_text(PRIVATE)
    assert told(desk) == [(1, "FIRE")]
    git(desk, "add", "-A")
    git(desk, "commit", "-qm", "work")
    assert told(desk) == [(1, "QUEUE")]


@pytest.mark.parametrize(("name", "text"), [("app.py", NAMED), ("server.pem", PRIVATE), ("host.key", PRIVATE)])
def test_an_agent_that_writes_one_is_refused(desk: Desk, name: str, text: str) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt=f"add payments in src/{name}")
    given = {"file_path": str(desk.repo / "src" / name), "content": text}
    answer = desk.hook("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="toolu_1")
    assert '"permissionDecision":"deny"' in answer


def test_a_key_in_several_files_is_told_once_with_its_places(desk: Desk) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (desk.repo / name).write_text(f'pay(key="{live_key(3)}")\n')
    ran = desk.run("scan", ".")
    assert ran.out.count("Credential") == 1
    assert "the same value: b.py:1, c.py:1" in ran.out
    assert "2 of them repeat a value told above" in " ".join(ran.out.split())
    desk.ok("scan", ".", "--write-baseline")
    assert desk.run("scan", ".").code == 0
    (desk.repo / "d.py").write_text(f'pay(key="{live_key(3)}")\n')
    assert told(desk) == [(1, "FIRE")]
