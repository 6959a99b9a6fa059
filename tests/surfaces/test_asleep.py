from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.surfaces.asleep import say_asleep


def test_each_state_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    root = tmp_path / "repo"
    root.mkdir()
    assert say_asleep(str(root), {}) == ""
    for text in ('profile = "observe"\n', "[rules.circling]\nenabled = false\n"):
        (root / "leeboard.toml").write_text(text)
        assert "sleeps until you trust it" in say_asleep(str(root), {})
        assert say_asleep(str(root), {}) == ""
