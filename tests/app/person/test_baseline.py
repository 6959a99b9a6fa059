"""Tracked files taken as they are, by a person, with a reason that stays."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from leeboard.app.person.baseline import accept_all, opened_tracked
from leeboard.errors import ConfigError
from leeboard.io.places import database
from leeboard.store.sqlite import open_store
from tests.trusting import in_trust


def test_who_took_them_and_why_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    in_trust(monkeypatch)
    root = tmp_path / "repo"
    (root / "docs").mkdir(parents=True)
    (root / "docs/a.md").write_text("one\n")
    with pytest.raises(ConfigError, match="no files are tracked"):
        accept_all(str(root), "kim", "all is well")
    (root / "leeboard.toml").write_text('[truth]\ntrack = ["docs/**"]\n')
    with opened_tracked(str(root)) as (tracked, _):
        assert tracked is not None
        tracked.look()
    (root / "docs/a.md").write_text("two\n")
    with pytest.raises(ConfigError, match="say why"):
        accept_all(str(root), "kim", " ")
    assert accept_all(str(root), "kim", "all is well") == 1
    assert accept_all(str(root), "kim", "again") == 0
    with closing(open_store(database())) as store:
        notes = [receipt.note for receipt in store.receipts(9)]
    assert "1 tracked files taken as they are by kim: all is well" in notes
