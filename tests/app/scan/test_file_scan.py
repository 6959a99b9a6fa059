from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_processes_do_not_change_the_order(tmp_path: Path) -> None:
    files = {f"{number}.py": "h = hashlib.md5(password)\n" for number in range(6)}
    alone = scanned(tmp_path, files)
    assert scanned(tmp_path, files, jobs=2) == alone
