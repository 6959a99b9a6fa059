"""Rules of a project's own: asleep until they are trusted, compiled once, and never in the way of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.own_rules import read_rules, rules_actor, trusted_rules
from leeboard.trust import record
from tests.git_repository import GitRepository
from tests.hooked_agent import HookedAgent

RULE = "id: no-publish\nmessage: by hand\nwhen: {command: npm publish}\nthen: refuse\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    git = GitRepository(tmp_path / "repo")
    git.write(".leeboard/rules/a.yml", RULE)
    git.commit()
    return git


def trust(repo: GitRepository) -> None:
    record.grant(repo.root, tuple(rules_actor(repo.root)), record.PERSON)


def test_what_nobody_trusted_sleeps(repo: GitRepository) -> None:
    agent = HookedAgent(repo.path, session="before")
    agent.prompt("release it")
    assert not agent.propose("Bash", {"command": "npm publish"})[0].denied
    trust(repo)
    agent = HookedAgent(repo.path, session="after")
    agent.prompt("release it")
    answer = agent.propose("Bash", {"command": "npm publish"})[0]
    assert answer.denied
    assert "by hand (no-publish, .leeboard/rules/a.yml:1)" in answer.words


def test_a_change_asks_again(repo: GitRepository) -> None:
    trust(repo)
    assert [rule.id for rule in trusted_rules(repo.root).rules] == ["no-publish"]
    repo.write(".leeboard/rules/a.yml", RULE.replace("by hand", "do what I say"))
    assert trusted_rules(repo.root).rules == ()
    (actor,) = rules_actor(repo.root)
    assert actor.shown == (".leeboard/rules/a.yml: no-publish (refuse): do what I say",)


def test_a_bad_file_is_named_and_the_others_count(repo: GitRepository) -> None:
    repo.write(".leeboard/rules/b.yml", "id: b\nmesage: x\n")
    repo.write(".leeboard/rules/c.yml", RULE)
    trust(repo)
    found = trusted_rules(repo.root)
    assert [rule.id for rule in found.rules] == ["no-publish"]
    assert sorted(map(str, found.problems)) == [
        ".leeboard/rules/b.yml:2: mesage: is not known; did you mean message?",
        ".leeboard/rules/c.yml:1: id: no-publish is a rule of a.yml already",
    ]


def test_a_link_is_not_followed(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yml").write_text(RULE.replace("no-publish", "foreign"), encoding="utf-8")
    (repo.path / ".leeboard/rules/z.yml").symlink_to(tmp_path / "elsewhere.yml")
    assert [rule.id for rule in read_rules(repo.root).rules] == ["no-publish"]


def test_it_is_compiled_once(repo: GitRepository, tmp_path: Path) -> None:
    repo.write(".leeboard/rules/once.yml", RULE.replace("no-publish", "only-here"))
    read_rules(repo.root)
    (kept,) = (tmp_path / "cache/own-rules").glob("*.json")
    assert b"only-here" in kept.read_bytes()
