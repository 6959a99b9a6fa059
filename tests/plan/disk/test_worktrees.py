from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.io.git.place import find
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.folder import exclude
from leeboard.plan.disk.repository import Repository, on_hub
from tests.git_repository import GitRepository

UNIT, BRANCH = "unit-01-a", "haiku/x/unit-01-a"


@pytest.fixture
def git(repository: GitRepository) -> Repository:
    made = Repository(find(repository.root))
    worktrees.ensure_branch(made, "x")
    return made


def unit_tree(repository: GitRepository) -> GitRepository:
    return GitRepository(repository.path / ".haiku/worktrees/x" / UNIT)


def test_the_branch_begins_here_and_keeps_what_is_not_committed(repository: GitRepository) -> None:
    repository.write("app.py", "changed = 1\n")
    repository.write("staged.py", "new = 1\n")
    repository.run("add", "staged.py")
    before = repository.run("status", "--porcelain")
    worktrees.ensure_branch(Repository(find(repository.root)), "x")
    assert repository.run("branch", "--show-current") == "haiku/x/main"
    assert repository.run("status", "--porcelain") == before
    assert repository.run("rev-parse", "main") == repository.head


def test_it_goes_back_to_its_branch(repository: GitRepository, git: Repository) -> None:
    repository.run("switch", "-q", "main")
    with pytest.raises(StateError, match="git switch haiku/x/main"):
        on_hub(git, "x")
    worktrees.ensure_branch(git, "x")
    on_hub(git, "x")


def test_changes_that_a_switch_would_lose_are_named(repository: GitRepository, git: Repository) -> None:
    repository.write("app.py", "hub = 1\n")
    repository.commit("on the hub")
    repository.run("switch", "-q", "main")
    repository.write("app.py", "precious = 1\n")
    with pytest.raises(StateError, match=r"(?s)commit or stash.*app\.py"):
        worktrees.ensure_branch(git, "x")
    assert (repository.path / "app.py").read_text() == "precious = 1\n"
    assert repository.run("branch", "--show-current") == "main"


def test_before_the_first_commit(tmp_path: Path) -> None:
    empty = GitRepository(tmp_path / "empty")
    git = Repository(find(empty.root))
    worktrees.ensure_branch(git, "x")
    assert empty.run("symbolic-ref", "HEAD") == "refs/heads/haiku/x/main"
    with pytest.raises(StateError, match="no commit yet"):
        worktrees.make_worktree(git, "x", UNIT)


def test_a_unit_has_its_own_tree(repository: GitRepository, git: Repository) -> None:
    """SH-30: it is made once, git sees nothing of it, and it goes with its branch."""
    path = worktrees.make_worktree(git, "x", UNIT)
    assert path == worktrees.make_worktree(git, "x", UNIT)
    assert unit_tree(repository).run("branch", "--show-current") == BRANCH
    assert repository.run("status", "--porcelain") == ""
    worktrees.remove_worktree(git, "x", UNIT)
    worktrees.remove_worktree(git, "x", UNIT)
    assert not (repository.path / ".haiku/worktrees").exists()
    assert repository.run("branch", "--list", BRANCH) == ""
    assert len(repository.run("worktree", "list").splitlines()) == 1


def test_work_that_is_not_merged_is_never_lost(repository: GitRepository, git: Repository) -> None:
    worktrees.make_worktree(git, "x", UNIT)
    unit_tree(repository).write("kept.py", "kept = 1\n")
    worktrees.remove_worktree(git, "x", UNIT)
    assert repository.run("show", f"{BRANCH}:kept.py") == "kept = 1"
    path = worktrees.make_worktree(git, "x", UNIT)
    assert (Path(path) / "kept.py").read_text() == "kept = 1\n"


def test_a_merge_in_progress_does_not_keep_a_tree(repository: GitRepository, git: Repository) -> None:
    worktrees.make_worktree(git, "x", UNIT)
    unit_tree(repository).write("app.py", "unit = 1\n")
    unit_tree(repository).commit("unit")
    repository.write("app.py", "hub = 1\n")
    repository.commit("hub")
    with pytest.raises(AssertionError, match=r"conflict|CONFLICT|merge"):
        unit_tree(repository).run("merge", "haiku/x/main")
    worktrees.remove_worktree(git, "x", UNIT)
    assert repository.run("show", f"{BRANCH}:app.py") == "unit = 1"


