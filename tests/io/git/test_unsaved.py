"""What git and the disk tell of work that is in one place alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.unsaved import UnsavedWork
from tests.git_repository import GitRepository


@pytest.fixture
def git(tmp_path: Path) -> GitRepository:
    repo = GitRepository(tmp_path / "repo")
    repo.write(".gitignore", "build/\n.env\n")
    for name in ("a.py", "b.py", "c.py"):
        repo.write(name, "x\n")
    repo.commit("first", at="2020-01-01T00:00:00Z")
    return repo


def test_each_state_of_a_file_is_told(git: GitRepository) -> None:
    git.write("a.py", "changed\n")
    git.write("b.py", "staged\n")
    git.run("add", "b.py")
    git.remove("c.py")
    for name in ("new äß.md", "build/x.js", ".env"):
        git.write(name, "x\n")
    tree = UnsavedWork().tree(git.root)
    assert tree is not None
    told = {Path(file.path).name: (file.state, file.lies_there) for file in tree.files}
    assert told == {
        "a.py": ("changed", True),
        "b.py": ("staged", True),
        "c.py": ("changed", False),
        "new äß.md": ("untracked", True),
        ".env": ("ignored", True),
    }


def test_branches_remotes_and_their_lone_commits(git: GitRepository, tmp_path: Path) -> None:
    git.run("init", "-q", "--bare", str(tmp_path / "remote"))
    git.run("remote", "add", "origin", str(tmp_path / "remote"))
    git.run("push", "-q", "-u", "origin", "main")
    git.run("checkout", "-q", "-b", "lone")
    git.write("d.py", "d\n")
    git.commit("only here")
    work = UnsavedWork()
    refs = work.refs(git.root)
    assert refs is not None
    assert (refs.head, refs.remotes, refs.upstream) == (
        "refs/heads/lone",
        ("origin",),
        {"refs/heads/main": "refs/remotes/origin/main"},
    )
    kept = ("branches but refs/heads/lone", "remotes", "tags")
    assert [one.subject for one in work.commits(git.root, ("refs/heads/lone",), kept) or ()] == ["only here"]
    assert work.commits(git.root, ("refs/heads/lone",), ("branches",)) == ()
    assert work.holds(git.root, "main", "lone") is False
    assert work.holds(git.root, "lone", "main") is True


def test_a_stash_tells_what_only_it_holds(git: GitRepository) -> None:
    assert UnsavedWork().stashes(git.root) == ()
    git.write("a.py", "put away\n")
    git.write("new.md", "x\n")
    git.run("stash", "-q", "-u")
    (stash,) = UnsavedWork().stashes(git.root) or ()
    assert {Path(path).name for path in stash.files} == {"a.py", "new.md"}
    git.run("stash", "apply", "-q")
    (stash,) = UnsavedWork().stashes(git.root) or ()
    assert stash.files == ()


@pytest.mark.parametrize("name", ["--output=owned", "-x", "a b", "x..y", "", "a\nb", "$(x)"])
def test_what_is_no_name_is_not_handed_to_git(git: GitRepository, name: str) -> None:
    work = UnsavedWork()
    assert work.commits(git.root, (name,), ()) is None
    assert work.commits(git.root, ("HEAD",), (name,)) is None
    assert work.holds(git.root, name, "HEAD") is None
    assert not (git.path / "owned").exists()


def test_places(git: GitRepository, tmp_path: Path) -> None:
    (git.path / "link").symlink_to("a.py")
    work = UnsavedWork()
    kinds = [work.lies_at(str(path)) for path in (git.path, git.path / "a.py", git.path / "link", git.path / "no")]
    assert kinds == ["folder", "file", "link", ""]
    assert (work.lies_at("/dev/null"), work.lies_at("a.py"), work.lies_at("/x\0y")) == ("device", None, None)
    assert work.top_of(f"{git.root}/not/there/yet") == git.root
    assert work.top_of(str(tmp_path)) == ""
    assert work.tree(str(tmp_path)) is None


def test_answers_are_remembered(git: GitRepository) -> None:
    """The same call may be judged again while others wait."""
    work = UnsavedWork()
    before = work.tree(git.root)
    git.write("a.py", "changed\n")
    assert work.tree(git.root) is before


def test_what_git_is_too_slow_for_is_told_of_a_few_files_alone(
    git: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is over at once for the first question, and as it should be for the second."""
    git.write("a.py", "changed\n")
    git.write("notes.md", "mine\n")
    unsaved = UnsavedWork()
    monkeypatch.setattr(unsaved, "_left", 0.0)
    assert (unsaved.tree(git.root), unsaved.gave_up) == (None, True)
    narrow = unsaved.tree(git.root, (f"{git.root}/notes.md",))
    assert narrow is not None
    assert ([file.path for file in narrow.files], unsaved.gave_up) == ([f"{git.root}/notes.md"], False)
    assert (unsaved.tree(git.root), unsaved.gave_up) == (None, True)


def test_what_an_unfinished_merge_put_into_the_index_is_nobodys_work(git: GitRepository) -> None:
    git.run("checkout", "-q", "-b", "other")
    git.write("a.py", "theirs\n")
    git.write("added.py", "theirs\n")
    git.commit("theirs", at="2020-01-02T00:00:00Z")
    git.run("checkout", "-q", "main")
    git.write("a.py", "ours\n")
    git.commit("ours", at="2020-01-03T00:00:00Z")
    git.write("notes.md", "mine\n")
    with pytest.raises(AssertionError, match="git"):
        git.run("merge", "-q", "other")
    tree = UnsavedWork().tree(git.root)
    assert tree is not None
    assert [Path(file.path).name for file in tree.files] == ["notes.md"]
