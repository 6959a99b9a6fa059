from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.trust.written_here import committed_text, files_written_here, text_written_here
from tests.git_repository import GitRepository


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    theirs = GitRepository(tmp_path / "theirs")
    theirs.write("a.md", "run: theirs\n")
    theirs.commit()
    theirs.run("clone", "--quiet", theirs.root, str(tmp_path / "mine"))
    return GitRepository(tmp_path / "mine")


def test_what_a_clone_brought_was_not(clone: GitRepository) -> None:
    assert not files_written_here(clone.root, ["a.md"])
    assert not text_written_here(clone.root, "a.md", lambda text: "run: theirs" in text)
    assert committed_text(clone.root, "a.md") == "run: theirs\n"


def test_what_somebody_wrote_was(clone: GitRepository) -> None:
    clone.write("b.md", "run: mine\n")
    assert files_written_here(clone.root, ["b.md"])
    assert committed_text(clone.root, "b.md") is None
    clone.commit()
    assert files_written_here(clone.root, ["b.md"])
    assert text_written_here(clone.root, "b.md", lambda text: "run: mine" in text)
    assert not files_written_here(clone.root, ["a.md", "b.md"])


def test_a_change_beside_it_makes_nothing_ours(clone: GitRepository) -> None:
    clone.write("a.md", "run: theirs\nand: mine\n")
    clone.commit()
    assert text_written_here(clone.root, "a.md", lambda text: "and: mine" in text)
    assert not text_written_here(clone.root, "a.md", lambda text: "run: theirs" in text)


def test_a_pull_brings_what_others_wrote(clone: GitRepository, tmp_path: Path) -> None:
    theirs = GitRepository(tmp_path / "theirs")
    theirs.write("c.md", "run: late\n")
    theirs.commit()
    clone.run("pull", "--quiet")
    assert not files_written_here(clone.root, ["c.md"])


def test_without_git_nothing_came_with_it(tmp_path: Path) -> None:
    assert files_written_here(str(tmp_path), ["a.md"])


@pytest.fixture
def theirs(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "theirs")


def of_mine(text: str) -> bool:
    return "run: mine" in text


def of_theirs(text: str) -> bool:
    return "run: evil" in text


@pytest.fixture
def mine(clone: GitRepository, theirs: GitRepository) -> GitRepository:
    """With a commit of one's own, while upstream went on."""
    clone.write("b.md", "run: mine\n")
    clone.commit("mine")
    theirs.write("c.md", "run: evil\n")
    theirs.commit("theirs")
    clone.run("fetch", "--quiet")
    return clone


@pytest.mark.parametrize(
    "how",
    [
        ("rebase", "--quiet", "origin/main"),
        ("rebase", "--quiet", "--apply", "origin/main"),
        ("pull", "--quiet", "--rebase"),
        ("pull", "--quiet", "--rebase", "origin", "main"),
        ("merge", "--quiet", "--no-edit", "origin/main"),
    ],
)
def test_one_s_own_stays_so_over_what_others_made(mine: GitRepository, how: tuple[str, ...]) -> None:
    mine.run(*how)
    assert text_written_here(mine.root, "b.md", of_mine)
    assert files_written_here(mine.root, ["b.md"])
    assert not text_written_here(mine.root, "c.md", of_theirs)
    assert not files_written_here(mine.root, ["c.md"])


def test_one_s_own_stays_so_when_it_is_amended_picked_and_reverted(mine: GitRepository) -> None:
    first = mine.head
    mine.run("commit", "--quiet", "--amend", "-m", "in other words")
    assert files_written_here(mine.root, ["b.md"])
    mine.run("switch", "--quiet", "-c", "other", "origin/main")
    mine.run("cherry-pick", first)
    assert text_written_here(mine.root, "b.md", of_mine)
    mine.run("revert", "--no-edit", "HEAD")
    mine.run("revert", "--no-edit", "HEAD")
    assert files_written_here(mine.root, ["b.md"])
    assert text_written_here(mine.root, "b.md", of_mine)
    mine.write("b.md", "run: mine\nrun: more\n")
    mine.run("commit", "--quiet", "--amend", "--all", "--no-edit")
    assert text_written_here(mine.root, "b.md", lambda text: "run: more" in text), "amended by hand"


def evil(theirs: GitRepository) -> None:
    """A branch whose commits bear the name and the address of who is to take them over: anybody can write those."""
    theirs.run("switch", "--quiet", "-c", "evil", "HEAD~1")
    theirs.write("d.md", "run: evil\n")
    theirs.commit("as if it were mine")


@pytest.mark.parametrize(
    "how",
    [
        (("cherry-pick", "origin/evil"),),
        (("switch", "--quiet", "evil"), ("rebase", "--quiet", "main")),
        (("switch", "--quiet", "evil"), ("rebase", "--quiet", "--force-rebase", "HEAD~1")),
        (("switch", "--quiet", "evil"), ("commit", "--quiet", "--amend", "--reset-author", "--no-edit")),
        (("cherry-pick", "origin/evil"), ("commit", "--quiet", "--amend", "--no-edit")),
        (("cherry-pick", "origin/evil"), ("revert", "--no-edit", "HEAD"), ("revert", "--no-edit", "HEAD")),
        (("merge", "--quiet", "--no-edit", "origin/evil"),),
        (("merge", "--quiet", "--no-commit", "origin/evil"), ("commit", "--quiet", "-m", "merged by hand")),
        (("pull", "--quiet", "--rebase", "origin", "evil"),),
        (("reset", "--quiet", "--hard", "origin/evil"),),
    ],
)
def test_what_others_committed_is_not_ours_however_it_is_taken_over(
    mine: GitRepository, theirs: GitRepository, how: tuple[tuple[str, ...], ...]
) -> None:
    evil(theirs)
    mine.run("fetch", "--quiet")
    for line in how:
        mine.run(*line)
    assert committed_text(mine.root, "d.md") == "run: evil\n"
    assert not text_written_here(mine.root, "d.md", of_theirs)
    assert not files_written_here(mine.root, ["d.md"])


def test_of_what_was_amended_and_cleared_away_nobody_can_tell(mine: GitRepository, theirs: GitRepository) -> None:
    evil(theirs)
    mine.run("fetch", "--quiet")
    mine.run("switch", "--quiet", "evil")
    mine.run("commit", "--quiet", "--amend", "--no-edit", "--reset-author", "-m", "another")
    mine.run("branch", "--quiet", "-d", "-r", "origin/evil")
    mine.run("switch", "--quiet", "--detach")
    log = mine.path / ".git/logs/HEAD"
    kept = [line for line in log.read_text().splitlines() if "commit (amend)" in line]
    mine.run("reflog", "expire", "--expire=now", "--all")
    log.write_text("")
    mine.run("branch", "--quiet", "-D", "evil")
    mine.run("gc", "--quiet", "--prune=now")
    log.write_text("\n".join(kept) + "\n")
    assert not text_written_here(mine.root, "d.md", of_theirs)
    assert not files_written_here(mine.root, ["d.md"])
