from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leeboard.app.team.policy import PolicyTerms, policy_view, signed, take, verified
from leeboard.app.team_files import is_over, kept_policy, policy_file
from leeboard.errors import ConfigError, EffectError
from leeboard.settings.settings import Settings
from leeboard.settings.team import TeamSettings

TEXT = 'profile = "enforce"\n'


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    path = tmp_path / "key"
    subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)), check=True)
    return path


def team(key: Path) -> TeamSettings:
    return TeamSettings(url="postgresql:///x", policy_keys=(key.with_suffix(".pub").read_text().strip(),))


def document(key: Path, serial: int, expires: str = "") -> str:
    return signed(TEXT, PolicyTerms(project="shop", serial=serial, expires=expires), str(key))


def test_the_newest_is_kept_and_an_older_one_never_comes_back(key: Path) -> None:
    one, two = document(key, 1), document(key, 2)
    assert take(one, team(key), "shop").serial == 1
    assert take(two, team(key), "shop").serial == 2
    assert take(two, team(key), "shop").serial == 2
    with pytest.raises(ConfigError, match="older than the serial 2"):
        take(one, team(key), "shop")
    kept = kept_policy("shop")
    assert kept is not None
    assert kept.serial == 2
    view = policy_view(kept, Settings())
    assert (view.tightens, view.expires, view.expired) == (("profile",), None, False)


def test_one_that_was_taken_holds_when_its_time_is_up(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take(document(key, 1, "2099-01-01"), team(key), "shop")
    monkeypatch.setattr("leeboard.io.clock.now", lambda: 4_100_000_000.0)
    kept = kept_policy("shop")
    assert kept is not None
    assert is_over(kept)
    with pytest.raises(ConfigError, match="expired at 2099-01-01"):
        take(document(key, 2, "2099-01-01"), team(key), "shop")


def test_a_signature_made_for_something_else_does_not_count(key: Path) -> None:
    signed_part = document(key, 1).partition("-----BEGIN")[0]
    sign = ("ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "git")
    made = subprocess.run(sign, input=signed_part.encode(), capture_output=True, check=True).stdout.decode()
    with pytest.raises(ConfigError, match="by none of the team's keys"):
        verified(signed_part + made, team(key).policy_keys)
    with pytest.raises(ConfigError, match="policy_keys"):
        verified(document(key, 1), ())


def test_without_ssh_it_is_said(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = document(key, 1)
    monkeypatch.setattr("leeboard.app.team.policy._PROGRAMS", "/nowhere")
    with pytest.raises(EffectError, match="OpenSSH"):
        verified(made, team(key).policy_keys)


def test_no_program_of_a_repository_is_asked(key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in front of PATH may be the repository's own."""
    program = tmp_path / "bin" / "ssh-keygen"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    changed = document(key, 1).replace("enforce", "observe")
    with pytest.raises(ConfigError, match="signature"):
        verified(changed, team(key).policy_keys)


def test_a_kept_policy_that_is_damaged_keeps_no_other_from_being_taken(key: Path) -> None:
    take(document(key, 1), team(key), "shop")
    Path(policy_file("shop")).write_text("garbage")
    assert take(document(key, 2), team(key), "shop").serial == 2


def test_a_kept_policy_that_somebody_changed_gives_way_to_the_teams(key: Path) -> None:
    """One with a higher serial, that says less: nobody has signed that."""
    true = document(key, 2)
    take(true, team(key), "shop")
    file = Path(policy_file("shop"))
    file.write_text(true.replace("serial: 2", "serial: 900").replace(TEXT, 'profile = "observe"\n'))
    assert take(true, team(key), "shop").serial == 2
    assert file.read_text() == true
