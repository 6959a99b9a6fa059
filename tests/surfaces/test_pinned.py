from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.io.released import release
from leeboard.model.pin import Pin
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.surfaces.pinned import counting
from leeboard.wire.leeboard_toml import Settings

ENFORCE, OBSERVE = Policy(profile="enforce"), Policy(profile="observe")


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return Session(id="s", root="/repo", pin=Pin(policy=ENFORCE, at=1.0))


def test_it_keeps_what_it_began_under_until_a_person_releases_it(session: Session) -> None:
    loose = Settings(policy=OBSERVE, enabled=False)
    kept = counting(loose, session, "/repo")
    assert (kept.policy.profile, kept.enabled, kept.pin, len(kept.looser)) == ("enforce", True, session.pin, 2)
    release("/repo")
    let_go = counting(loose, session, "/repo")
    assert (let_go.policy, let_go.enabled, let_go.looser) == (OBSERVE, False, ())


def test_settings_of_another_tree_bind_its_own_agent_alone(session: Session) -> None:
    mild = replace(session, pin=Pin(policy=Policy(), at=1.0))
    elsewhere = counting(Settings(policy=ENFORCE), mild, "/repo-w")
    assert (elsewhere.policy.profile, elsewhere.pin) == ("enforce", mild.pin)
    here = counting(Settings(policy=ENFORCE), mild, "/repo")
    assert here.pin is not None
    assert here.pin.policy.profile == "enforce"


def test_one_of_an_older_version_is_pinned_from_now_on() -> None:
    pin = counting(Settings(policy=ENFORCE), Session(id="s", root="/repo"), "/repo").pin
    assert pin is not None
    assert pin.policy == ENFORCE
