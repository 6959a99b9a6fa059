from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from leeboard.store.recall import RecallQuestion
from leeboard.store.team.postgres import connected
from leeboard.store.team.recall import recall_from_team
from leeboard.text.words import content_words
from tests.store.team.test_postgres import waiting

if TYPE_CHECKING:
    from tests.team_server import TeamServer

ASKED = RecallQuestion(
    files=("src/a.py",), folders=("src/",), words=content_words("kettle harbour"), keywords=("teapot",)
)


def step(name: str, seq: int, *, project: str = "shop", **row: object) -> object:
    bare = {"files": "[]", "folders": "[]", "keywords": "[]", "reasoning": "", "is_key_decision": 0, "command": name}
    return waiting(seq, project=project, key=name, **bare | row)


def test_the_same_questions_in_the_same_order_as_here(team_server: TeamServer) -> None:
    url = team_server.member("kim", "shop")
    rows = [
        step("keyword", 1, keywords='["teapot"]'),
        step("words", 2, reasoning="the kettle at the harbour"),
        step("folder", 3, folders='["src/"]'),
        step("file", 4, files='["src/a.py"]', folders='["src/"]'),
        step("key", 5, files='["src/a.py"]', is_key_decision=1),
        step("unrelated", 6, is_key_decision=1),
        step("astray", 7, files='["src/a.py"]', is_validated=0),
    ]
    with connected(url) as remote:
        remote.put(rows, "here")  # type: ignore[arg-type] # built by the helper above
        found = recall_from_team(remote, "shop", ASKED)
        assert [one.what for one in found] == [f"edit {name}" for name in ("key", "file", "folder", "words", "keyword")]
        assert {one.member for one in found} == {"kim"}
        assert recall_from_team(remote, "shop", RecallQuestion()) == ()
        assert recall_from_team(remote, "bank", ASKED) == ()
    with connected(team_server.member("mallory", "bank")) as stranger:
        assert recall_from_team(stranger, "shop", ASKED) == ()


def test_no_other_question_is_answered_and_none_of_another_project(team_server: TeamServer) -> None:
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put([step("file", 1, files='["src/a.py"]')], "here")  # type: ignore[list-item] # as above
    ask = "SELECT seq FROM leeboard.steps_sharing(%s, %s, %s, %s, 5)"
    with psycopg.connect(team_server.member("mallory", "bank"), autocommit=True) as stranger:
        assert stranger.execute(ask, ("shop", "files", "&&", ["src/a.py"])).fetchall() == []
        for column, how in (("reasoning", "&&"), ("files", "= $2 OR true OR files &&"), ("files; DROP", "&&")):
            with pytest.raises(psycopg.errors.RaiseException, match="no such question"):
                stranger.execute(ask, ("bank", column, how, ["src/a.py"]))
