"""Files that git was told not to speak of, in a real repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from leeboard.io.git.hidden import flagged, is_led_elsewhere, newly_ignored
from tests.git_repository import GitRepository


def repository(folder: Path) -> tuple[GitRepository, str]:
    git = GitRepository(folder / "repo")
    for name in ("a.py", "b.py"):
        git.write(name, "x\n")
    git.write(".gitignore", "old.txt\n")
    git.commit("first", at="2020-01-01T00:00:00Z")
    return git, str(git.path)


def asking(top: str, *words: str) -> bytes | None:
    done = subprocess.run(["git", *words], cwd=top, capture_output=True, check=False)
    return done.stdout if done.returncode in {0, 1} else None


def test_a_flag_hides_a_changed_file_and_not_from_us(tmp_path: Path) -> None:
    git, top = repository(tmp_path)
    git.run("update-index", "--assume-unchanged", "a.py", "b.py")
    git.write("a.py", "mine\n")
    assert [file.path for file in flagged(top, lambda *words: asking(top, *words))] == [f"{top}/a.py"]


def test_only_a_pattern_of_now_hides_what_was_there(tmp_path: Path) -> None:
    git, top = repository(tmp_path)
    git.write("old.txt", "x\n")
    git.write("notes/one.md", "mine\n")
    git.write(".gitignore", "old.txt\nnotes/\n")
    found = newly_ignored(top, 1.0, lambda *words: asking(top, *words))
    assert [file.path for file in found] == [f"{top}/notes/one.md"]


def test_a_configuration_that_leads_elsewhere_is_known(tmp_path: Path) -> None:
    git, top = repository(tmp_path)
    assert not is_led_elsewhere(top)
    git.run("config", "core.bare", "true")
    assert is_led_elsewhere(top)
