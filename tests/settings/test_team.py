from __future__ import annotations

import pytest

from leeboard.settings.team import TeamSettings, team_of
from leeboard.settings.toml import parse_tolerantly

URL = "postgresql://kim@db.example/leeboard?sslmode=verify-full"


def test_a_database_and_its_projects() -> None:
    text = f'[team]\nurl = "{URL}"\n[team.projects]\nshop = "~/src/shop"\n'
    settings, problems = parse_tolerantly(text, "leeboard.toml")
    assert settings.team == TeamSettings(url=URL, projects={"shop": "~/src/shop"})
    assert not problems


@pytest.mark.parametrize(
    ("table", "key", "words"),
    [
        ({}, "url", "is needed"),
        ({"url": 7}, "url", "postgresql://"),
        ({"url": "mysql://x"}, "url", "postgresql://"),
        ({"url": "postgresql://kim:hunter2@db/x"}, "url", "~/.pgpass"),
        ({"url": "postgresql://db/x?Password=hunter2"}, "url", "~/.pgpass"),
        ({"url": URL, "projects": "shop"}, "projects", "a table"),
        ({"url": URL, "projects": {"a b": "/x"}}, "projects.a b", "no name"),
        ({"url": URL, "projects": {"shop": "src"}}, "projects.shop", "whole path"),
        ({"url": URL, "projects": {"shop": 3}}, "projects.shop", "whole path"),
    ],
)
def test_what_is_wrong_is_named_without_the_password(table: dict[str, object], key: str, words: str) -> None:
    team, faults = team_of(table)
    assert [name for name, _ in faults] == [key]
    assert words in faults[0][1]
    assert "hunter2" not in str(faults)
    assert (team is None) == (key == "url")
    assert team is None or team.projects == {}


def test_a_line_is_named() -> None:
    _, problems = parse_tolerantly('[team]\nurl = "x"\nhost = "y"\n', "leeboard.toml")
    assert any("leeboard.toml:2: team.url" in one for one in problems)
    assert any("leeboard.toml:3: team.host is not a setting" in one for one in problems)