@pytest.mark.parametrize("left", ["folder gone", "half made", "no index", "empty folder", "detached", "other branch"])
def test_what_a_kill_left_is_used_or_made_anew(repository: GitRepository, git: Repository, left: str) -> None:
    """SH-06."""
    path = worktrees.make_worktree(git, "x", UNIT)
    kept = repository.path / ".git/worktrees" / UNIT
    match left:
        case "folder gone":
            shutil.rmtree(path)
        case "half made":
            (kept / "locked").write_text("initializing\n")
            (kept / "index").unlink()
        case "no index":
            (kept / "index").unlink()
        case "empty folder":
            repository.run("worktree", "remove", "--force", path)
            Path(path).mkdir(parents=True)
        case "detached":
            unit_tree(repository).run("checkout", "-q", "--detach")
            repository.run("branch", "-D", BRANCH)
        case _:
            unit_tree(repository).run("switch", "-q", "-c", "stray")
    assert worktrees.make_worktree(git, "x", UNIT) == path
    assert unit_tree(repository).run("branch", "--show-current") == BRANCH
    assert unit_tree(repository).run("status", "--porcelain") == ""
    worktrees.remove_worktree(git, "x", UNIT)
    assert not Path(path).exists()


def test_a_folder_in_the_way_is_not_touched(repository: GitRepository, git: Repository) -> None:
    mine = repository.write(f".haiku/worktrees/x/{UNIT}/mine.txt", "mine")
    with pytest.raises(StateError, match="is in the way"):
        worktrees.make_worktree(git, "x", UNIT)
    assert mine.read_text() == "mine"


def test_no_tree_is_made_behind_a_link(repository: GitRepository, git: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repository.path / ".haiku/worktrees").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError, match="symbolic link"):
        worktrees.make_worktree(git, "x", UNIT)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_merged_branch_of_an_earlier_visit_begins_at_the_hub(repository: GitRepository, git: Repository) -> None:
    repository.run("branch", BRANCH)
    repository.write("app.py", "later = 1\n")
    later = repository.commit("later")
    path = worktrees.make_worktree(git, "x", UNIT)
    assert GitRepository(path).head == later


def test_what_is_excluded_is_written_once_and_keeps_what_stood_there(
    repository: GitRepository, git: Repository
) -> None:
    path = repository.path / ".git/info/exclude"
    path.write_text("mine\n*.log")
    exclude(git.place)
    exclude(git.place)
    lines = path.read_text().splitlines()
    assert lines[:2] == ["mine", "*.log"]
    assert lines.count("/.haiku/worktrees/") == 1


@pytest.mark.parametrize(
    ("base", "follows", "begins"),
    [("work", "", "work"), ("", "", "main"), ("gone", "", "main"), ("work", "x", "haiku/x/main")],
)
def test_an_intent_does_not_begin_on_another_ones_branch(
    repository: GitRepository, git: Repository, base: str, follows: str, begins: str
) -> None:
    """Unless it follows that one."""
    repository.write("first.py", "x\n")
    repository.commit("of the first intent")
    repository.run("branch", "work", "main")
    worktrees.ensure_branch(git, "y", base, follows)
    assert repository.run("branch", "--show-current") == "haiku/y/main"
    assert repository.head == repository.run("rev-parse", begins)


@pytest.mark.parametrize("ref", ["refs/heads/topic", "refs/remotes/origin/topic", ""])
def test_without_a_trunk_it_begins_where_the_other_one_did(
    repository: GitRepository, git: Repository, ref: str
) -> None:
    """On the branch that goes on from there, here or as it was fetched; else at the very commit."""
    began = repository.head
    repository.write(".haiku/intents/x/intent.md", "x\n")
    repository.commit("haiku(x): create the intent")
    repository.run("branch", "-q", "haiku/x/unit-01")
    repository.run("update-ref", "refs/remotes/origin/haiku/x/main", "HEAD")
    repository.run("branch", "-q", "-D", "main")
    later = repository.run("commit-tree", "-p", began, "-m", "later", f"{began}^{{tree}}")
    if ref:
        repository.run("update-ref", ref, later)
    worktrees.ensure_branch(git, "y")
    assert repository.run("branch", "--show-current") == "haiku/y/main"
    assert repository.head == (later if ref else began)


def test_where_nobody_can_tell_it_is_asked(repository: GitRepository, git: Repository) -> None:
    """The other one is in no commit, and there is no branch but its own."""
    repository.run("branch", "-q", "-m", "main", "topic")
    repository.run("branch", "-q", "-D", "topic")
    with pytest.raises(StateError, match="belongs to another intent"):
        worktrees.ensure_branch(git, "y")
    repository.run("branch", "topic")
    repository.run("update-ref", "refs/remotes/origin/topic", "topic")
    repository.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/topic")
    assert worktrees.default_branch(git) == "topic"
