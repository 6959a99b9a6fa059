"""A client that nobody heard of is one folder: added to a copy of the package, it is guarded with no other edit."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import leeboard
from leeboard.app.misses import misses
from tests.hook_process import HookProcess

TOY = '''
"""A client of another kind: it speaks lines, not JSON, and has names of its own for everything."""

import msgspec

from leeboard.clients.call import HookCall
from leeboard.clients.transcript_lines import SessionReader
from leeboard.errors import WireError
from leeboard.model.event import PromptGiven, TextEdit, ToolCall, ToolProposed
from leeboard.model.verdict import Action, Moment


def parse(payload, now):
    words = payload.decode().rstrip("\\n").split("|")
    if len(words) < 4:
        raise WireError("a line of the toy has four parts")
    verb, session, cwd, rest = words[:4]
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
'''


@pytest.fixture
def process(tmp_path: Path) -> HookProcess:
    package = tmp_path / "copy" / "leeboard"
    shutil.copytree(Path(leeboard.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "clients" / "toy").mkdir()
    (package / "clients" / "toy" / "__init__.py").write_text(TOY)
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


def test_it_is_refused_what_its_user_ruled_out(process: HookProcess, project: str) -> None:
    named = ("--client", "toy")
    assert told(process, f"SAYS|s|{project}|Fix app.py. Do not modify schema.sql.", *named) == b""
    assert told(process, f"PENS|s|{project}|app.py|1", *named) == b""
    answer = told(process, f"PENS|s|{project}|schema.sql|2", *named).decode()
    assert answer.startswith("NO: ")
    assert "schema.sql" in answer
    command = (sys.executable, "-m", "leeboard", "status", "--json")
    environment = process.environment({"PYTHONPATH": str(Path(process.script).parents[2])})
    status = subprocess.run(command, cwd=project, env=environment, capture_output=True, check=False, timeout=60)
    assert json.loads(status.stdout)["last_heard"]["event"] == "PENS"


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
