from __future__ import annotations

import socket
from pathlib import Path

import pytest

from leeboard.app.views.guard import health_of
from leeboard.model.traffic import CarriedRequest
from leeboard.store.sqlite import open_store
from leeboard.surfaces.cli.project.doctor import check_judge, check_proxy, check_settings


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))


def test_settings_with_a_fault_are_named_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "leeboard.toml").write_text('# ours\nprofil = "observe"\n')
    found = check_settings(health_of(str(tmp_path)))
    assert found.state == "failed"
    assert "leeboard.toml:2" in found.detail


def test_the_settings_that_hold_are_named_with_their_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "own"))
    root = tmp_path / "project"
    root.mkdir()
    none = check_settings(health_of(str(root)))
    assert (none.state, none.detail) == ("ok", "profile advise; there is no such file, so the defaults apply")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "leeboard.toml").write_text('profile = "observe"\n')
    assert check_settings(health_of(str(root))).detail == "profile observe, from ~/own/leeboard.toml"
    (root / "pyproject.toml").write_text('[tool.leeboard]\nprofile = "enforce"\n')
    assert (
        check_settings(health_of(str(root))).detail
        == "profile enforce, from ~/own/leeboard.toml and ~/project/pyproject.toml"
    )
    (root / "leeboard.toml").write_text("")
    assert (
        check_settings(health_of(str(root))).detail
        == "profile observe, from ~/own/leeboard.toml and ~/project/leeboard.toml"
    )


def test_the_proxy_is_told_of_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert [*check_proxy(health_of(str(tmp_path)))] == []
    store = open_store(str(tmp_path / "state" / "leeboard.db"))
    store.traffic.keep_carried(CarriedRequest(ts=1.0, session="s", project=str(tmp_path), calls=3, unchecked=2))
    store.close()
    (found,) = check_proxy(health_of(str(tmp_path)))
    assert (found.about, found.state) == ("proxy", "note")
    assert "2 passed before anybody had judged them" in found.detail


def test_a_client_that_is_led_to_a_dead_proxy_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (found,) = check_proxy(health_of(str(tmp_path)))
    assert found.state == "failed"
    assert f"ANTHROPIC_BASE_URL={address}" in found.detail
    assert "`leeboard proxy`" in found.detail


def test_a_model_judge_without_its_key_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    assert [*check_judge(health_of(str(tmp_path)))] == []
    (tmp_path / "config").mkdir()
    own = '[judge]\nendpoint = "https://models.example"\nmodel = "small"\nkey_env = "JUDGE_KEY"\n'
    (tmp_path / "config" / "leeboard.toml").write_text(own, encoding="utf-8")
    (found,) = check_judge(health_of(str(tmp_path)))
    assert (found.state, "JUDGE_KEY is not set" in found.detail) == ("note", True)
    monkeypatch.setenv("JUDGE_KEY", "k")
    (found,) = check_judge(health_of(str(tmp_path)))
    assert (found.state, found.detail) == ("ok", "small at https://models.example, at most 20 questions in a session")
