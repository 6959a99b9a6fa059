from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.io.store.sqlite import open_store
from tests.surfaces.cli.conftest import COMMAND

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

LOOSENING = (
    ("allow", "scope_drift", "--reason", "x"),
    ("allow", "--revoke", "a1"),
    ("scope", "widen", "src/", "--reason", "x"),
    ("scope", "narrow", "src/"),
    ("init",),
    ("uninstall",),
    ("purge", "--older-than", "1d"),
    ("doctor", "--fix"),
)


@pytest.mark.parametrize("words", LOOSENING, ids=" ".join)
def test_an_agent_can_not_loosen_its_guard(desk: Desk, words: tuple[str, ...]) -> None:
    ran = desk.run(*words, env={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"})
    assert ran.code == 2
    assert "only a person may run" in ran.err
    assert ran.err.count("\n") == 1
    assert not desk.local.exists()
    store = open_store(str(desk.state / "leeboard.db"))
    (receipt,) = store.receipts(10)
    store.close()
    assert (receipt.outcome, receipt.session) == ("self_allowance", "s1")


def test_the_refusal_stands_where_it_can_not_be_written_down(desk: Desk) -> None:
    (desk.home / ".local").write_text("a file where a folder should be")
    assert desk.run("init", env={"CODEX_SANDBOX": "seatbelt"}).code == 2


def test_the_refusal_stands_in_a_folder_that_is_gone(desk: Desk) -> None:
    line = f"mkdir ../gone && cd ../gone && rmdir ../gone && {' '.join(COMMAND)} uninstall --all; exit $?"
    ran = desk.execute(("/bin/sh", "-c", line), env={"CLAUDECODE": "1"})
    assert (ran.code, "only a person may run" in ran.err) == (2, True)


def test_looking_is_free(desk: Desk) -> None:
    for words in (("allow", "--list"), ("scope",), ("rules",)):
        desk.ok(*words, env={"CLAUDECODE": "1"})


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
    told = Path("/proc/self/environ").exists()
    assert (ran.code != 0, desk.local.exists()) == ((True, False) if told else (False, True))
    assert "only a person may run" in ran.err or not told
