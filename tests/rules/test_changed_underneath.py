from __future__ import annotations

import pytest

from leeboard.model.policy import Policy, Profile
from leeboard.model.verdict import Action
from leeboard.testing.scenario import play

APP = "repo app.py | limit = 1\nprint(limit)"
READ = "read app.py -> limit = 1\nprint(limit)"
THEIRS = "meanwhile app.py | limit = 2\nprint(limit)"
EDIT = "edit app.py | print => log"


@pytest.mark.parametrize(
    ("profile", "action"), [("observe", Action.LOG), ("advise", Action.INJECT), ("enforce", Action.DENY)]
)
def test_what_the_profiles_make_of_it(profile: Profile, action: Action) -> None:
    played = play((APP, "@ fix app.py", READ, THEIRS, EDIT), Policy(profile=profile))
    assert played.proposed()[-1].action is action


def test_it_is_no_drift() -> None:
    played = play((APP, "@ fix app.py", READ, THEIRS, EDIT, EDIT))
    assert (played.session.escalation, played.session.drifted, played.session.mode) == (0, 0, "NORMAL")
    assert [verdict.rules for verdict in played.spoken()] == [("changed_underneath",)]


def test_a_refused_edit_is_no_step_and_its_file_stays() -> None:
    played = play((APP, "@ fix app.py", READ, THEIRS, EDIT, EDIT), Policy(profile="enforce"))
    denied = [verdict for verdict in played.proposed() if verdict.action is Action.DENY]
    assert len(denied) == 2, "until it is read again"
    assert all("+ 1: limit = 2" in verdict.message for verdict in denied)
    assert (played.session.denied, played.session.scored) == (2, 0)


def test_two_edits_of_one_message() -> None:
    lines = (APP, "@ fix app.py", READ, "edit app.py | limit = 1 => limit = 3", "& edit app.py | print => log")
    assert play(lines, Policy(profile="enforce")).spoken() == []
