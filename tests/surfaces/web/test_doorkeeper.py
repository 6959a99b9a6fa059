"""Invitations, cookies, and what a change has to bring along."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from leeboard.io import clock
from leeboard.surfaces.web import doorkeeper
from leeboard.surfaces.web.doorkeeper import Doorkeeper, change_token, is_change_token


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))


def test_an_invitation_is_exchanged_once_and_outlives_a_new_start() -> None:
    first = Doorkeeper("kim")
    cookie = first.admit(first.invite())
    found = Doorkeeper("kim").visitor(cookie)
    assert found is not None
    assert found.name == "kim"
    assert Doorkeeper("kim").visitor("guessed") is None
    assert Doorkeeper("kim").visitor("") is None
    assert first.admit("guessed") == ""


def test_who_comes_from_elsewhere_is_known_to_this_server_alone(tmp_path: Path) -> None:
    """Whoever takes its place could be sent the cookie; nor is one made so by a line in the file."""
    first = Doorkeeper("kim")
    far, near = first.admit(first.invite(is_elsewhere=True)), first.admit(first.invite())
    found = first.visitor(far)
    assert found is not None
    assert found.is_elsewhere
    place = tmp_path / "web/visitors.json"
    place.write_text(place.read_text().replace('"is_elsewhere":false', '"is_elsewhere":true'))
    again = Doorkeeper("kim")
    assert again.visitor(far) is None
    kept = again.visitor(near)
    assert kept is not None
    assert not kept.is_elsewhere


def test_a_late_invitation_and_an_old_visit_are_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper, later = Doorkeeper("kim"), clock.now()
    token = keeper.invite()
    cookie = keeper.admit(keeper.invite())
    monkeypatch.setattr(clock, "now", lambda: later + doorkeeper.INVITED_SECONDS + 1)
    assert keeper.admit(token) == ""
    assert keeper.visitor(cookie) is not None
    monkeypatch.setattr(clock, "now", lambda: later + doorkeeper.VISIT_SECONDS + 1)
    assert keeper.visitor(cookie) is None


def test_a_file_that_others_could_write_lets_nobody_in(tmp_path: Path) -> None:
    keeper = Doorkeeper("kim")
    cookie = keeper.admit(keeper.invite())
    place = tmp_path / "web/visitors.json"
    place.chmod(0o666)
    assert Doorkeeper("kim").visitor(cookie) is None
    place.chmod(0o600)
    place.write_text("nonsense")
    assert Doorkeeper("kim").visitor(cookie) is None


def test_the_token_of_a_change_belongs_to_the_cookie() -> None:
    token = change_token("one")
    assert is_change_token("one", token)
    assert not is_change_token("other", token)
    assert not is_change_token("", change_token(""))
    assert not is_change_token("one", "\udcff")


def test_a_visitor_that_was_written_into_the_file_is_none(tmp_path: Path) -> None:
    """Whoever can write it, as every process of the user can, makes up a digest easily, and no signature."""
    first = Doorkeeper("kim")
    known = first.admit(first.invite())
    path = next(tmp_path.rglob("visitors.json"))
    (kept,) = json.loads(path.read_text())
    forged = {**kept, "digest": sha256(b"made-up").hexdigest()}
    path.write_text(json.dumps([kept, forged, {**forged, "mac": ""}]))
    second = Doorkeeper("kim")
    assert second.visitor(known) is not None
    assert second.visitor("made-up") is None
