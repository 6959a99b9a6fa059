from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.page import ScanOptions, rounds

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
