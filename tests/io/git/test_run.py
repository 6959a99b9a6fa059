from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.git.run import Command, GitError, Processes, run_one
from tests.dead_process import wait_until_gone
from tests.git_repository import GitRepository


@pytest.fixture
def root(tmp_path: Path) -> str:
    return GitRepository(tmp_path / "repo").root


def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_outputs_may_be_asked_for_in_any_order(root: str) -> None:
    names = ("one", "two", "three")
    commands = {name: Command(arguments=("hash-object", "--stdin"), given=name.encode() * 99_999) for name in names}
    with Processes(root, commands, 10) as running:
        found = {name: running.output(name).text for name in reversed(names)}
        assert running.output("one").text == found["one"]
    assert len(set(found.values())) == 3
    assert all(len(text) == 41 for text in found.values())


def test_what_git_refuses_is_an_error_with_its_words(root: str) -> None:
    with pytest.raises(
        GitError, match=r"git cat-file failed in .*: fatal: Not a valid object name nothing. Try"
    ) as raised:
        run_one(root, ("cat-file", "-p", "nothing"), 10)
    assert raised.value.code == 128


def test_a_plain_no_has_its_code(root: str) -> None:
    with pytest.raises(GitError, match="ended with 1") as raised:
        run_one(root, ("config", "--get", "no.such"), 10)
    assert raised.value.code == 1


def test_too_much_output_is_cut(root: str) -> None:
    text = b"x" * (3 << 20)
    identity = run_one(root, ("version",), 10)
    commands = {
        "cut": Command(arguments=("stripspace",), given=text, most=1000),
        "whole": Command(arguments=("stripspace",), given=text),
        "version": Command(arguments=("version",)),
    }
    with Processes(root, commands, 10) as running:
        cut, whole, version = (running.output(name) for name in ("cut", "whole", "version"))
    assert (len(cut.text), cut.cut) == (1000, True)
    assert (len(whole.text), whole.cut) == (len(text) + 1, False)
    assert version.text == identity


def test_what_a_late_process_started_ends_with_it(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = tmp_path / "child"
    fake_git(tmp_path, monkeypatch, f"sleep 60 & echo $! > {child}\nwait")
    began = time.monotonic()
    with pytest.raises(EffectError, match=r"git status did not end within 0\.5 seconds"):
        run_one(root, ("status",), 0.5)
    assert time.monotonic() - began < 30
    wait_until_gone(int(child.read_text()))


def test_a_git_that_can_not_run_is_an_error(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EffectError, match="does not exist"):
        run_one(str(tmp_path / "absent"), ("status",), 10)
    with pytest.raises(EffectError, match="could not be started"):
        run_one(root, ("status", "nul\0"), 10)
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(EffectError, match="not on PATH"):
        run_one(root, ("status",), 10)


def test_warnings_are_kept(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_git(tmp_path, monkeypatch, "echo careful >&2; echo done")
    with Processes(root, {"": Command(arguments=("status",))}, 10) as running:
        output = running.output("")
    assert (output.text, output.warnings) == (b"done\n", "careful")
