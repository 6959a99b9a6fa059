"""Who may decide: each command as an agent, a gate, a script and a person run it, with real terminals."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.contracts.disk.acceptance import run_one
from leeboard.store.sqlite import open_store
from tests.surfaces.cli.conftest import COMMAND, Ran
from tests.terminal import at_terminal

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

IS_TOLD = Path("/proc/self/environ").exists()
"""Elsewhere the environment of the command itself is all there is."""
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
DECIDING = (
    ("allow", "scope_drift", "--reason", "x"),
    ("scope", "widen", "src/", "--reason", "x"),
    ("uninstall",),
    ("pause", "--reason", "x"),
    ("purge", "--older-than", "1d"),
    ("doctor", "--fix"),
    ("contract", "end"),
    ("drift", "accept", "a.md"),
    ("flow", "say", "yes"),
    ("flow", "review", "--approve"),
    ("flow", "feedback", "close", "FB-01"),
    ("flow", "feedback", "reject", "FB-01", "--reason", "x"),
    ("flow", "repair", "--apply", "--restore"),
    ("flow", "baseline-reset", "--accept", "0a0a0a", "--reason", "x"),
)
TIGHTENING = (("allow", "--revoke", "a1"), ("scope", "narrow", "src/"), ("init",))
"""No terminal is asked for: a script may do it."""
REFUSED = "only a person may run"
PTY = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
TERMINALS = {
    "script": "env -u CLAUDECODE script -qec {} /dev/null",
    "python": f"env -u CLAUDECODE {sys.executable} -c {shlex.quote(PTY)} sh -c {{}}",
    "unbuffer": "env -u CLAUDECODE unbuffer -p sh -c {}",
    "tmux": "tmux -S ./t -f /dev/null new-session -d {} \\; set -g remain-on-exit off; "
    "while tmux -S ./t has-session 2>/dev/null; do :; done",
}
"""Ways to make oneself a terminal. The line that runs in it takes the mark away."""


def detached(desk: Desk, words: tuple[str, ...], env: dict[str, str] | None = None) -> Ran:
    """In a session of its own, without a terminal, as a daemon, a build server or a container's build."""
    return Ran(
        subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            cwd=desk.repo,
            env=desk.env | (env or {}),
            capture_output=True,
            check=False,
            timeout=60,
            start_new_session=True,
        )
    )


@pytest.mark.parametrize("words", [*DECIDING, *TIGHTENING], ids=" ".join)
def test_an_agent_can_not_loosen_its_guard(desk: Desk, words: tuple[str, ...]) -> None:
    ran = desk.run(*words, env=AGENT)
    assert ran.code == 2
    assert REFUSED in ran.err
    assert ran.err.count("\n") == 1
    assert not desk.local.exists()
    store = open_store(str(desk.state / "leeboard.db"))
    (receipt,) = store.receipts(10)
    store.close()
    assert (receipt.outcome, receipt.session) == ("self_allowance", "s1")


