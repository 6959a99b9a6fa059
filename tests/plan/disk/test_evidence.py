from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from leeboard.io.git.place import find
from leeboard.model.plan import GitFacts
from leeboard.model.unit import Pass, Unit, UnitStatus
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.evidence import gather_facts
from leeboard.plan.disk.merge import merge_unit
from leeboard.plan.disk.repository import Repository
from tests.git_repository import GitRepository


def unit(name: str, status: UnitStatus = "active") -> Unit:
    return Unit(id=name, stage="build", status=status)


def test_without_git_there_is_nothing_to_say() -> None:
    assert gather_facts(None, "x", ()) == GitFacts(hub="haiku/x/main")


def test_before_anything(repository: GitRepository) -> None:
    repository.write("loose dir/a b.py", "x\n")
    repository.write("app.py", "changed\n")
    repository.write(".haiku/intents/x/intent.md", "x\n")
    facts = gather_facts(find(repository.root), "x", (unit("u", "pending"),))
    head, top = repository.head, repository.root
    expected = GitFacts(available=True, primary=top, branch="main", head=head, hub="haiku/x/main", dirty=("app.py",))
    assert facts == expected


def test_units_on_their_way(repository: GitRepository) -> None:
    """A branch without work is part of the hub only as long as its tree is clean."""
    git = Repository(find(repository.root))
    worktrees.ensure_branch(git, "x")
    repository.write(".haiku/intents/x/intent.md", "x\n")
    trees = {name: GitRepository(worktrees.make_worktree(git, "x", name)) for name in ("a", "b", "c")}
    units = tuple(unit(name) for name in ("a", "b", "c", "gone"))
    before = gather_facts(git.place, "x", units)
    assert before.merged == ("a", "b", "c", "gone")
    assert before.worktrees == {name: tree.root for name, tree in trees.items()}
    trees["a"].write("app.py", "a\n")
    trees["b"].write("app.py", "b\n")
    trees["b"].commit("b")
    during = gather_facts(git.place, "x", units)
    assert during.merged == ("c", "gone")
    assert {name for name in trees if before.moves[name] != during.moves[name]} == {"a", "b"}
    merge_unit(git, "x", "a", "a")
    merge_unit(git, "x", "b", "b")
    after = gather_facts(git.place, "x", units)
    assert after.merged == ("a", "c", "gone")
    assert after.conflicts == {"b": ("app.py",)}
    assert after.branch == "haiku/x/main"
    trees["b"].write("app.py", "both\n")
    trees["b"].commit("resolve")
    assert gather_facts(git.place, "x", units).conflicts == {}


def test_a_look_for_the_next_step_asks_no_more_than_that(repository: GitRepository) -> None:
    git = Repository(find(repository.root))
    repository.write("loose.py", "x\n")
    repository.write("app.py", "changed\n")
    assert gather_facts(git.place, "x", (), full=False).dirty == ("app.py",), "on another branch"
    worktrees.ensure_branch(git, "x")
    tree = GitRepository(worktrees.make_worktree(git, "x", "u"))
    worktrees.make_worktree(git, "x", "waits")
    active, waits = unit("u"), unit("waits", "pending")
    lean = gather_facts(git.place, "x", (active, waits), full=False)
    assert (lean.dirty, lean.merged, list(lean.worktrees), list(lean.moves)) == ((), (), ["u", "waits"], ["u"])
    done = Unit(id="u", stage="build", status="active", hat="worker", passes=(Pass(hat="worker"),))
    settling = gather_facts(git.place, "x", (done, waits), full=False)
    assert (settling.dirty, settling.merged) == (("app.py",), ("u",))
    tree.write("new.py", "x\n")
    assert gather_facts(git.place, "x", (done, waits), full=False).merged == ()


def test_a_detached_head_and_an_ignored_plan(repository: GitRepository) -> None:
    repository.run("switch", "-q", "--detach")
    Path(repository.root, ".git/info/exclude").write_text(".haiku/intents/\n")
    repository.write(".haiku/intents/x/intent.md", "x\n")
    facts = gather_facts(find(repository.root), "x", ())
    assert facts.branch == ""
    assert facts.ignored


def test_where_the_work_is_shown_the_tree_is_looked_at(repository: GitRepository) -> None:
    git = Repository(find(repository.root))
    worktrees.ensure_branch(git, "x")
    repository.write("app.py", "changed\n")
    repository.write("new.py", "untracked\n")
    assert gather_facts(git.place, "x", (), full=False).dirty == ()
    assert gather_facts(git.place, "x", (), full=False, shown=True).dirty == ("app.py",)


@pytest.mark.parametrize(
    ("begin", "told"),
    [
        (("rebase", "other"), "git rebase --abort"),
        (("merge", "other"), "git merge --abort"),
        (("cherry-pick", "other"), "cherry-pick"),
        (("bisect", "start"), "git bisect reset"),
    ],
)
def test_what_is_under_way_is_seen(repository: GitRepository, begin: tuple[str, ...], told: str) -> None:
    repository.run("switch", "-q", "-c", "other")
    repository.write("app.py", "other = 1\n")
    repository.commit("there")
    repository.run("switch", "-q", "main")
    repository.write("app.py", "here = 1\n")
    repository.commit("here")
    assert gather_facts(find(repository.root), "x", ()).under_way == ""
    with contextlib.suppress(AssertionError):
        repository.run(*begin)
    assert told in gather_facts(find(repository.root), "x", (), full=False).under_way


def test_a_resolution_with_the_conflict_in_it_is_one(repository: GitRepository) -> None:
    git = Repository(find(repository.root))
    worktrees.ensure_branch(git, "x")
    tree = GitRepository(worktrees.make_worktree(git, "x", "u"))
    tree.write("app.py", "unit\n")
    repository.write("app.py", "hub\n")
    repository.commit("hub")
    done = Unit(id="u", stage="build", status="active", hat="worker", passes=(Pass(hat="worker"),))
    merge_unit(git, "x", "u", "m")
    assert gather_facts(git.place, "x", (done,), full=False).conflicts == {"u": ("app.py",)}
    tree.run("add", "app.py")
    assert gather_facts(git.place, "x", (done,), full=False).conflicts == {"u": ("app.py",)}
    tree.commit("resolved, or so I say")
    assert gather_facts(git.place, "x", (done,), full=False).conflicts == {"u": ("app.py",)}
    tree.write("app.py", "both\n")
    assert gather_facts(git.place, "x", (done,), full=False).conflicts == {}
