"""What a scan says where git has something to say: a repository it does not read, a file it would or would not take."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.git_repository import GitRepository
from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

_WEAK = "import hashlib\nh = hashlib.md5(password)\n"
_REASON = "fatal: detected dubious ownership in repository at"


@pytest.fixture
def strange(desk: Desk, tmp_path: Path) -> dict[str, str]:
    """An environment in which git takes every repository for somebody else's, as it does in a container."""
    git = shutil.which("git")
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "git"
    script.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"\n')
    script.chmod(0o755)
    (desk.repo / "a.py").write_text(_WEAK)
    return {"PATH": f"{folder}:{desk.env['PATH']}"}


def test_a_repository_that_git_does_not_read_is_told(desk: Desk, strange: dict[str, str]) -> None:
    assert "ownership" not in desk.run("scan").out
    for form in ((), ("--json",), ("--sarif",)):
        ran = desk.run("scan", *form, env=strange)
        told = " ".join((ran.out if not form else ran.err).split())
        assert ran.code == 1
        assert _REASON in told
        assert "Do as git says if you trust the folder. What git ignores is scanned too" in told


@pytest.mark.parametrize(
    ("words", "code"),
    [(("scan", "--diff", "main"), 5), (("scan", "--staged"), 5), (("check", "--base", "main"), 1)],
    ids=["scan", "staged", "check"],
)
def test_a_change_in_it_fails_with_what_git_says(
    desk: Desk, strange: dict[str, str], words: tuple[str, ...], code: int
) -> None:
    ran = desk.run(*words, env=strange)
    assert ran.code == code
    assert _REASON in ran.err
    assert "names no commit" not in ran.err


@pytest.mark.parametrize(
    ("ignored", "forced", "said"),
    [
        (
            True,
            True,
            "git has it, though .gitignore names it. Take it out of the index (`git rm --cached .env`) before",
        ),
        (
            False,
            True,
            "git has it. Take it out of the index (`git rm --cached .env`), and add it to .gitignore, before",
        ),
        (False, False, "git does not ignore it. Add it to .gitignore before"),
    ],
    ids=["ignored and forced", "staged", "new"],
)
def test_what_keeps_an_environment_file_out_of_a_commit(desk: Desk, said: str, *, ignored: bool, forced: bool) -> None:
    (desk.repo / ".env").write_text(f"STRIPE_API_KEY={live_key(4)}\n")
    if ignored:
        (desk.repo / ".gitignore").write_text(".env\n")
    if forced:
        subprocess.run(("git", "add", "-f", ".env"), cwd=desk.repo, check=True)
        assert said in " ".join(desk.run("scan", "--staged").out.split())
    assert said in " ".join(desk.run("scan").out.split())


@pytest.mark.parametrize("name", ["base", "origin/base"])
def test_a_tag_with_the_name_of_the_base_hides_nothing(desk: Desk, name: str) -> None:
    git = GitRepository(desk.repo)
    folder = "refs/remotes" if "/" in name else "refs/heads"
    git.run("update-ref", f"{folder}/{name}", git.commit())
    git.write("new.py", _WEAK)
    git.commit()
    git.run("tag", name, "HEAD")
    ran = desk.run("scan", "--diff", name)
    assert (ran.code, "new.py:2" in ran.out) == (1, True)


def test_a_name_that_may_be_two_things_is_an_error_with_both(desk: Desk) -> None:
    git = GitRepository(desk.repo)
    git.run("update-ref", "refs/remotes/origin/next", git.commit())
    git.run("tag", "next")
    for words in (("scan", "--diff", "next"), ("check", "--base", "next")):
        ran = desk.run(*words)
        assert ran.code == 2
        assert "refs/tags/next or refs/remotes/origin/next" in " ".join(ran.err.split())


def test_a_repository_inside_is_told_as_not_analysed(desk: Desk) -> None:
    git = GitRepository(desk.repo)
    git.write("a.py", "x = 1\n")
    inside = GitRepository(desk.repo / "sub" / "n")
    inside.write("app.py", _WEAK)
    git.run("add", "a.py")
    git.run("commit", "-qm", "x")
    assert "1 file not analysed: 1 a repository of its own (sub/n)" in " ".join(desk.run("scan").out.split())
    inside.commit()
    git.run("add", "sub/n")
    for words in (("scan",), ("scan", "sub"), ("scan", "--staged"), ("scan", "--diff", "HEAD")):
        assert "1 a repository of its own (sub/n)" in " ".join(desk.run(*words).out.split())
    git.commit()
    assert "1 a repository of its own (sub/n)" in " ".join(desk.run("scan").out.split())
    assert "app.py:2" in desk.run("scan", "sub/n").out


def test_a_second_work_tree_and_a_module_that_is_not_there_are_not_told(desk: Desk) -> None:
    git = GitRepository(desk.repo)
    git.write("a.py", "x = 1\n")
    git.run("update-index", "--add", "--cacheinfo", f"160000,{git.commit()},module")
    git.run("commit", "-qm", "x")
    (desk.repo / "module").mkdir()
    git.run("worktree", "add", "-q", "second")
    assert "not analysed:" not in " ".join(desk.run("scan").out.replace("duplicates: not analysed", "").split())


def test_what_is_no_file_is_told_as_not_analysed(desk: Desk) -> None:
    os.mkfifo(desk.repo / "fifo.py")
    (desk.repo / "a.py").write_text("x = 1\n")
    for path in ("fifo.py", "/dev/zero"):
        ran = desk.run("scan", path)
        assert (ran.code, "1 neither a file nor a folder" in " ".join(ran.out.split())) == (5, True)
        assert "nothing was analysed" in ran.err
    assert desk.run("scan", "fifo.py", "a.py").code == 0


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_was_told_not_to_look_at_is_looked_at(desk: Desk, flag: str) -> None:
    git = GitRepository(desk.repo)
    git.write("a.py", "x = 1\n")
    git.write("same.py", _WEAK)
    base = git.commit()
    git.run("update-index", flag, "a.py", "same.py")
    (desk.repo / "a.py").write_text(_WEAK)
    ran = desk.run("scan", "--diff", base)
    assert (ran.code, "a.py:2" in ran.out, "same.py" in ran.out) == (1, True, False)


def test_a_graft_hides_no_commit(desk: Desk) -> None:
    git = GitRepository(desk.repo)
    git.write("a.py", "x = 1\n")
    base = git.commit()
    git.run("branch", "base")
    git.write("a.py", _WEAK)
    (desk.repo / ".git" / "info" / "grafts").write_text(f"{base} {git.commit()}\n")
    ran = desk.run("scan", "--diff", "base")
    assert (ran.code, "a.py:2" in ran.out) == (1, True)
