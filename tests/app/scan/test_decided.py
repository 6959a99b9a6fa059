from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.scan.decided import decided_before, read_baseline, read_decisions, settled, write_baseline
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan
from leeboard.errors import ConfigError
from leeboard.io.git.work_tree import BaseTexts
from leeboard.model.verdict import PlacedFinding
from leeboard.settings.decisions.baseline import AcceptedFinding
from tests.git_repository import GitRepository


def finding(name: str, what: str = "f:sql:run") -> PlacedFinding:
    return PlacedFinding(
        rule="injection",
        subclass="B2",
        path=name,
        line=1,
        confidence=0.9,
        disposition="FIRE",
        message="x",
        fingerprint="x",
        name=name,
        what=what,
    )


def test_files_that_nobody_looked_at_keep_their_entries(tmp_path: Path) -> None:
    root = str(tmp_path)
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x")
    write_baseline(root, ("a.py", "b.py"), (finding("a.py"), finding("b.py")), whole=True)
    assert write_baseline(root, ("a.py",), (), whole=False) == 1
    assert read_baseline(root) == (AcceptedFinding("b.py", "injection", "f:sql:run"),)


def test_a_finding_in_the_baseline_is_decided(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x")
    targets = (Target("./a.py", str(tmp_path), "a.py"),)
    scanned = (FileScan(path="./a.py", found=(finding("a.py"), finding("a.py", "g:sql:run"))),)
    done = settled(targets, scanned, {str(tmp_path): (AcceptedFinding("a.py", "injection", "f:sql:run"),)})
    (one,) = done.scanned
    assert ([item.what for item in one.found], [item.state for item in one.decided]) == (["g:sql:run"], ["baseline"])


def test_what_was_decided_since_does_not_count(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path)
    repo.write("a.py", "x")
    write_baseline(repo.root, ("a.py",), (finding("a.py"),), whole=True)
    base = BaseTexts(repo.root, repo.commit())
    write_baseline(repo.root, ("a.py",), (finding("a.py"), finding("a.py", "g:sql:run")), whole=True)
    now = read_decisions(repo.root, ("injection",))
    try:
        before = decided_before(now, base)
    finally:
        base.close()
    assert (len(now.accepted), len(before.accepted), before.disabled) == (2, 1, ())


def test_a_baseline_that_is_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "leeboard-baseline.json").mkdir()
    with pytest.raises(ConfigError, match=r"leeboard-baseline.json: can not be read"):
        read_baseline(str(tmp_path))


def test_of_two_that_write_at_once_each_keeps_what_the_other_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    names = [f"src/{number}.py" for number in range(8)]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    children = []
    for name in names:
        child = os.fork()
        if not child:
            write_baseline(str(tmp_path), (name,), (finding(name),), whole=False)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(names)
    assert sorted(entry.path for entry in read_baseline(str(tmp_path))) == names
