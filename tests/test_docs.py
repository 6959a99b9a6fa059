"""The documentation stays true: its examples run, and every rule, command, setting and variable is in it.

In a block marked `console` each line that starts with `$ ` is run by /bin/sh, in order, in a repository with an empty
home; it has to end with 0 and say nothing on stderr but notes. Every other line has to stand in what was printed, in
that order, each on a line that starts with it; `...` stands for anything. Pages other than README.md and init.md find a
session that was recorded before.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.contracts import table
from leeboard.rule import HEADINGS, LoadedRule, discover
from leeboard.settings import toml
from leeboard.settings.model_judge import JUDGE_KEYS
from leeboard.settings.otel import OTEL_KEYS
from leeboard.surfaces.cli.main import COMMANDS
from tests.warm_command import run_command

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PLAIN_LINE = re.compile(r"leeboard(?: [\w./:=-]+)*")
"""A line that a shell only takes apart at its spaces."""
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
FRESH = {"README.md", "init.md"}
WITH_EXAMPLES = [page for page in PAGES if CONSOLE.search(page.read_text(encoding="utf-8"))]


def spelled(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


class Shell:
    """A repository, an empty home and `leeboard` on PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo = folder / "repo"
        self.env = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(folder / "home"),
            "PYTHONPATH": str(ROOT),
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "COLUMNS": "120",
            **{
                f"GIT_{role}_{part}": "kim@example.invalid"
                for role in ("AUTHOR", "COMMITTER")
                for part in ("NAME", "EMAIL")
            },
        }

    def set_up(self) -> None:
        program = self.folder / "bin" / "leeboard"
        for made in (self.repo, self.folder / "home", program.parent):
            made.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m leeboard "$@"\n')
        program.chmod(0o755)
        self.run("git init -q -b main . && git commit -q --allow-empty -m begin")

    def run(self, line: str, stdin: str = "") -> str:
        if PLAIN_LINE.fullmatch(line):
            done = run_command(tuple(line.split()[1:]), self.repo, self.env, stdin.encode())
        else:
            done = subprocess.run(
                ("/bin/sh", "-c", line),
                input=stdin.encode(),
                cwd=self.repo,
                env=self.env,
                capture_output=True,
                check=False,
                timeout=60,
            )
        assert done.returncode == 0, f"$ {line}\n{done.stdout.decode()}{done.stderr.decode()}"
        return done.stdout.decode()

    def record_session(self) -> None:
        self.run("leeboard init -q")
        self._hook("SessionStart", source="startup")
        self._hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
        for number, path in enumerate(("src/auth/token.ts", "src/styles/theme.css")):
            edit = {"file_path": str(self.repo / path), "old_string": "a", "new_string": "b"}
            call = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": f"toolu_{number}"}
            self._hook("PreToolUse", **call)
            self._hook("PostToolUse", **call, tool_response={})

    def _hook(self, name: str, **fields: object) -> None:
        payload = {"session_id": "session-1", "cwd": str(self.repo), "hook_event_name": name, **fields}
        self.run("leeboard hook", json.dumps(payload))


def follow(shell: Shell, block: str) -> None:
    """Run a block's commands and compare what they print."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    for line, expected in zip(parts[1::2], parts[2::2], strict=True):
        printed = shell.run(line).splitlines()
        at = 0
        for wanted in expected.splitlines():
            if wanted in {"", "..."}:
                continue
            found = next((n for n in range(at, len(printed)) if printed[n].startswith(wanted)), None)
            assert found is not None, f"$ {line}\ndid not print {wanted!r} but\n" + "\n".join(printed[at:])
            at = found + 1


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shell, Path]:
    """A shell after a session, and a copy of all its files. Paths are recorded, so a copy only works in its place."""
    base = tmp_path_factory.mktemp("docs")
    shell = Shell(base / "live")
    shell.set_up()
    shell.record_session()
    shutil.copytree(shell.folder, base / "copy")
    return shell, base / "copy"


@pytest.fixture
def shell_after_session(recorded: tuple[Shell, Path]) -> Shell:
    shell, copy = recorded
    shutil.rmtree(shell.folder)
    shutil.copytree(copy, shell.folder)
    return shell


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=spelled)
def test_examples_run(page: Path, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if page.name in FRESH:
        shell = Shell(tmp_path / "fresh")
        shell.set_up()
    else:
        shell = request.getfixturevalue("shell_after_session")
    for block in CONSOLE.findall(page.read_text(encoding="utf-8")):
        follow(shell, block)


def test_generated_parts_are_up_to_date() -> None:
    checked = subprocess.run(
        (sys.executable, str(ROOT / "tools" / "make_docs.py"), "--check"), capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, f"run `python tools/make_docs.py`:\n{checked.stderr}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_with_its_usage(name: str) -> None:
    page = (ROOT / "docs" / "commands" / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# leeboard {name}\n")
    assert f"Usage: leeboard {name}" in page
    assert f"({name}.md)" in (ROOT / "docs" / "commands" / "README.md").read_text(encoding="utf-8")


def test_no_page_of_a_command_or_rule_outlives_it() -> None:
    commands = {page.stem for page in (ROOT / "docs" / "commands").glob("*.md")} - {"README"}
    assert commands == set(COMMANDS)
    rules = {page.stem for page in (ROOT / "docs" / "rules").glob("*.md")} - {"README"}
    assert rules == {rule.id for rule in discover()}


@pytest.mark.parametrize("rule", discover(), ids=lambda rule: rule.id)
def test_every_rule_explains_itself(rule: LoadedRule) -> None:
    at = [rule.page.find(f"## {heading}\n") for heading in HEADINGS]
    assert -1 not in at
    assert at == sorted(at)


def test_every_setting_is_described() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    tables = {"rules", "goal", "interrupts", "contract", "truth", "judge", "protect", "otel"}
    inner = (*toml._GOAL_KEYS, *toml._TRUTH_KEYS, *toml._PROTECT_KEYS, *toml.INTERRUPTS, *JUDGE_KEYS, *OTEL_KEYS)
    keys = [*(key for key in toml._KEYS if key not in tables), *inner, "enabled", *table.KEYS]
    missing = [key for key in keys if not re.search(rf"`(?:[\w.<>]+\.)?{key}`", page)]
    assert not missing
    assert all(f'"{profile}"' in page for profile in toml.PROFILES)


def test_the_example_of_the_settings_is_valid() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert toml.parse(example, "leeboard.toml").policy.disabled_rules == ("circling",)


def test_every_variable_is_described() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "leeboard").rglob("*.py")]
    used = {name for text in sources for name in re.findall(r"(?<!\{)\bLEEBOARD_[A-Z_]*[A-Z]\b", text)}
    missing = sorted(name for name in (*used, *AGENT_MARKS) if f"`{name}`" not in page)
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=spelled)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing
