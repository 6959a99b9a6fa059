"""The recipes of docs/contracts.md, each against a real clone as build servers make them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import run as run_command
from tests.git_repository import GitRepository

CONTRACT = '[contract]\ntouch = ["src/**"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    """A branch that is forty commits behind `main`, by others who touched what it may not."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    repo = GitRepository(tmp_path / "origin")
    repo.write("leeboard.toml", CONTRACT)
    repo.write("src/a.py", "a = 1\n")
    repo.commit("start")
    repo.run("checkout", "-q", "-b", "work")
    repo.write("src/a.py", "a = 2\n")
    repo.commit("work")
    repo.run("checkout", "-q", "main")
    repo.write("docs/others.md", "theirs\n")
    repo.write("src/others.py", "x = 1\n")
    repo.commit("others")
    for number in range(39):
        repo.run("commit", "-q", "--allow-empty", "-m", str(number))
    return repo


def cloned(project: GitRepository, folder: Path, *options: str) -> GitRepository:
    project.run("clone", "-q", *options, f"file://{project.path}", str(folder))
    return GitRepository(folder)


def checked(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str]:
    monkeypatch.chdir(repo.path)
    capfd.readouterr()
    code = run_command(["check", *options])
    said = capfd.readouterr()
    return code, said.out + said.err


def test_a_branch_that_is_behind(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    clone = cloned(project, tmp_path / "clone", "-b", "work")
    code, said = checked(clone, monkeypatch, capfd, "--base", "origin/main", "--json")
    found = json.loads(said.splitlines()[0])
    assert (code, found["score"], found["telemetry"]["files_changed"]) == (0, "green", 1)
    clone.write("docs/mine.md", "mine\n")
    clone.commit()
    assert checked(clone, monkeypatch, capfd, "--base", "origin/main", "--github")[0] == 3
    assert checked(clone, monkeypatch, capfd, "--base", "origin/main", "--github", "--fail-on", "red")[0] == 0


def test_the_merge_of_a_pull_request(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project.run("checkout", "-q", "--detach", "main")
    project.run("merge", "-q", "--no-ff", "-m", "merge", "work")
    project.run("update-ref", "refs/pull/1/merge", "HEAD")
    project.run("checkout", "-q", "main")
    clone = cloned(project, tmp_path / "clone", "--no-checkout")
    clone.run("fetch", "-q", "origin", "+refs/pull/1/merge:refs/remotes/pull/1/merge")
    clone.run("checkout", "-q", "--detach", "refs/remotes/pull/1/merge")
    code, said = checked(clone, monkeypatch, capfd, "--base", "origin/main", "--json")
    assert (code, json.loads(said.splitlines()[0])["telemetry"]["files_changed"]) == (0, 1)


def test_a_shallow_clone_says_what_it_lacks(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    clone = cloned(project, tmp_path / "clone", "--depth", "1", "-b", "work")
    code, said = checked(clone, monkeypatch, capfd, "--base", "origin/main")
    assert code == 2
    (step,) = re.findall(r"`git (fetch .*?)`", said)
    assert step == "fetch --unshallow origin main:refs/remotes/origin/main"
    deep = cloned(project, tmp_path / "deep", "--depth", "1", "-b", "work")
    deep.run(*step.split())
    assert checked(deep, monkeypatch, capfd, "--base", "origin/main")[0] == 0, "what is said to be run is enough"
    clone.run("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    code, said = checked(clone, monkeypatch, capfd, "--base", "origin/main")
    assert (code, "have no commit in common" in said) == (1, True)
    clone.run("fetch", "-q", "--unshallow", "origin")
    assert checked(clone, monkeypatch, capfd, "--base", "origin/main")[0] == 0


def test_a_fork_goes_by_the_repository_it_came_from(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fork = cloned(project, tmp_path / "fork", "-b", "work")
    fork.run("remote", "rename", "origin", "upstream")
    fork.run("branch", "-q", "main", "HEAD~1")
    assert checked(fork, monkeypatch, capfd, "--base", "upstream/main")[0] == 0


def test_streaks_go_on_where_each_build_is_a_new_machine(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    clone = cloned(project, tmp_path / "clone", "-b", "work")
    kept = str(tmp_path / "streaks.json")
    scores = []
    for number in range(6):
        monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / f"machine {number}"))
        clone.write("docs/mine.md", f"{number}\n")
        clone.commit()
        _, said = checked(clone, monkeypatch, capfd, "--base", "origin/main", "--json", "--state", kept)
        scores.append(json.loads(said.splitlines()[0])["score"])
    assert scores == ["yellow"] * 5 + ["red"]


def test_the_file_that_streaks_are_handed_on_in_is_no_part_of_the_work(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It lies in the checkout, as in the recipe, and was put there by the cache of the build."""
    clone = cloned(project, tmp_path / "clone", "-b", "work")
    for _ in range(2):
        code, said = checked(clone, monkeypatch, capfd, "--base", "origin/main", "--state", "leeboard-streaks.json")
        assert (code, "leeboard-streaks" in said) == (0, False)


def test_no_list_is_cut(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    clone = cloned(project, tmp_path / "clone", "-b", "work")
    for number in range(120):
        clone.write(f"docs/{number}.md", "x\n")
    _, said = checked(clone, monkeypatch, capfd, "--base", "origin/main", "--json")
    (scope,) = [one for one in json.loads(said.splitlines()[0])["findings"] if one["kind"] == "scope_drift"]
    assert {len(value) for value in scope["details"].values()} == {120}
    assert len(scope["places"]) == 120


def test_a_lock_file_is_read_at_any_size(
    project: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    clone = cloned(project, tmp_path / "clone", "-b", "work")
    entries = {f"node_modules/p{number}": {"version": "1.0.0", "integrity": "x" * 90} for number in range(25_000)}
    clone.write("package-lock.json", json.dumps({"packages": entries}, indent=1))
    clone.commit()
    more = entries | {"node_modules/newcomer": {"version": "1.0.0"}}
    clone.write("package-lock.json", json.dumps({"packages": more}, indent=1))
    _, said = checked(clone, monkeypatch, capfd, "--base", "HEAD", "--json")
    assert "newcomer" in said
    assert "it is not a text, or too large" not in said


@pytest.mark.parametrize("words", [("check", "--base"), ("scan", "--diff")])
def test_a_variable_of_the_build_that_is_empty_is_wrong_use(
    project: GitRepository, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(project.path)
    assert run_command([*words, ""]) == 2
    assert f"{words[1]} is empty: name a branch or commit" in capfd.readouterr().err
