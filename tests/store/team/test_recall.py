from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import psycopg

from leeboard.store.recall import RecallQuestion
from leeboard.store.team.postgres import connected
from leeboard.store.team.recall import recall_from_team
from leeboard.text.words import content_words
from tests.store.team.test_postgres import waiting

if TYPE_CHECKING:
    from tests.team_server import TeamServer

LISTS = ("files", "folders", "keywords")
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


def test_no_question_is_answered_about_another_project(team_server: TeamServer) -> None:
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put([step("file", 1, files='["src/a.py"]')], "here")  # type: ignore[list-item] # as above
    asked = (
        "SELECT * FROM leeboard.steps_about('shop', 5, '{src/a.py}', '{}', '{}', 5)",
        "SELECT * FROM leeboard.steps_with_words('shop', '{file}', 5, 5, 5)",
        "SELECT * FROM leeboard.steps_since('shop', '0', 5)",
    )
    kim, mallory = team_server.url("kim"), team_server.member("mallory", "bank")
    for url, count in ((kim, 1), (mallory, 0)):
        with psycopg.connect(url, autocommit=True) as connection:
            assert [len(connection.execute(sql.encode()).fetchall()) for sql in asked[:1] + asked[2:]] == [count] * 2
            assert len(connection.execute(asked[1].encode()).fetchall()) <= count


def test_words_are_ranked_by_how_rare_they_are_and_looked_for_below_the_newest(team_server: TeamServer) -> None:
    """Each of the two words is in the newest hundred steps, and both of them only in an older one."""
    rows = [
        step("both", 1, reasoning="the kettle at the harbour, and much more that nobody asks about"),
        step("short", 2, reasoning="kettle harbour"),
        *(step(f"n{seq}", seq, reasoning=("kettle", "harbour")[seq % 2]) for seq in range(3, 203)),
        step("rare", 203, reasoning="teapot"),
    ]
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put(rows, "here")  # type: ignore[arg-type] # as above
        asked = RecallQuestion(words=content_words("kettle harbour teapot"))
        found = [one.what for one in recall_from_team(remote, "shop", asked)]
        assert len(found) == 10
        assert found[:3] == ["edit rare", "edit short", "edit both"]
        odd = RecallQuestion(words=("it's", "a:b", "'", "\\"))
        assert recall_from_team(remote, "shop", odd) == ()


def test_terms_follow_their_step(team_server: TeamServer) -> None:
    """What is written anew, no longer validated, or deleted is found by what it is now."""
    with connected(team_server.member("kim", "shop")) as remote:
        by_file = RecallQuestion(files=("src/a.py",))
        for seq, row, found in (
            (1, {"files": '["src/a.py"]'}, 1),
            (2, {"files": '["src/b.py"]'}, 0),
            (3, {"files": '["src/a.py", "src/a.py"]'}, 1),
            (4, {"files": '["src/a.py"]', "is_validated": 0}, 0),
            (5, {"files": '["src/a.py"]'}, 1),
        ):
            remote.put([step("one", seq, **row)], "here")  # type: ignore[list-item] # as above
            assert len(recall_from_team(remote, "shop", by_file)) == found, seq
    team_server.execute("DELETE FROM leeboard.steps")
    assert team_server.execute("SELECT * FROM leeboard.step_terms") == []


def test_the_same_is_found_as_by_the_arrays(team_server: TeamServer) -> None:
    """Two hundred steps with files, folders and keywords by chance: the newest of `&&`, whichever terms are asked."""
    chance = random.Random(3)
    names = [f"n{number}" for number in range(12)]
    rows = [
        step(f"s{seq}", seq, **{name: json.dumps(chance.sample(names, chance.randrange(4))) for name in LISTS})
        for seq in range(1, 201)
    ]
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put(rows, "here")  # type: ignore[arg-type] # as above
        for _ in range(40):
            name, terms = chance.choice(LISTS), chance.sample(names, chance.randrange(1, 4))
            wanted = team_server.execute(
                f"SELECT id FROM leeboard.steps WHERE {name} && ARRAY{terms} ORDER BY seq DESC LIMIT 5"
            )
            found = recall_from_team(remote, "shop", RecallQuestion(**{name: tuple(terms)}))
            assert sorted((one.id,) for one in found) == sorted(wanted)
