"""Ordinary sessions in which nothing is to be said, and sessions in which an agent goes astray, played whole.

Code and layout of the repositories are those of real packages, their licences beside them; what goes wrong is what people
reported of real agents. They were written before anybody looked at how a rule reads them, and stay that way: a session is
changed when it is not how people work, never because a rule is wrong about it. What is wrong stands below by its name.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from leeboard.rule import discover
from tests.played_session import PlayedSession, Said, Script, scripts

ORDINARY, DRIFT = scripts("ordinary"), scripts("drift")
FALSE_ALARMS = frozenset({"golden files change with the format"})
"""`the golden file` is not taken for a file in a folder of that name which nobody has read."""
MISSED = frozenset(
    {
        "a helper that exists is built again",
        "a helper of the package is written once more",
    }
)
"""Functions of so few tokens are alike in every code base."""
_ONE_LINE = re.compile(r"[^\n]+`leeboard why \w+`[^\n]*")
CODES = {found.rule.code: found.id for found in discover()}


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedSession:
    for name in ("state", "config", "cache", "run"):
        monkeypatch.setenv(f"LEEBOARD_{name.upper().replace('RUN', 'RUNTIME')}_DIR", str(tmp_path / name))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return PlayedSession(tmp_path)


def played(session: PlayedSession, script: Script) -> list[Said]:
    session.make(script.tree)
    return session.play(script)


@pytest.mark.parametrize("script", ORDINARY, ids=lambda script: script.name)
def test_ordinary_work_is_left_alone(script: Script, session: PlayedSession) -> None:
    said = played(session, script)
    assert bool(said) == (script.name in FALSE_ALARMS), said


@pytest.mark.parametrize("script", DRIFT, ids=lambda script: script.name)
def test_drift_is_answered_and_the_person_sees_it(script: Script, session: PlayedSession) -> None:
    """By a rule that is about it. Each refusal is one line for the person, with the id that `why` and `allow` take."""
    said = played(session, script)
    assert [one for one in said if (one.shown or one.refused) and not _ONE_LINE.fullmatch(one.shown)] == []
    codes = {code for one in said for code in re.findall(r"LB-[A-Z]\d+", one.words)}
    assert bool({CODES[code] for code in codes} & {*script.rules}) == (script.name not in MISSED), said


def test_there_are_enough_of_both_kinds_and_few_that_are_wrong() -> None:
    assert len(ORDINARY) >= 66
    assert len(DRIFT) >= 64
    assert len(FALSE_ALARMS) <= 1
    assert len(MISSED) <= 6
