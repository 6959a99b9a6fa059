from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.app.scan.target import find_targets


def made(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return folder


def names(*paths: Path, ignored_too: bool = False) -> list[str]:
    return [target.name for target in find_targets(map(str, paths), ignored_too=ignored_too)[0]]


def test_git_says_what_counts(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "-q", str(tmp_path)), check=True)
    made(tmp_path, "a.py", "sub/b.py", "out/c.py")
    (tmp_path / ".gitignore").write_text("out/\n")
    assert names(tmp_path) == [".gitignore", "a.py", "sub/b.py"]
    assert names(tmp_path, ignored_too=True) == [".gitignore", "a.py", "out/c.py", "sub/b.py"]
    assert names(tmp_path / "sub") == ["sub/b.py"]


def test_without_git_everything_counts_in_order(tmp_path: Path) -> None:
    made(tmp_path, "b.py", "a.py", "z/y.py", "__pycache__/a.pyc")
    assert names(tmp_path) == ["a.py", "b.py", "z/y.py"]


def test_outside_git_names_are_told_from_where_the_person_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "here/tests/a.py", "elsewhere/tests/b.py")
    monkeypatch.chdir(tmp_path / "here")
    for given in ("tests/a.py", "tests", ".", str(tmp_path / "here" / "tests")):
        (target,), _ = find_targets([given])
        assert (target.root, target.name) == (str(tmp_path / "here"), "tests/a.py")
    assert names(tmp_path / "elsewhere") == ["tests/b.py"]
    assert names(tmp_path / "elsewhere" / "tests" / "b.py") == ["b.py"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    made(tmp_path, "in/a.py", "elsewhere/b.py")
    (tmp_path / "in" / "link.py").symlink_to(tmp_path / "elsewhere" / "b.py")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "elsewhere")
    assert names(tmp_path / "in") == ["a.py"]


def test_each_file_once_as_it_was_given(tmp_path: Path) -> None:
    made(tmp_path, "a.py")
    targets, missing = find_targets([f"{tmp_path}/./a.py", str(tmp_path), f"{tmp_path}/none"])
    assert [target.shown for target in targets] == [f"{tmp_path}/a.py"]
    assert missing == (f"{tmp_path}/none",)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that every user comes to."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("ignored_too", [False, True])
def test_a_folder_that_nobody_may_look_into_is_named(open_folder: Path, *, ignored_too: bool) -> None:
    folder = made(open_folder / "repo", "a.py", "closed/b.py")
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    (folder / "closed").chmod(0)
    assert named_by_another(folder, ignored_too=ignored_too) == ["a.py", "closed"]
    (folder / "closed").chmod(0o755)


def named_by_another(folder: Path, *, ignored_too: bool) -> list[str]:
    """Root sees everything, so a child gives its rights away."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        if os.getuid() == 0:
            subprocess.run(("chown", "-R", "65534", str(folder)), check=False)
            os.setuid(65534)
        os.write(writing, "\n".join(names(folder, ignored_too=ignored_too)).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as told:
        return told.read().decode().splitlines()
