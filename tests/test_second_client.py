"""A client that nobody heard of is one folder: added to a copy of the package, it is guarded with no other edit."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import leeboard
from leeboard.app.misses import misses
from tests.hook_process import HookProcess
from tests.terminal import at_terminal

TOY = '''
"""A client of another kind: it speaks lines, not JSON, and has names of its own for everything."""

import sys

from leeboard.clients.call import HookCall, SettingsState
from leeboard.clients.transcript_lines import SessionReader
from leeboard.errors import WireError
from leeboard.model.event import PromptGiven, SessionStarted, TextEdit, ToolCall, ToolProposed
from leeboard.model.verdict import Action, Moment


def parse(payload, now):
    words = payload.decode().rstrip("\\n").split("|")
    if len(words) < 4:
        raise WireError("a line of the toy has four parts")
    verb, session, cwd, rest = words[:4]
    if verb == "OPENS":
        moment = Moment(kind="start", actions=(Action.ALLOW,))
        started = SessionStarted(session=session, cwd=cwd, time=now)
        return HookCall(client="toy", name=verb, events=(started,), moment=moment, session=session, cwd=cwd)
    told = {"session": session, "cwd": cwd, "time": now}
    if verb == "SAYS":
        event, moment = PromptGiven(**told, text=rest), Moment(kind="prompt", actions=(Action.ALLOW, Action.INJECT))
    else:
        call = ToolCall(id=words[4], tool="pen", action="write", paths=(rest,), edits=(TextEdit("", "x"),))
        event = ToolProposed(**told, key=f"call:{call.id}", call=call)
        moment = Moment(kind="before_call", actions=(Action.ALLOW, Action.DENY))
    return HookCall(client="toy", name=verb, events=(event,), moment=moment, session=session, cwd=cwd)


def folder_told(payload):
    return ""


def render(verdict, call, task="", for_person=""):
    return f"NO: {verdict.message}".encode() if verdict.action is Action.DENY else b""


def refuse_settings(words):
    return b""


def telling_person(answer, words):
    return answer


class _Nothing:
    told = []

    def tell(self, line):
        return True

    def close(self):
        pass


def settings():
    return sys.modules[__name__]


def probe():
    return None


HOOK_EVENTS = ("OPENS", "SAYS", "PENS")


def install(text, command, posted_to=None):
    return remove(text) + "".join(f"at {name} run {command}\\n" for name in HOOK_EVENTS)


def remove(text):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("at "))


def read_state(text):
    lines = [line.split(" ", 3) for line in text.splitlines() if line.startswith("at ")]
    asked = tuple(words[3] for words in lines if words[1] == "PENS")
    return SettingsState(hooks=tuple((words[1], words[3]) for words in lines), asked_first=asked)


def first_payload(session, folder):
    return f"OPENS|{session}|{folder}|".encode()


def version_trouble(version):
    return ""


def trust_question(folder):
    return None


def open_reader(session, *, agent="", started=False):
    return SessionReader(_Nothing())


def is_line(parsed):
    return False


def is_start(start):
    return False


def prove(lines, told, is_told, earlier):
    return None


def context_left(tail):
    return None


def transcript_folders(env, home):
    return (home + "/.toy",)


def main_transcript(path):
    return ""


def project_transcripts(root):
    return ("*.jsonl",)


def hook_faults(lines):
    return ()
'''

SIGNS = """
title: Toy
process: toyagent
mark: TOY_SHELL
session-variable: TOY_SESSION
project-variable: TOY_PROJECT
home: ~/.toy
user-settings: hooks
project-settings: .toy/hooks
local-settings: .toy/own-hooks
"""
PROBE = """
import os
from leeboard.app.hook_origin import agent_above, told_by_agent
print(agent_above(), told_by_agent(os.environ, os.getpid()))
"""


@pytest.fixture
def process(tmp_path: Path) -> HookProcess:
    package = tmp_path / "copy" / "leeboard"
    shutil.copytree(Path(leeboard.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "clients" / "toy").mkdir()
    (package / "clients" / "toy" / "__init__.py").write_text(TOY)
    (package / "clients" / "toy" / "client.txt").write_text(SIGNS)
    return HookProcess(folder=str(tmp_path / "world"), script=str(package / "surfaces" / "hook.py"))


@pytest.fixture
def project(tmp_path: Path) -> str:
    folder = tmp_path / "project"
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    (folder / "schema.sql").write_text("create table a;\n")
    return str(folder)


def told(process: HookProcess, line: str, *words: str, alone: bool = True) -> bytes:
    """What the toy reads after its hook was told a line."""
    Path(process.folder).mkdir(exist_ok=True)
    environment = process.environment({"LEEBOARD_PROFILE": "enforce", "LEEBOARD_RESIDENT": "0" if alone else None})
    command = (process.python, "-I", "-S", process.script, *words)
    done = subprocess.run(command, input=line.encode(), env=environment, capture_output=True, check=True, timeout=60)
    assert done.stderr == b""
    return done.stdout


def typed(process: HookProcess, project: str, *words: str) -> list[Any]:
    """The objects that a command prints which a person types in the project."""
    Path(process.folder).mkdir(exist_ok=True)
    environment = process.environment({"PYTHONPATH": str(Path(process.script).parents[2])})
    done = at_terminal((sys.executable, "-m", "leeboard", *words), environment, Path(project))
    assert done.stdout, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_is_refused_what_its_user_ruled_out(process: HookProcess, project: str) -> None:
    named = ("--client", "toy")
    assert told(process, f"SAYS|s|{project}|Fix app.py. Do not modify schema.sql.", *named) == b""
    assert told(process, f"PENS|s|{project}|app.py|1", *named) == b""
    answer = told(process, f"PENS|s|{project}|schema.sql|2", *named).decode()
    assert answer.startswith("NO: ")
    assert "schema.sql" in answer
    assert typed(process, project, "status", "--json")[0]["last_heard"]["event"] == "PENS"


def run(process: HookProcess, line: str, payload: str) -> bytes:
    """What a line of its settings answers, run as the toy would."""
    toy = Path(process.folder, "toyagent")
    if not toy.is_symlink():
        toy.symlink_to("/bin/sh")
    environment = process.environment({"LEEBOARD_PROFILE": "enforce", "LEEBOARD_RESIDENT": "0"})
    command = (str(toy), "-c", line)
    return subprocess.run(command, input=payload.encode(), env=environment, capture_output=True, check=True).stdout


def test_its_hooks_are_put_in_and_run_and_are_taken_out_again(process: HookProcess, project: str) -> None:
    settings = Path(project, ".toy", "own-hooks")
    settings.parent.mkdir()
    settings.write_text("colour green\n")
    assert typed(process, project, "init", "--client", "toy", "--json")[0]["scope"] == "local"
    lines = settings.read_text().splitlines()
    assert lines[0] == "colour green"
    assert [line.split()[1] for line in lines[1:]] == ["OPENS", "SAYS", "PENS"]
    assert ".toy/own-hooks" in Path(project, ".git", "info", "exclude").read_text().splitlines()
    line = lines[-1].split(" ", 3)[3]
    assert run(process, line, f"SAYS|s|{project}|Fix app.py. Do not modify schema.sql.") == b""
    assert run(process, line, f"PENS|s|{project}|schema.sql|2").startswith(b"NO: ")
    assert [held["file"] for held in typed(process, project, "status", "--json")[0]["hooks"]][-1] == str(settings)
    checks = typed(process, project, "doctor", "--json")
    assert [check["state"] for check in checks if check.get("about") in {"hooks", "hook command"}] == ["ok", "ok"]
    typed(process, project, "uninstall", "--json")
    assert settings.read_text() == "colour green\n"
    assert ".toy/own-hooks" not in Path(project, ".git", "info", "exclude").read_text()


def test_settings_that_lose_its_hooks_are_noticed(process: HookProcess, project: str) -> None:
    """What an agent takes out of them, it is told at its next word."""
    typed(process, project, "init", "--client", "toy", "--json")
    told(process, f"OPENS|s|{project}|", "--client", "toy")
    Path(project, ".toy", "own-hooks").write_text("")
    told(process, f"SAYS|s|{project}|Go on.", "--client", "toy")
    assert any("hooks went from the client's settings" in line for line in misses(process.state_dir))


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        ({"TOY_SHELL": "1"}, "TOY_SHELL True"),
        ({"TOY_SHELL": "1", "TOY_PROJECT": "/x"}, "TOY_SHELL False"),
        ({}, "toyagent False"),
    ],
)
def test_its_shells_and_hooks_are_told_apart(process: HookProcess, marks: dict[str, str], found: str) -> None:
    Path(process.folder).mkdir()
    toy = Path(process.folder, "toyagent")
    toy.symlink_to("/bin/sh")
    probe = Path(process.folder, "probe.py")
    probe.write_text(PROBE)
    environment = process.environment({"PYTHONPATH": str(Path(process.script).parents[2])}) | marks
    command = (str(toy), "-c", f"{sys.executable} {probe}; :")
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().strip("\n") == found


def test_what_a_clone_brings_for_it_is_dropped(process: HookProcess, project: str) -> None:
    """A variable of ours that the project's own settings set counts for nothing, whoever the client is."""
    Path(project, ".toy").mkdir()
    Path(project, ".toy", "hooks").write_text('set "LEEBOARD_OFF" to 1\n')
    Path(process.folder).mkdir()
    environment = process.environment(
        {"LEEBOARD_RESIDENT": "0", "LEEBOARD_PROFILE": "enforce", "LEEBOARD_OFF": "1", "TOY_PROJECT": project}
    )
    command = (process.python, "-I", "-S", process.script, "--client", "toy")
    for payload in (f"SAYS|s|{project}|Fix app.py. Do not modify schema.sql.", f"PENS|s|{project}|schema.sql|1"):
        done = subprocess.run(command, input=payload.encode(), env=environment, capture_output=True, check=True)
    assert done.stdout.startswith(b"NO: ")


