"""Remotes: what an address names, and a branch that goes there and back over a real line to a bare repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.remote import Remote, bare_environment, fetch, find_remote, head_of, push
from tests.git_repository import ENVIRONMENT, GitRepository


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    made = GitRepository(tmp_path / "mine")
    made.write("a.txt", "a\n")
    made.commit("begin")
    made.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    made.run("remote", "add", "origin", str(tmp_path / "bare.git"))
    return made


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("git@github.com:kim/words.git", "github.com", "kim/words"),
        ("https://token@gitlab.example/kim/words.git", "gitlab.example", "kim/words"),
        ("ssh://git@host.example:22/kim/words", "host.example", "kim/words"),
        ("/srv/git/words.git", "", "srv/git/words"),
        ("file:///srv/git/words.git", "", "srv/git/words"),
    ],
)
def test_what_an_address_names(url: str, host: str, path: str) -> None:
    remote = Remote(name="origin", url=url)
    assert (remote.host, remote.path) == (host, path)


def test_which_remote_is_meant(clone: GitRepository) -> None:
    found = find_remote(clone.root)
    assert found is not None
    assert found.name == "origin"
    assert head_of(clone.root, found) == ""
    clone.run("fetch", "-q", "origin")
    clone.run("remote", "set-head", "origin", "main")
    assert head_of(clone.root, found) == "main"
    clone.run("remote", "rename", "origin", "upstream")
    assert find_remote(clone.root) is not None
    clone.run("remote", "add", "other", "/nowhere")
    assert find_remote(clone.root) is None


def test_there_and_back(clone: GitRepository, tmp_path: Path) -> None:
    remote = find_remote(clone.root)
    assert remote is not None
    clone.run("branch", "haiku/x/main")
    assert push(clone.root, remote, "haiku/x/main") == ""
    assert "haiku/x/main" in clone.run("ls-remote", str(tmp_path / "bare.git"))
    clone.run("update-ref", "refs/remotes/origin/main", clone.commit("only here"))
    assert fetch(clone.root, remote, "main") == ""
    theirs = clone.run("ls-remote", str(tmp_path / "bare.git"), "refs/heads/main").split()[0]
    assert clone.run("rev-parse", "refs/remotes/origin/main") == theirs, "what the remote has counts"


def test_a_line_that_is_dead_says_why(clone: GitRepository) -> None:
    gone = Remote(name="origin", url="/nowhere")
    clone.run("remote", "set-url", "origin", "/nowhere/at/all.git")
    assert "nowhere" in push(clone.root, gone, "main")
    assert "nowhere" in fetch(clone.root, gone, "main")


def test_programs_below_are_marked_and_none_of_the_repository_is_found(
    clone: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{clone.root}/bin:/usr/bin:.")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    env = bare_environment(clone.root)
    assert env["PATH"] == "/usr/bin"
    assert env["LEEBOARD_GATE"] == "1"
    assert "GIT_DIR" not in env
