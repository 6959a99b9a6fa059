"""A repository's own settings run nothing; the user's go on to work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.git.ask import run
from leeboard.io.git.settings import environment, hardened, named_programs, started
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "here")
    made.write("a.txt", "1\n")
    made.commit()
    return made


def test_most_repositories_name_no_program(repository: GitRepository) -> None:
    assert named_programs(repository.root, environment()) == ()


@pytest.mark.parametrize("name", ["x", "a=b", "with space", 'quo"te', "dot.ted", "UPPER"])
def test_each_filter_is_overruled_whatever_its_name(repository: GitRepository, name: str) -> None:
    repository.run("config", f"filter.{name}.clean", "evil")
    assert dict(named_programs(repository.root, environment())) == {
        f"filter.{name}.clean": "",
        f"filter.{name}.required": "false",
    }


def test_one_that_an_included_file_names_is_overruled_too(repository: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "more").write_text('[a][filter "x"] process = evil\n')
    repository.run("config", "include.path", str(tmp_path / "more"))
    assert ("filter.x.process", "") in named_programs(repository.root, environment())


def test_what_the_user_says_of_a_filter_holds(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text('[filter "big"]\n\tclean = mine\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    repository.run("config", "filter.big.clean", "evil")
    assert ("filter.big.clean", "mine") in named_programs(repository.root, environment())


def test_large_files_as_their_program_installs_itself_go_on_to_work(repository: GitRepository) -> None:
    repository.run("config", "filter.lfs.clean", "git-lfs clean -- %f")
    repository.run("config", "filter.lfs.process", "git-lfs filter-process")
    assert named_programs(repository.root, environment()) == ()
    repository.run("config", "lfs.extension.x.clean", "evil")
    assert dict(named_programs(repository.root, environment())) == {"lfs.extension.x.clean": ""}


def test_settings_that_can_not_be_read_are_no_settings_without_programs(repository: GitRepository) -> None:
    (repository.path / ".git" / "config").write_text('[filter "x"\n')
    with pytest.raises(OSError, match="bad config"):
        named_programs(repository.root, environment())


def test_a_file_whose_filter_is_off_is_compared_as_it_is(repository: GitRepository) -> None:
    repository.write(".gitattributes", "*.txt filter=x\n")
    repository.commit()
    repository.run("config", "filter.x.clean", "touch ran; tr 1 2")
    repository.run("config", "filter.x.required", "true")
    repository.write("a.txt", "2\n")
    assert b"a.txt" in (run(repository.root, ("status", "--porcelain"), 20) or b"")
    assert not (repository.path / "ran").exists()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (("rev-parse", "HEAD"), ("rev-parse", "HEAD")),
        (("diff", "--cached"), ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--cached")),
        (("-c", "a=b", "--x", "log", "-1"), ("-c", "a=b", "--x", "log", "--no-ext-diff", "--no-textconv", "-1")),
        (("-C", "status", "status"), ("-C", "status", "status", "--ignore-submodules=dirty")),
        ((), ()),
    ],
)
def test_options_come_right_after_the_command(given: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    assert hardened(given) == wanted


def test_nothing_that_names_a_program_is_handed_on(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_TRACE2_EVENT", "SSH_ASKPASS", "VISUAL"):
        monkeypatch.setenv(name, "evil")
    env = started(repository.root, ("status",), {"GIT_CONFIG_COUNT": "1"}).env
    assert "evil" not in env.values()
    assert env["GIT_CONFIG_KEY_1"] == "core.hooksPath", "after the one that was given"
    assert int(env["GIT_CONFIG_COUNT"]) > 1
    assert os.environ["GIT_DIR"] == "evil"
