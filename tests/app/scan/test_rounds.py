from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.page import ScanOptions
from leeboard.app.scan.rounds import rounds
from tests.git_repository import GitRepository

WEAK = "import hashlib\nh = hashlib.md5(password)\n"


def test_only_what_changed_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(WEAK)
    (folder / "b.py").write_text("x = 1\n")
    steps = iter((lambda: None, lambda: (folder / "b.py").write_text(WEAK), lambda: (folder / "c.py").write_text(WEAK)))

    def wait(_seconds: float) -> None:
        next(steps, lambda: None)()

    pages = rounds((str(folder),), ScanOptions(jobs=1), wait=wait)
    seen = [[Path(item.path).name for item in next(pages).found] for _ in range(3)]
    assert seen == [["a.py"], ["b.py"], ["c.py"]]


def test_files_that_go_are_told_and_half_a_baseline_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    repo = GitRepository(tmp_path / "project")
    repo.write("a.py", WEAK)
    repo.write("b.py", "x = 1\n")
    baseline = repo.path / "leeboard-baseline.json"
    entry = '{"path":"a.py","rule":"weak_crypto","what":":weak hash:MD5"}'
    steps = iter(
        (
            (repo.path / "b.py").unlink,
            *(lambda: None,) * 3,
            lambda: baseline.write_text("{"),
            *(lambda: None,) * 3,
            lambda: baseline.write_text(f'{{"version": 1, "findings": [{entry}]}}'),
        )
    )

    def wait(_seconds: float) -> None:
        next(steps, lambda: None)()

    pages = rounds((str(repo.path),), ScanOptions(jobs=1), wait=wait)
    first, gone, broken, mended = (next(pages) for _ in range(4))
    assert len(first.found) == 1
    assert [Path(name).name for name in gone.gone] == ["b.py"]
    assert any("leeboard-baseline.json:1: can not be read" in note for note in broken.notes)
    assert (mended.found, len(mended.decided)) == ((), 1), "what is decided anew bears on all files"


def test_decisions_count_wherever_below_them_the_scan_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    repo = GitRepository(tmp_path / "project")
    repo.write("src/a.py", WEAK)
    repo.write("src/b.py", "x = 1\n")
    allowed = repo.path / "leeboard-allowed.json"
    steps = iter(
        (
            lambda: allowed.write_text("{"),
            lambda: None,
            allowed.unlink,
            lambda: None,
            lambda: repo.write("leeboard-baseline.json", '{"version": 1, "findings": []}'),
        )
    )

    def wait(_seconds: float) -> None:
        next(steps, lambda: None)()

    pages = rounds((str(repo.path / "src"),), ScanOptions(jobs=1), wait=wait)
    first, broken, mended, decided = (next(pages) for _ in range(4))
    assert (len(first.scanned), first.failed) == (2, False)
    assert broken.failed
    assert any("leeboard-allowed.json" in note for note in broken.notes)
    assert (len(mended.scanned), mended.failed) == (2, False)
    assert len(decided.scanned) == 2
