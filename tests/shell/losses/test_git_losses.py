"""What git commands lose, by a repository that is told: the real ones are in `tests/test_guard_lines.py`."""

from __future__ import annotations

from leeboard.model.lookup import NO_FILES
from leeboard.model.unsaved import UnsavedFile
from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.git_losses import git_losses
from leeboard.shell.losses.loss import Loss, LossGround
from leeboard.testing.unsaved_lines import told_unsaved

MINE = ("unsaved changed src/a.py", "unsaved changed b.py", "unsaved notes.md")


def lost(line: str, own: str = "") -> list[str]:
    return [name for loss in losses(line, own) for name in loss.names]


def losses(line: str, own: str = "") -> list[Loss]:
    ground = LossGround(
        root="/repo",
        cwd="/repo",
        unsaved=told_unsaved(MINE),
        files=NO_FILES,
        is_own=lambda file: file.path == own,
        made=lambda _: False,
        has_read=lambda _: False,
    )
    return list(git_losses(shell_effects(line, "/repo"), ground))


def test_pathspecs_say_which_files_go() -> None:
    assert lost("git checkout src") == []
    assert lost("git checkout -- src") == ["/repo/src/a.py"]
    assert lost("git restore '*.py'") == ["/repo/src/a.py", "/repo/b.py"]
    assert lost("cd src && git restore :/") == ["/repo/src/a.py", "/repo/b.py"]
    assert lost("git checkout -- docs") == []


def test_only_the_files_below_the_folder_are_told_of() -> None:
    assert lost("cd src && git checkout -- .") == ["/repo/src/a.py"]
    assert lost("cd docs && git checkout -- .") == []
    assert lost("cd src && git reset --hard") == ["/repo/src/a.py", "/repo/b.py"]
    assert lost("cd src && git clean -fd") == []


def test_a_stash_takes_untracked_files_only_where_it_is_told_to() -> None:
    assert lost("git stash && git stash drop") == ["/repo/src/a.py", "/repo/b.py"]
    (dropped,) = losses("git stash -u && git stash drop")
    assert dropped.names == ("/repo/src/a.py", "/repo/b.py", "/repo/notes.md")
    assert "git stash pop" in dropped.instead


def test_own_files_and_those_of_another_state_are_left_out() -> None:
    assert lost("git reset --hard", own="/repo/b.py") == ["/repo/src/a.py"]
    assert lost("git clean -fd") == ["/repo/notes.md"]
    assert lost("git clean -fd -e '*.md'") == []
    assert lost("git clean -fd", own="/repo/notes.md") == []


def test_a_tree_that_nobody_knows_tells_nothing() -> None:
    assert lost("git -C /elsewhere reset --hard") == []
    assert UnsavedFile(path="x", state="changed").lies_there
