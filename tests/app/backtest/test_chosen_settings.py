"""By which settings recorded sessions are judged, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.backtest.chosen_settings import (
    BARE,
    named_settings,
    project_settings,
    session_settings,
    under_profile,
)
from leeboard.errors import ConfigError
from tests.trusting import trust_all


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    root = tmp_path / "project"
    root.mkdir()
    return root


def test_without_any_file_the_defaults_count(project: Path) -> None:
    assert project_settings(str(project), {}) == BARE


def test_a_file_that_does_not_speak_of_leeboard_is_not_named(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "leeboard-plugin"\n')
    assert project_settings(str(project), {}).source == "the defaults"


def test_what_loosens_counts_only_where_it_is_trusted(project: Path) -> None:
    (project / "leeboard.toml").write_text('profile = "observe"\n')
    asleep = project_settings(str(project), {})
    assert asleep.settings.policy.profile == "advise"
    assert "not trusted" in asleep.source
    trust_all(project)
    awake = project_settings(str(project), {})
    assert (awake.settings.policy.profile, awake.source) == ("observe", str(project / "leeboard.toml"))


def test_the_environment_is_named_too(project: Path) -> None:
    found = project_settings(str(project), {"LEEBOARD_PROFILE": "enforce"})
    assert (found.settings.policy.profile, found.source) == ("enforce", "LEEBOARD_PROFILE")


def test_a_named_file_counts_whole_and_alone(project: Path) -> None:
    file = project / "other.toml"
    file.write_text('profile = "observe"\n[rules.circling]\nenabled = false\n')
    found = named_settings(str(file))
    assert (found.settings.policy.profile, found.settings.policy.disabled_rules) == ("observe", ("circling",))


@pytest.mark.parametrize("text", ["profile = 3\n", "nonsense\n"])
def test_a_named_file_has_to_be_right(project: Path, text: str) -> None:
    file = project / "other.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"other\.toml"):
        named_settings(str(file))
    with pytest.raises(ConfigError, match="No such file"):
        named_settings(str(project / "none.toml"))


def test_a_profile_goes_over_all_and_is_named(project: Path) -> None:
    found = under_profile(project_settings(str(project), {}), "enforce")
    assert (found.settings.policy.profile, found.source) == ("enforce", "the defaults, --profile enforce")
    assert under_profile(BARE, None) is BARE


def test_a_session_goes_by_its_own_project_while_that_is_there(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / "src").mkdir()
    (project / "leeboard.toml").write_text('profile = "enforce"\n')
    assert session_settings(str(project / "src"), BARE, {}).settings.policy.profile == "enforce"
    assert session_settings(str(project / "gone"), BARE, {}) is BARE
    assert session_settings("C:/work", BARE, {}) is BARE
    assert session_settings("", BARE, {}) is BARE
