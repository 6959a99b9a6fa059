"""How a process knows that an agent runs it. The agent's shells are real ones, started as a client starts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.app.hook_origin import AGENT_MARKS, agent_mark, in_agent_shell, told_by_agent
from leeboard.surfaces.hook_client import told_names

ROOT = Path(__file__).resolve().parents[2]
IS_TOLD = Path("/proc/self/environ").exists()
"""Elsewhere the environment of the command itself is all there is."""
PROBE = """
import os
from leeboard.app.hook_origin import agent_above, told_by_agent
print(agent_above(), told_by_agent(os.environ, os.getpid()))
"""
MARK = {"CLAUDECODE": "1"}
HOOK = MARK | {"CLAUDE_PROJECT_DIR": "/x"}


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A shell under a client's name: what it starts is its hook or its agent's shell."""
    path = tmp_path / "claude"
    path.symlink_to("/bin/sh")
    (tmp_path / "probe.py").write_text(PROBE)
    return path


def started(client: Path, line: str, marks: dict[str, str]) -> list[str]:
    """Whose command it is, and whose hook, as a program sees it that the client has a shell run by this line."""
    probe = f"{sys.executable} {client.parent / 'probe.py'}"
    own = {name: value for name, value in os.environ.items() if name not in AGENT_MARKS}
    given = " ".join(f"{name}={value}" for name, value in marks.items())
    command = (client, "-c", f'{given} /bin/sh -c "$0"; :', line.format(probe, client=client))
    env = own | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=client.parent)
    return done.stdout.strip("\n").split(" ")


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_each_agent_is_known_by_its_mark(mark: str) -> None:
    assert agent_mark({mark: "1"}) == mark
    assert agent_mark({mark: ""}) == ""


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_a_hook_of_the_client_is_not_a_command_of_the_agent(mark: str) -> None:
    assert in_agent_shell({mark: "1"})
    assert not in_agent_shell({mark: "1", "CLAUDE_PROJECT_DIR": "/x"})
    assert not in_agent_shell({})
    assert mark.encode() in told_names()


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "env -u CLAUDECODE {}",
        "env -u CLAUDECODE {}; :",
        "unset CLAUDECODE; {}; :",
        "CLAUDECODE= {}; :",
        "env -u CLAUDECODE sh -c \"sh -c '{}; :'; :\"; :",
        "echo {} | env -u CLAUDECODE xargs env; :",
        "printf 'unset CLAUDECODE\\n{}\\n' > line.sh; sh line.sh; :",
    ],
)
def test_taking_the_mark_away_does_not_make_a_person(line: str, client: Path) -> None:
    """SH-49: an agent's shell is found above whatever it runs."""
    assert started(client, line, MARK)[0] == "CLAUDECODE" or not IS_TOLD


@pytest.mark.parametrize(
    ("line", "marks", "by_agent"),
    [
        ("{}", HOOK, "False"),
        ("{}; :", HOOK, "False"),
        ("sh -c '{}; :'; :", HOOK, "False"),
        ("{}; :", {}, "False"),
        ("{}; :", MARK, "True"),
        ("CLAUDE_PROJECT_DIR=$PWD {}; :", MARK, "True"),
        ("export CLAUDE_PROJECT_DIR=$PWD; {}; :", MARK, "True"),
        ("env -u CLAUDECODE CLAUDE_PROJECT_DIR=/x {}; :", MARK, "True"),
        ("env -u CLAUDECODE CLAUDE_PROJECT_DIR=/x sh -c '{}; :'; :", MARK, "True"),
    ],
)
def test_a_hook_that_an_agent_s_shell_runs_is_known(
    line: str, marks: dict[str, str], by_agent: str, client: Path
) -> None:
    """SH-22: the same program as a hook of the client's, with the same environment."""
    assert started(client, line, marks)[1] == by_agent or not IS_TOLD


@pytest.mark.parametrize("script", ["bin/claude", "@anthropic-ai/claude-code/cli.js", "@openai/codex/bin/codex.js"])
def test_a_client_that_an_interpreter_runs_is_known(script: str, tmp_path: Path, client: Path) -> None:
    node, code = tmp_path / "node", tmp_path / script
    node.symlink_to("/bin/sh")
    code.parent.mkdir(parents=True)
    code.write_text(f"env -u CLAUDECODE {sys.executable} {tmp_path / 'probe.py'}\n:\n")
    assert started(client, f"{node} {code}; :", MARK) == ["CLAUDECODE", "False"] or not IS_TOLD


def test_what_a_client_is_given_is_no_shell_s_mark(client: Path) -> None:
    """By whatever name the client goes: who starts one may tell it how it was started."""
    assert started(client, "CLAUDECODE=1 CLAUDE_PROJECT_DIR=/x {}; :", {"CLAUDE_CODE_ENTRYPOINT": "sdk"})[1] == "False"


def test_the_look_ends_at_the_nearest_client(client: Path) -> None:
    """One that an agent starts, or that plays a client in a test, starts hooks and agents of its own."""
    line = "env -u CLAUDECODE {client} -c '{}; :'; :"
    assert started(client, line, MARK) == ["claude" if IS_TOLD else "", "False"]


def test_a_program_in_the_place_of_the_marked_shell_is_no_person(client: Path) -> None:
    """SH-49: the shell is gone with its mark, the client that started it is not."""
    line = "exec env -i PATH=$PATH PYTHONPATH=$PYTHONPATH sh -c '{}; :'"
    assert started(client, line, MARK)[0] == "claude" or not IS_TOLD


def test_a_hook_of_the_client_is_believed() -> None:
    """This process stands for a client, or for a person's shell."""
    assert not told_by_agent({"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/x"}, os.getpid())
    assert not told_by_agent({}, 0)


def test_one_of_an_agent_or_a_gate_is_not() -> None:
    assert told_by_agent({"CLAUDECODE": "1"}, 0)
    assert told_by_agent({"LEEBOARD_GATE": "1", "CLAUDE_PROJECT_DIR": "/x"}, 0)