def test_the_resident_answers_it_too(process: HookProcess, project: str) -> None:
    with process.resident():
        told(process, f"SAYS|s|{project}|Fix app.py. Do not modify schema.sql.", "--client", "toy", alone=False)
        answer = told(process, f"PENS|s|{project}|schema.sql|1", "--client", "toy", alone=False)
    assert answer.startswith(b"NO: ")


def test_a_line_that_names_no_client_is_one_of_the_first(process: HookProcess, project: str) -> None:
    """Lines that earlier versions wrote into settings name none; a variable does not make it another."""
    line = json.dumps({"session_id": "s", "cwd": project, "hook_event_name": "SessionStart", "source": "startup"})
    environment = process.environment({"LEEBOARD_RESIDENT": "0", "LEEBOARD_CLIENT": "toy"})
    Path(process.folder).mkdir(exist_ok=True)
    command = (process.python, "-I", "-S", process.script)
    subprocess.run(command, input=line.encode(), env=environment, capture_output=True, check=True, timeout=60)
    assert misses(process.state_dir) == []


def test_a_client_that_is_not_there_lets_the_call_pass_and_is_noted(process: HookProcess, project: str) -> None:
    assert told(process, f"PENS|s|{project}|schema.sql|1", "--client", "nobody") == b""
    (noted,) = misses(process.state_dir)
    assert "WireError" in noted
