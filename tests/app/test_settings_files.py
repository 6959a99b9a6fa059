from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.settings_files import read_settings
from tests.trusting import in_trust


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    in_trust(monkeypatch)
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    path = tmp_path / "repo"
    path.mkdir()
    return path


def test_the_nearest_file_holds(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "leeboard.toml").write_text('profile = "observe"\n', encoding="utf-8")
    assert read_settings(str(repo), {})[0].policy.profile == "observe"
    (repo / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert read_settings(str(repo), {})[0].policy.profile == "observe"
    (repo / "pyproject.toml").write_text('[tool.leeboard]\nprofile = "enforce"\n', encoding="utf-8")
    assert read_settings(str(repo), {})[0].policy.profile == "enforce"
    (repo / "leeboard.toml").write_text('profile = "advise"\n', encoding="utf-8")
    assert read_settings(str(repo), {})[0].policy.profile == "advise"


def test_a_contract_is_read_with_the_rest(repo: Path) -> None:
    (repo / "leeboard.toml").write_text('[contract]\ntouch = ["src/**"]\nmode = "coer"\n', encoding="utf-8")
    settings, notes = read_settings(str(repo), {})
    assert settings.contract is not None
    assert settings.contract.contract.touch == ("src/**",)
    assert notes == (
        f"{repo}/leeboard.toml:3: contract.mode is 'coer'; did you mean 'core'? Until then it is judged as 'core'",
    )
