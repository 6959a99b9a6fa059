"""Files are named after keys, and so are branches, tools and sessions; no such name is kept or shown in clear."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.surfaces import edge
from leeboard.surfaces.cli.main import run
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.hook_process import hook_payload
from tests.planted_secrets import Planted, found_in, grams, planted
from tests.written_bytes import written_below

ALONE = [one for one in planted(90) if one.alone]
OWN = ("state", "cache", "runtime", "config")
"""Folders that hold what we write; the repository holds what its people named."""


class Stand:
    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        for mark in AGENT_MARKS:
            patch.delenv(mark, raising=False)
        for name in OWN:
            patch.setenv(f"LEEBOARD_{name.upper()}_DIR", str(folder / name))
        for name, value in (ENVIRONMENT | {"HOME": str(folder / "home"), "COLUMNS": "100"}).items():
            patch.setenv(name, value)
        self.git = GitRepository(folder / "repo")
        self.git.write("src/app.py", "limit = 1\n")
        self.git.write("leeboard.toml", '[truth]\ntrack = ["docs/**", "src/**"]\n')
        self.git.commit("begin")
        patch.chdir(self.git.path)
        self.said: list[tuple[str, bytes]] = []

    def hook(self, name: str, **fields: object) -> None:
        given = {**json.loads(hook_payload(name, **fields)), "cwd": self.git.root}
        env = {"LEEBOARD_RESIDENT": "0"}
        self.said.append((name, edge.answer(json.dumps({**given, **fields}).encode(), env)))

    def call(self, tool: str, number: str, given: dict[str, object], **more: object) -> None:
        for name in ("PreToolUse", "PostToolUse"):
            after = {"tool_response": {"stdout": "", "stderr": ""}} if name == "PostToolUse" else {}
            self.hook(name, tool_name=tool, tool_input=given, tool_use_id=number, **{**after, **more})

    def run(self, *words: str) -> int:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(list(words))
        self.said.append((" ".join(words), (out.getvalue() + err.getvalue()).encode("utf-8", "replace")))
        return code

    def leaks(self, secrets: list[Planted]) -> set[tuple[str, bytes]]:
        wanted = grams(secrets)
        kept = ((f"{own}/{name}", data) for own in OWN for name, data in written_below(self.folder / own))
        return {(place, piece) for place, data in (*kept, *self.said) for piece in found_in(data, wanted)}


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    return Stand(tmp_path, monkeypatch)


LOOKS = (
    ("status",), ("status", "--json"), ("doctor",), ("check",), ("check", "--json"), ("check", "--github"),
    ("check", "--sarif"), ("check", "--junit"), ("monitor", "--once"), ("monitor", "--once", "--json"),
    ("redirect", "--once"), ("scan", "."), ("scan", ".", "--json"), ("scan", ".", "--sarif"), ("index",),
    ("index", "--json"), ("drift", "status"), ("drift", "status", "--json"), ("drift", "diff"), ("drift", "accept", "--all"), ("drift", "accept"),
    ("report",), ("report", "--json"), ("report", "--markdown"), ("report", "--html", "-"), ("watch", "--once", "--all"),
    ("watch", "--once", "--all", "--json"), ("scope",), ("contract", "show"),
)  # fmt: skip


def named(secrets: list[Planted]) -> Iterator[str]:
    for number, one in enumerate(secrets):
        yield (f"src/{one.value}.py", f"docs/{one.value}/page.md", f"src/a_{one.value}")[number % 3]


def _program(one: Planted) -> str:
    """A program that has it as a text, a default, a decorator's and a class attribute's."""
    return (
        f'KEY = "{one.value}"\n\n\n@route("/{one.value}")\ndef handle(user, key="{one.value}"):\n'
        f'    """Uses {one.assigned}"""\n    return send(user, "{one.value}")\n\n\n'
        f'class Client:\n    token = "{one.value}"\n'
    )


def test_no_name_of_a_file_is_kept_or_shown(stand: Stand) -> None:
    secrets = ALONE[:12]
    paths = [*named(secrets)]
    stand.hook("SessionStart", source="startup")
    stand.hook("UserPromptSubmit", prompt=f"Work on src/app.py and @{paths[0]}, don't touch {paths[1]}")
    assert stand.run("contract", "start", "--goal", "do it", "--touch", "lib/**") == 0
    for number, path in enumerate(paths):
        place = stand.git.write(path, f"def f{number}():\n    return {number}\n")
        stand.git.write(f"src/part{number}.py", _program(ALONE[12 + number]))
        stand.call("Read", f"r{number}", {"file_path": str(place)})
        stand.call("Write", f"w{number}", {"file_path": str(place), "content": "x = 1\n"})
        stand.call("Bash", f"b{number}", {"command": f"sed -i s/1/2/ {path}; cat {path}"})
        stand.call("Glob", f"g{number}", {"pattern": f"{path}*"})
    stand.hook("Stop", stop_hook_active=False)
    for words in LOOKS:
        stand.run(*words)
    stand.git.commit("more")
    stand.git.write(paths[1], "changed\n")
    stand.git.remove(paths[4])
    stand.hook("UserPromptSubmit", prompt="go on")
    for words in LOOKS:
        stand.run(*words)
    assert stand.leaks([*secrets, *ALONE[12:24]]) == set()


def test_no_name_of_a_tool_an_agent_or_a_branch_is_kept_or_shown(stand: Stand) -> None:
    tool, event, branch, mode, kind = ALONE[:5]
    stand.git.run("checkout", "-q", "-b", f"fix/{branch.value}")
    stand.hook("UserPromptSubmit", prompt="Work on src/app.py", permission_mode=mode.value)
    given: dict[str, object] = {"file_path": str(stand.git.path / "src/app.py"), "content": "x = 1\n"}
    stand.call("Write", "w", given, agent_id="a1", agent_type=kind.value)
    stand.call(f"mcp__{tool.value}__do", "m", {"text": "x"}, agent_id="a1", agent_type=kind.value)
    stand.hook(f"Some{event.value}")
    stand.hook("Stop", stop_hook_active=False)
    for words in LOOKS:
        stand.run(*words)
    assert stand.leaks(ALONE[:5]) == set()
