from __future__ import annotations

import pytest

from leeboard.io.git.place import find
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.folder import exclude
from leeboard.plan.disk.repository import INTENTS, STUDIOS, Repository, hidden, swallowed, take
from tests.git_repository import GitRepository

TOP = ".haiku/intents/x"


@pytest.fixture
def git(repository: GitRepository) -> Repository:
    made = Repository(find(repository.root))
    exclude(made.place)
    return made


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("build/", f"{TOP}/stages/build/state.json", True),
        ("build/", f"{TOP}/stages/build/artifacts/deep/a.md", True),
        ("artifacts/", f"{TOP}/stages/shape/artifacts/a.md", True),
        ("knowledge", f"{TOP}/knowledge/a.md", True),
        ("**/build", ".haiku/studios/shop/stages/build/STAGE.md", True),
        ("build/\n*.log", f"{TOP}/stages/build/artifacts/run.log", False),
        ("build/\n.env", f"{TOP}/stages/build/artifacts/.env", False),
        ("build/\nnode_modules/", f"{TOP}/stages/build/artifacts/node_modules/a/index.js", False),
        ("build/", f"{TOP}/stages/build/gate-runs.json", False),
        ("build/", f"{TOP}/stages/build/.baseline-ack", False),
        ("build/", f"{TOP}/stages/build/produced/one.json", False),
        ("", f"{TOP}/intent-tick.json", False),
        (".haiku/", f"{TOP}/stages/build/state.json", False),
        (".haiku/intents/*/stages/build/", f"{TOP}/stages/build/state.json", False),
        ("*", f"{TOP}/stages/build/state.json", False),
    ],
)
def test_only_what_a_line_hides_by_mistake(
    repository: GitRepository, git: Repository, lines: str, path: str, *, expected: bool
) -> None:
    repository.write(".gitignore", f"{lines}\n")
    repository.write(path, "a\n")
    below = STUDIOS if path.startswith(STUDIOS) else INTENTS
    assert path in hidden(git, below)
    assert swallowed(git, hidden(git, below)) == ((path,) if expected else ())


def test_a_folder_with_rules_of_its_own_and_a_repository_are_left_out(
    repository: GitRepository, git: Repository
) -> None:
    repository.write(".gitignore", "build/\n")
    artifacts = f"{TOP}/stages/build/artifacts"
    repository.write(f"{artifacts}/.cache/.gitignore", "*\n")
    repository.write(f"{artifacts}/.cache/one", "1\n")
    repository.run("init", "-q", f"{artifacts}/clone")
    repository.write(f"{artifacts}/clone/a.md", "a\n")
    repository.write(f"{artifacts}/a.md", "a\n")
    assert swallowed(git, hidden(git, INTENTS)) == (f"{artifacts}/a.md",)


def test_what_went_away_or_can_not_be_read_holds_nothing_up(repository: GitRepository, git: Repository) -> None:
    repository.write(".gitignore", "build/\n")
    one, other = f"{TOP}/stages/build/a.md", f"{TOP}/stages/build/b.md"
    repository.write(one, "a\n")
    repository.write(f"{other}/inner", "a folder\n")
    take(git, (one, other, f"{TOP}/stages/build/gone.md"))
    assert repository.run("diff", "--cached", "--name-only") == one


def test_a_units_tree_loses_nothing_of_it(repository: GitRepository, git: Repository) -> None:
    repository.write(".gitignore", "build/\n")
    repository.commit("ignore")
    worktrees.ensure_branch(git, "x")
    tree = GitRepository(worktrees.make_worktree(git, "x", "u"))
    tree.write(f"{TOP}/stages/build/artifacts/a.md", "a\n")
    worktrees.commit_leftovers(git, tree.root, "kept")
    assert tree.run("show", "--name-only", "--format=%s").split() == ["kept", f"{TOP}/stages/build/artifacts/a.md"]
