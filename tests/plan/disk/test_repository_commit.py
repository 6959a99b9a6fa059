from __future__ import annotations

from collections.abc import Callable

import pytest

from leeboard.errors import EffectError, StateError
from leeboard.io.git.place import find
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.repository import Repository, commit_artifacts, commit_plan, hidden, is_ignored
from tests.git_repository import GitRepository

PLAN = ".haiku/intents/x"
INTENT = f"{PLAN}/intent.md"


@pytest.fixture
def git(repository: GitRepository) -> Repository:
    made = Repository(find(repository.root))
    worktrees.ensure_branch(made, "x")
    repository.write(INTENT, "one\n")
    return made


def test_only_the_plan_is_committed(repository: GitRepository, git: Repository) -> None:
    repository.write("staged.py", "staged = 1\n")
    repository.run("add", "staged.py")
    repository.write("app.py", "changed = 1\n")
    repository.write("loose.py", "loose = 1\n")
    repository.write(".haiku/intents/y/intent.md", "other\n")
    assert commit_plan(git, "x", "haiku(x): begin")
    assert repository.run("show", "--name-only", "--format=%s") == f"haiku(x): begin\n\n{INTENT}"
    assert repository.run("status", "--porcelain").splitlines() == [
        " M app.py",
        "A  staged.py",
        "?? .haiku/intents/y/",
        "?? loose.py",
    ]
    assert not commit_plan(git, "x", "again")


def test_removed_files_are_part_of_it(repository: GitRepository, git: Repository) -> None:
    commit_plan(git, "x", "one")
    repository.remove(INTENT)
    repository.write(".haiku/intents/x/knowledge/a.md", "a\n")
    assert commit_plan(git, "x", "two")
    assert repository.run("status", "--porcelain") == ""


def test_what_is_ignored_is_not_committed(repository: GitRepository, git: Repository) -> None:
    commit_plan(git, "x", "one")
    repository.write(".gitignore", ".haiku/\n")
    repository.commit("ignore")
    repository.write(INTENT, "two\n")
    assert not is_ignored(hidden(git, PLAN), "x"), "it was committed before"
    repository.run("rm", "-q", "-r", "--cached", ".haiku")
    repository.run("commit", "-q", "-m", "gone")
    assert is_ignored(hidden(git, PLAN), "x")
    assert not commit_plan(git, "x", "none")


def test_a_stage_named_like_the_output_of_a_build_is_committed(repository: GitRepository, git: Repository) -> None:
    repository.write(".gitignore", "build/\n*.log\n")
    repository.commit("ignore")
    commit_plan(git, "x", "one")
    wanted = [f"{PLAN}/stages/build/{name}" for name in ("artifacts/a.md", "state.json", "units/unit-01-a.md")]
    for path in (*wanted, f"{PLAN}/stages/build/gate-runs.json", f"{PLAN}/stages/build/artifacts/run.log"):
        repository.write(path, "{}\n")
    repository.write("build/out.js", "1\n")
    commit_artifacts(git, "x", "two")
    assert repository.run("show", "--name-only", "--format=").split() == wanted
    assert not commit_plan(git, "x", "again")
    assert repository.run("status", "--porcelain") == ""


FILE = ".haiku/intents/x/knowledge/a.md"


def empty_folder(repository: GitRepository) -> None:
    repository.remove(FILE)
    (repository.path / FILE).mkdir()


def nested_repository(repository: GitRepository) -> None:
    empty_folder(repository)
    repository.run("init", "-q", FILE)
    repository.write(f"{FILE}/inner.md", "inner\n")


def new_nested_repository(repository: GitRepository) -> None:
    repository.remove(FILE)
    repository.run("init", "-q", ".haiku/intents/x/knowledge/sub")


def newly_ignored(repository: GitRepository) -> None:
    repository.remove(FILE)
    repository.write(".gitignore", ".haiku/\n")


@pytest.mark.parametrize("change", [empty_folder, nested_repository, new_nested_repository, newly_ignored])
def test_what_git_does_not_take_is_left_out(
    repository: GitRepository, git: Repository, change: Callable[[GitRepository], None]
) -> None:
    """FD-12: a step of the workflow never waits for it."""
    repository.write(FILE, "a\n")
    commit_plan(git, "x", "one")
    repository.write("staged.py", "staged = 1\n")
    repository.run("add", "staged.py")
    change(repository)
    repository.write(INTENT, "two\n")
    assert commit_plan(git, "x", "two")
    assert repository.run("show", "--name-status", "--format=%s").split() == ["two", "M", INTENT, "D", FILE]
    assert repository.run("diff", "--cached", "--name-only") == "staged.py"
    assert repository.run("symbolic-ref", "--short", "HEAD") == "haiku/x/main"
    assert not commit_plan(git, "x", "again")


def test_before_the_intent_has_a_branch_nothing_is_committed(repository: GitRepository) -> None:
    repository.write(INTENT, "one\n")
    assert not commit_plan(Repository(find(repository.root)), "x", "none")


def test_on_another_branch_nothing_is_committed(repository: GitRepository, git: Repository) -> None:
    repository.run("switch", "-q", "main")
    with pytest.raises(StateError, match="git switch haiku/x/main"):
        commit_plan(git, "x", "none")


def test_without_an_author(repository: GitRepository, git: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.run("config", "user.useConfigOnly", "true")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    with pytest.raises(EffectError, match=r"git config user\.name"):
        commit_plan(git, "x", "none")
    assert repository.run("diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize(("path", "commits"), [("stages/a/state.json", False), ("knowledge/a.md", True)])
def test_before_a_merge_only_what_may_be_in_its_way(
    repository: GitRepository, git: Repository, path: str, *, commits: bool
) -> None:
    commit_plan(git, "x", "one")
    head = repository.head
    repository.write(f".haiku/intents/x/{path}", "a\n")
    commit_artifacts(git, "x", "two")
    assert (repository.head != head) is commits


def test_the_first_commit_of_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = GitRepository(tmp_path_factory.mktemp("empty"))
    git = Repository(find(empty.root))
    worktrees.ensure_branch(git, "x")
    empty.write(INTENT, "one\n")
    assert commit_plan(git, "x", "first")
    assert empty.run("log", "--format=%s") == "first"
