from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leeboard.io.git import ask
from leeboard.io.git.ask import TreeFingerprint, changed_between, fingerprint, status


def run(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=kim", "-c", "user.email=kim@example.invalid", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two committed files, one of them in a folder."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    run(root, "init", "-q")
    (root / "a.txt").write_text("a\n")
    (root / "src" / "b.txt").write_text("b\n")
    run(root, "add", ".")
    run(root, "commit", "-qm", "first")
    return root


def look(root: Path) -> TreeFingerprint:
    seen = fingerprint(str(root))
    assert seen is not None
    return seen


def touch(path: Path, text: str) -> None:
    """Write, and make sure that the time of modification moves however coarse the clock is."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 1_000_000_000, max(before + 1_000_000_000, path.stat().st_mtime_ns)))


def test_a_clean_tree_has_no_status(repository: Path) -> None:
    assert status(str(repository)) == {}


def test_status_names_each_changed_file_once(repository: Path) -> None:
    (repository / "a.txt").write_text("changed\n")
    (repository / "src" / "b.txt").unlink()
    (repository / "new").mkdir()
    (repository / "new" / "with space\nand line.txt").write_text("")
    assert status(str(repository)) == {"a.txt": "", "src/b.txt": "", "new/with space\nand line.txt": ""}


def test_a_staged_file_has_gits_digest_until_it_changes_again(repository: Path) -> None:
    (repository / "a.txt").write_text("staged\n")
    run(repository, "add", "a.txt")
    digest = run(repository, "hash-object", "a.txt").strip()
    assert status(str(repository)) == {"a.txt": digest}
    (repository / "a.txt").write_text("and on\n")
    assert status(str(repository)) == {"a.txt": ""}


def test_a_moved_file_is_two_paths(repository: Path) -> None:
    run(repository, "mv", "a.txt", "z.txt")
    moved = status(str(repository))
    assert moved is not None
    assert sorted(moved) == ["a.txt", "z.txt"]
    assert moved["a.txt"] == ""


def test_a_conflict_is_a_change(repository: Path) -> None:
    run(repository, "checkout", "-qb", "side")
    (repository / "a.txt").write_text("side\n")
    run(repository, "commit", "-qam", "side")
    run(repository, "checkout", "-q", "-")
    (repository / "a.txt").write_text("main\n")
    run(repository, "commit", "-qam", "main")
    with pytest.raises(subprocess.CalledProcessError):
        run(repository, "merge", "side")
    assert status(str(repository)) == {"a.txt": ""}


def test_names_that_are_no_utf8_survive(repository: Path) -> None:
    (Path(os.fsdecode(os.fsencode(repository) + b"/odd\xff"))).write_text("x")
    assert status(str(repository)) == {"odd\udcff": ""}
    assert look(repository).files["odd\udcff"][1] == 1


def test_without_an_answer_it_is_not_known(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    assert status(str(tmp_path / "plain")) is None
    assert status(str(tmp_path / "missing")) is None
    assert status("a\0b") is None
    assert fingerprint(str(tmp_path / "plain")) is None
    monkeypatch.setenv("PATH", str(tmp_path / "plain"))
    assert status(str(repository)) is None


def test_a_git_that_never_answers_is_not_waited_for(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in opens a pipe that nobody writes to: it can not answer, however long the machine takes."""
    os.mkfifo(tmp_path / "silence")
    stand_in = tmp_path / "bin" / "git"
    stand_in.parent.mkdir()
    stand_in.write_text(f"#!/bin/sh\nread -r line < '{tmp_path}/silence'\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(stand_in.parent))
    assert status(str(repository), seconds=0.05) is None


def test_a_tree_full_of_untracked_files_is_not_known(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "MOST_FILES", 1)
    (repository / "one").write_text("")
    assert fingerprint(str(repository)) is not None
    (repository / "two").write_text("")
    assert fingerprint(str(repository)) is None


def test_the_environment_of_a_git_hook_does_not_lead_astray(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    (repository / "a.txt").write_text("changed\n")
    assert status(str(repository)) == {"a.txt": ""}


def test_a_repository_can_not_have_a_program_run(repository: Path, tmp_path: Path) -> None:
    program = tmp_path / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    run(repository, "config", "core.fsmonitor", str(program))
    assert status(str(repository)) == {}
    assert not (tmp_path / "ran").exists()


def test_asking_leaves_the_index_alone(repository: Path) -> None:
    touch(repository / "a.txt", "a\n")
    before = (repository / ".git" / "index").stat()
    status(str(repository))
    after = (repository / ".git" / "index").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_what_was_written_between_two_looks_is_seen(repository: Path) -> None:
    touch(repository / "a.txt", "dirty before\n")
    touch(repository / "untouched.txt", "dirty before too\n")
    before = look(repository)
    touch(repository / "a.txt", "dirty again\n")
    touch(repository / "src" / "b.txt", "now dirty\n")
    touch(repository / "new.txt", "new\n")
    assert changed_between(before, look(repository)) == ("a.txt", "new.txt", "src/b.txt")


def test_removed_and_restored_files_are_changes(repository: Path) -> None:
    touch(repository / "a.txt", "dirty\n")
    touch(repository / "scratch.txt", "untracked\n")
    before = look(repository)
    run(repository, "checkout", "-q", "--", "a.txt")
    (repository / "scratch.txt").unlink()
    (repository / "src" / "b.txt").unlink()
    assert changed_between(before, look(repository)) == ("a.txt", "scratch.txt", "src/b.txt")


def test_a_commit_writes_no_file(repository: Path) -> None:
    touch(repository / "a.txt", "dirty\n")
    before = look(repository)
    run(repository, "commit", "-qam", "second")
    assert changed_between(before, look(repository)) == ()
