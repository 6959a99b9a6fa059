from __future__ import annotations

import pytest

from leeboard.errors import EffectError, StateError
from leeboard.io.git.place import find
from leeboard.plan.disk.repository import GitRefusedError, Repository
from tests.git_repository import GitRepository


def of(repository: GitRepository) -> Repository:
    return Repository(find(repository.root))


def test_it_says_what_git_says(repository: GitRepository) -> None:
    git = of(repository)
    assert git.branch == "main"
    assert git.head == repository.head
    assert git.said("rev-parse", "HEAD") == repository.head
    assert git.has_branch("main")
    assert not git.has_branch("other")


def test_a_refusal_has_gits_words_and_a_step(repository: GitRepository) -> None:
    with pytest.raises(GitRefusedError, match=r"invalid reference: other.*call again") as raised:
        of(repository).run("switch", "other")
    assert raised.value.code == 128


def test_a_lock_that_stays_is_named(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leeboard.plan.disk.repository._LOCKED_SECONDS", 0.1)
    repository.write(".git/index.lock", "")
    with pytest.raises(GitRefusedError, match=r"(?s)index\.lock.*remove that file"):
        of(repository).run("add", "app.py")


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("MERGE_HEAD", "git merge --abort"),
        ("rebase-merge/x", "git rebase --abort"),
        ("rebase-apply/x", "git rebase --abort"),
        ("CHERRY_PICK_HEAD", "git cherry-pick"),
        ("REVERT_HEAD", "git revert"),
    ],
)
def test_in_the_middle_of_something_nothing_is_done(repository: GitRepository, mark: str, said: str) -> None:
    of(repository).at_rest()
    repository.write(f".git/{mark}", f"{repository.head}\n")
    with pytest.raises(StateError, match=said):
        of(repository).at_rest()


def test_a_detached_head_is_named(repository: GitRepository) -> None:
    repository.run("switch", "-q", "--detach")
    with pytest.raises(StateError, match=r"on no branch.*git switch -c"):
        of(repository).at_rest()


def test_nobody_to_commit_as(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    of(repository).known_author()
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    repository.run("config", "user.useConfigOnly", "true")
    with pytest.raises(EffectError, match=r"git config user\.name"):
        of(repository).known_author()


def test_no_git(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    git = of(repository)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EffectError, match="git is not on PATH"):
        git.run("status")


def test_no_hook_and_no_other_repository_has_a_say(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n").chmod(0o755)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    of(repository).run("commit", "-q", "--allow-empty", "-m", "through")
    assert repository.run("log", "-1", "--format=%s %an") == "through kim"