@pytest.mark.parametrize("words", [*DECIDING, *TIGHTENING], ids=" ".join)
def test_nor_can_a_gate(desk: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs what the agent wrote, and whoever has it run may be a person in a terminal."""
    for name, value in desk.env.items():
        monkeypatch.setenv(name, value)
    line = shlex.join((*COMMAND, *words))
    marked = run_one(line, str(desk.repo), "")
    scrubbed = run_one(f"env -u LEEBOARD_GATE {line}; exit $?", str(desk.repo), "")
    assert (marked.code, REFUSED in marked.tail) == (2, True)
    assert "a quality gate or an acceptance command runs it" in marked.tail
    assert (scrubbed.code, REFUSED in scrubbed.tail) == (2, True) or not IS_TOLD


@pytest.mark.parametrize("words", DECIDING, ids=" ".join)
def test_nor_can_what_has_no_terminal(desk: Desk, words: tuple[str, ...]) -> None:
    """A process that was let go of by all above it has no mark, and nobody sits in front of it."""
    ran = detached(desk, (*COMMAND, *words))
    assert (ran.code, REFUSED in ran.err) == (2, True)
    assert "Run it in a terminal of your own" in ran.err


@pytest.mark.parametrize("words", DECIDING, ids=" ".join)
def test_a_person_can(desk: Desk, words: tuple[str, ...]) -> None:
    done = at_terminal((*COMMAND, *words), desk.env, desk.repo)
    assert REFUSED not in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_whatever_stdin_and_stdout_are(desk: Desk) -> None:
    """A person may pipe what they run; the terminal that controls it is what counts."""
    words = (*COMMAND, "allow", "scope_drift", "--reason", "x")
    done = at_terminal(("/bin/sh", "-c", f"{shlex.join(words)} </dev/null | cat; wait"), desk.env, desk.repo)
    assert b"scope_drift" in done.stdout, done.stderr


@pytest.mark.parametrize("words", TIGHTENING, ids=" ".join)
def test_a_script_may_do_what_loosens_nothing(desk: Desk, words: tuple[str, ...]) -> None:
    assert REFUSED not in detached(desk, (*COMMAND, *words)).err


def test_a_script_can_not_loosen_the_profile(desk: Desk) -> None:
    """Installing is no loosening, whatever the profile; taking one back is."""
    assert detached(desk, (*COMMAND, "init", "--profile", "advise")).code == 0
    assert detached(desk, (*COMMAND, "init", "--profile", "enforce")).code == 0
    ran = detached(desk, (*COMMAND, "init", "--profile", "observe"))
    assert (ran.code, REFUSED in ran.err) == (2, True)
    assert "enforce" in (desk.repo / "leeboard.toml").read_text()
    assert at_terminal((*COMMAND, "init", "--profile", "observe"), desk.env, desk.repo).returncode == 0


@pytest.mark.parametrize("kind", [kind for kind in TERMINALS if kind == "python" or shutil.which(kind)])
def test_a_terminal_that_an_agent_made_is_still_an_agent_s(desk: Desk, kind: str) -> None:
    said = desk.repo / "said"
    line = f"{shlex.join(COMMAND)} allow scope_drift --reason x 2>{said}"
    command = TERMINALS[kind].format(shlex.quote(f"unset CLAUDECODE; {line}; :"))
    desk.execute(("/bin/sh", "-c", f"{command}; :"), env=AGENT | {"TERM": "dumb", "SHELL": "/bin/sh"})
    assert REFUSED in said.read_text() or not IS_TOLD


def test_a_session_that_an_agent_leads_is_an_agent_s(desk: Desk) -> None:
    """Its process was let go of, and brings a clean environment: the leader of its session still tells."""
    clean = " ".join(f"{name}={shlex.quote(value)}" for name, value in desk.env.items())
    line = f"env -i {clean} {shlex.join(COMMAND)} allow scope_drift --reason x 2>said; echo > done"
    leader = f"(sh -c {shlex.quote(line)} &) ; until [ -e done ]; do :; done; :"
    at_terminal(("/bin/sh", "-c", leader), desk.env | {"CODEX_SANDBOX": "x"}, desk.repo)
    assert REFUSED in (desk.repo / "said").read_text() or not IS_TOLD


def test_the_refusal_stands_where_it_can_not_be_written_down(desk: Desk) -> None:
    (desk.home / ".local").write_text("a file where a folder should be")
    assert desk.run("init", env={"CODEX_SANDBOX": "seatbelt"}).code == 2


def test_the_refusal_stands_in_a_folder_that_is_gone(desk: Desk) -> None:
    line = f"mkdir ../gone && cd ../gone && rmdir ../gone && {' '.join(COMMAND)} uninstall --all; exit $?"
    ran = desk.execute(("/bin/sh", "-c", line), env={"CLAUDECODE": "1"})
    assert (ran.code, REFUSED in ran.err) == (2, True)


def test_looking_is_free(desk: Desk) -> None:
    for words in (("allow", "--list"), ("scope",), ("rules",)):
        desk.ok(*words, env={"CLAUDECODE": "1"})
        assert detached(desk, (*COMMAND, *words)).code == 0


@pytest.mark.parametrize(
    "line",
    [
        "env -u CLAUDECODE {} init",
        "unset CLAUDECODE; {} init",
        "echo init | env -u CLAUDECODE xargs {}",
        "env -u CLAUDECODE sh -c 'sh -c \"{} init; exit \\$?\"; exit $?'",
    ],
)
def test_nor_where_it_takes_the_mark_away(desk: Desk, line: str) -> None:
    """The agent's shell is still above the command, where the system tells of processes."""
    ran = desk.execute(("/bin/sh", "-c", f"{line.format(' '.join(COMMAND))}; exit $?"), env={"CLAUDECODE": "1"})
    assert (ran.code != 0, desk.local.exists()) == ((True, False) if IS_TOLD else (False, True))
    assert REFUSED in ran.err or not IS_TOLD
