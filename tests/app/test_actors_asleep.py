from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.actors import say_asleep


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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('profile = "enforce"\n[goal]\nconstraints = ["no new packages"]\n', "(settings that speak to agents)"),
        ('[goal]\nscope = ["src/**"]\n', "(settings that loosen the guard)"),
        ('[contract]\nacceptance = ["make"]\n', "(settings that run something)"),
        ('profile = "observe"\n[truth]\ntrack = ["docs/**"]\n', "(settings that loosen the guard and speak to agents)"),
    ],
)
def test_it_says_what_the_settings_would_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kind: str
) -> None:
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    root = tmp_path / "repo"
    root.mkdir()
    (root / "leeboard.toml").write_text(text)
    assert kind in say_asleep(str(root), {})
