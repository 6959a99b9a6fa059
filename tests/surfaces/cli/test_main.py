from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import leeboard
from leeboard.surfaces.cli import main
from leeboard.surfaces.cli.main import COMMANDS, cli, run

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

CLI = Path(main.__file__).parent


def test_the_version_is_told_without_loading_a_command() -> None:
    code = (
        "import sys; from leeboard.surfaces.cli.main import run; run(['--version']);"
        "loaded = {'rich', 'tomlkit', 'sqlite3', 'leeboard.app.handle', 'leeboard.surfaces.cli.project.init'} & set(sys.modules);"
        "print(sorted(loaded))"
    )
    root = CLI.parents[2]
    ran = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.splitlines() == [f"leeboard, version {leeboard.__version__}", "[]"]


def test_the_hook_command_waits_for_no_other() -> None:
    code = (
        "import sys; from leeboard.surfaces.cli.main import cli; import click;"
        "cli.get_command(click.Context(cli), 'hook'); print('rich' in sys.modules, 'tomlkit' in sys.modules)"
    )
    root = CLI.parents[2]
    ran = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.strip() == "False False"


def test_every_command_file_is_listed_and_every_listed_command_is_there() -> None:
    defines = re.compile(r"^(?:def command\(|command = )", re.MULTILINE)
    files = [path for path in CLI.rglob("*.py") if defines.search(path.read_text(encoding="utf-8"))]
    assert sorted(path.stem.replace("_", "-") for path in files) == sorted(COMMANDS)
    assert all(path.parent.parent == CLI for path in files)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text_with_an_example(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert len((command.help or "").split()) > 5
    assert (command.epilog or "").startswith("Example:  leeboard ")
    parts = [command, *command.commands.values()] if isinstance(command, click.Group) else [command]
    options = {option for part in parts for parameter in part.params for option in parameter.opts}
    assert "--json" in options or name == "hook"


def test_without_a_word_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name}" in out for name in COMMANDS)


def test_a_misspelt_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["statsu"]) == 2
    told = capsys.readouterr().err
    assert "did you mean `leeboard status`?" in told
    assert told.count("\n") == 1


def test_an_unknown_command_names_the_help_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["zzzzzz"]) == 2
    assert capsys.readouterr().err == "leeboard: there is no command 'zzzzzz' (`leeboard --help` shows how)\n"


def test_wrong_use_is_one_line_that_names_the_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["purge"]) == 2
    told = capsys.readouterr().err
    assert "--older-than" in told
    assert "`leeboard purge --help`" in told
    assert told.count("\n") == 1


def boom() -> None:
    raise KeyError("ghp_" + "a1B2" * 9)


def test_a_fault_of_ours_is_one_line_and_a_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    monkeypatch.setitem(COMMANDS, "boom", "breaks")
    module = types.SimpleNamespace(command=click.command()(boom))
    monkeypatch.setitem(sys.modules, "leeboard.surfaces.cli.project.boom", module)
    assert run(["boom"]) == 3
    told = capsys.readouterr().err
    (report,) = (tmp_path / "crashes").iterdir()
    assert str(report) in told
    assert "Traceback" not in told
    assert "in boom" in report.read_text()
    assert "a1B2a1B2" not in report.read_text()


def test_a_disk_that_fails_is_five(desk: Desk) -> None:
    (desk.home / ".local").write_text("a file where a folder should be")
    ran = desk.run("init")
    assert ran.code == 5
    assert ran.err.startswith("leeboard: ")
    assert ran.err.count("\n") == 1


def test_a_reader_that_leaves_is_no_failure(desk: Desk) -> None:
    line = f"{sys.executable} -m leeboard demo --json | head -n 1; exit ${{PIPESTATUS[0]}}"
    ran = desk.execute(("bash", "-c", line))
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["kind"] == "verdict"
    assert ran.err == ""


def test_no_colour_and_forced_colour_are_heeded(desk: Desk) -> None:
    assert "\x1b" not in desk.ok("rules").out
    assert "\x1b[" in desk.ok("rules", env={"FORCE_COLOR": "1"}).out
    plain = desk.ok("demo", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).out
    assert "\x1b" not in plain


def test_programs_are_told_the_version_too(desk: Desk) -> None:
    (told,) = desk.ok("--version", "--json").objects
    assert (told["kind"], told["version"]) == ("version", leeboard.__version__)
    assert told["python"].startswith("3.")
    assert desk.ok("--json", "--version").objects == [told]
    refused = desk.run("--json", "rules")
    assert (refused.code, refused.err.count("put --json after rules")) == (2, 1)


@pytest.mark.parametrize("words", ["flow", "team", "telemetry", "config", "flow feedback", "team policy"])
def test_a_group_without_a_command_shows_its_help_as_it_is_laid_out(desk: Desk, words: str) -> None:
    ran = desk.run(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == desk.ok(*words.split(), "--help").out


def test_a_closed_output_is_no_fault(tmp_path: Path) -> None:
    line = f'exec "{sys.executable}" -P -m leeboard rules >&-'
    env = os.environ | {"LEEBOARD_STATE_DIR": str(tmp_path / "state")}
    done = subprocess.run(("/bin/sh", "-c", line), cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
