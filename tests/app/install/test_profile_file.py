from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.install.profile_file import (
    plan_profile,
    plan_profile_removal,
    profile_file,
    remove_profile,
    write_profile,
)
from leeboard.errors import ConfigError

TEXT = '# ours\nprofile = "observe" # for now\n\n[rules.circling]\nenabled = false\n'


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


def test_only_the_profile_changes(tmp_path: Path) -> None:
    path = tmp_path / "leeboard.toml"
    path.write_text(TEXT)
    write_profile(plan_profile(str(path), "enforce"))
    assert path.read_text() == TEXT.replace("observe", "enforce")


def test_before_a_table_it_stays_at_the_top(tmp_path: Path) -> None:
    path = tmp_path / "leeboard.toml"
    path.write_text("[rules.circling]\nenabled = false\n")
    write_profile(plan_profile(str(path), "observe"))
    assert path.read_text().startswith('profile = "observe"\n')


def test_removal_gives_back_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "leeboard.toml"
    path.write_text(TEXT)
    for profile in ("advise", "enforce"):
        write_profile(plan_profile(str(path), profile))
    change = plan_profile_removal(str(path))
    assert change is not None
    remove_profile(change)
    assert path.read_text() == TEXT


def test_what_somebody_edited_since_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "leeboard.toml"
    write_profile(plan_profile(str(path), "observe"))
    path.write_text(path.read_text() + "idle_minutes = 5\n")
    assert plan_profile_removal(str(path)) is None


def test_the_same_profile_is_no_change(tmp_path: Path) -> None:
    path = tmp_path / "leeboard.toml"
    path.write_text(TEXT)
    assert not plan_profile(str(path), "observe").changes


@pytest.mark.parametrize("text", ["profile = ", 'profil = "observe"'])
def test_a_file_with_faults_is_named_and_left(tmp_path: Path, text: str) -> None:
    path = tmp_path / "leeboard.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"leeboard\.toml"):
        plan_profile(str(path), "observe")
    assert path.read_text() == text


def test_the_users_own_file_is_for_all_projects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    assert profile_file("user", "/repo") == str(tmp_path / "config" / "leeboard.toml")
    assert profile_file("local", "/repo") == "/repo/leeboard.toml"


def test_a_new_file_names_a_schema_that_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "own"))
    own = (plan_profile(str(tmp_path / "own" / "leeboard.toml"), "enforce").after or b"").decode().splitlines()
    place = own[0].removeprefix("#:schema file://")
    assert (Path(place).is_file(), own[1]) == (True, 'profile = "enforce"')
    shared = tmp_path / "leeboard.toml"
    assert plan_profile(str(shared), "enforce").after == b'profile = "enforce"\n', "it names no place of this machine"
    (tmp_path / "leeboard.schema.json").write_text("{}")
    assert plan_profile(str(shared), "enforce").after == b'#:schema ./leeboard.schema.json\nprofile = "enforce"\n'
    shared.write_text("# mine\n")
    assert b"#:schema" not in (plan_profile(str(shared), "enforce").after or b"")
