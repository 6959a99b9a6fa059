from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from leeboard.app.past.team import team_past, words_of_team
from leeboard.model.verdict import Action, Verdict
from leeboard.store.team.copy import TeamMark, TeamNews, team_copy
from tests.store.team.test_copy import a_team_step


def test_a_correction_is_joined_by_who_else_changed_the_files(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.db")
    assert team_past("", ("src/a.py",), (), ()) == ()
    assert team_past(path, ("src/a.py",), (), ()) == ()
    with team_copy(path) as copy:
        copy.take(TeamNews(mark=TeamMark(1, 0), anew=True, steps=((1, a_team_step("one", is_key_decision=True)),)))
    about = Verdict(id="v1", session="s", agent="", turn=1, action=Action.INJECT, event="ToolFinished", message="m")
    verdict = replace(about, level="correct", paths=("src/a.py",))
    assert "In the team: kim changed src/a.py (key decision)." in words_of_team(path, verdict)
    assert words_of_team(path, replace(verdict, level="nudge")) == ""
    (tmp_path / "shop.db").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    assert team_past(path, ("src/a.py",), (), ()) == ()
