from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.team.share import have_team_forget, revoke_here, share_with_team
from leeboard.errors import ConfigError
from leeboard.model.contract import Allowance
from leeboard.store.sqlite import SqliteStore
from leeboard.store.team import outbox
from tests.store.conftest import path, store

__all__ = ["path", "store"]


def test_what_a_person_says_waits_in_the_outbox(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(tmp_path / "shop")
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path))
    one = Allowance(id="a1", rule="circling", reason="known flake", by="Kim")
    with pytest.raises(ConfigError, match="no team is configured"):
        share_with_team(store, root, (one,))
    (tmp_path / "leeboard.toml").write_text(f'[team]\nurl = "postgresql:///x"\n[team.projects]\nshop = "{root}"\n')
    with pytest.raises(ConfigError, match="not shared with the team"):
        have_team_forget(store, str(tmp_path))
    store.allow(one, root)
    share_with_team(store, root, (one,))
    (waiting,) = outbox.next_batch(store.pages, {root: "shop"})
    assert (waiting.kind, waiting.project, waiting.row["reason"]) == ("allowance", "shop", "known flake")
    assert revoke_here(store, "a1")
    (waiting,) = outbox.next_batch(store.pages, {root: "shop"})
    assert waiting.row["revoked"] == 1
    assert not revoke_here(store, "a2")
    assert have_team_forget(store, root) == "shop"
    assert [each.kind for each in outbox.next_batch(store.pages, {root: "shop"})] == ["allowance", "forget"]
