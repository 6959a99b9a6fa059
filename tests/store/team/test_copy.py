from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from leeboard.errors import StateError
from leeboard.model.outcome import TeamStep
from leeboard.store.database import Database
from leeboard.store.team import copy as copied
from leeboard.store.team.copy import TeamMark, TeamNews, team_copy


def a_team_step(name: str, **more: Any) -> TeamStep:
    given: dict[str, Any] = {"files": ("src/a.py",), "folders": ("src/",), "keywords": ("token",), "member": "kim"}
    return TeamStep(id=name, session_id="s", action_type="edit", **given | more)


def news(*steps: tuple[int, TeamStep], anew: bool = False, at: int = 1) -> TeamNews:
    return TeamNews(TeamMark(at, 0), anew, steps)


def test_what_came_is_found_by_file_folder_and_keyword(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.db")
    with team_copy(path) as copy:
        assert copy.mark() == TeamMark()
        copy.take(news((1, a_team_step("one")), (2, a_team_step("two", files=("b.py",), folders=()))))
        copy.take(news((3, a_team_step("key", is_key_decision=True)), (4, a_team_step("astray", is_validated=False))))
    with team_copy(path) as copy:
        assert copy.mark() == TeamMark(1, 0)
        assert [one.id for one in copy.past_steps(("src/a.py",), (), ())] == ["key", "one"]
        assert [one.id for one in copy.past_steps((), ("src/",), ("token",))] == ["key", "one", "two"]
        assert copy.past_steps(("c.py",), (), ()) == ()
        copy.take(news((1, a_team_step("one", is_validated=False)), at=7))
        assert [one.id for one in copy.past_steps(("src/a.py",), (), ())] == ["key"]
        copy.take(news((9, a_team_step("all there is")), anew=True))
        assert copy.count() == 1


def test_the_oldest_go_and_decisions_stay_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied, "NEWEST", 3)
    monkeypatch.setattr(copied, "DECISIONS", 2)
    with team_copy(str(tmp_path / "shop.db")) as copy:
        copy.take(news(*((seq, a_team_step(str(seq), is_key_decision=seq in {2, 3, 4})) for seq in range(1, 10))))
        assert copy.count() == 4 + 3


def test_a_file_of_another_shape_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.db")
    database = Database(path, f"{path}.lock")
    database.run("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StateError, match="another version"), team_copy(path):
        pass
