"""What a bare yes lets pass, driven through the hook as the client calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.session import scope_page
from tests.git_repository import GitRepository
from tests.hooked_agent import HookedAgent

NODS = ("yes", "go on", "go ahead")
ELSE = ("The lifetime is two hours now. Shall I run the tests?", "I fixed the lifetime; now I would add a test.")
GUARDS = ("leeboard.toml", "leeboard-baseline.json", ".claude/settings.local.json")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.setenv("LEEBOARD_RESIDENT", "0")
    git = GitRepository(tmp_path / "repo")
    for path in ("src/auth.py", "src/b.py", "db/schema.sql", *GUARDS):
        git.write(path, "a\n")
    git.commit()
    return git.path


def stopped(agent: HookedAgent, words: str) -> None:
    agent.hook("Stop", stop_hook_active=False, last_assistant_message=words)


def at_work(repo: Path, limit: str = "") -> HookedAgent:
    agent = HookedAgent(repo)
    agent.prompt(f"Make the token lifetime in src/auth.py two hours. {limit}")
    agent.edit("src/auth.py", "a", "b")
    return agent


@pytest.mark.parametrize("path", GUARDS)
@pytest.mark.parametrize("nod", NODS)
@pytest.mark.parametrize("words", ["", ELSE[0], "May I change {path}?"])
def test_no_yes_lets_the_agent_change_its_guard(repo: Path, path: str, nod: str, words: str) -> None:
    agent = at_work(repo)
    assert agent.write(path, "{}").denied
    if words:
        stopped(agent, words.format(path=path))
    agent.prompt(nod)
    assert agent.write(path, "{}").denied
    assert path not in scope_page(str(repo)).scope.named


def test_nor_with_other_work_between_and_only_a_message_that_names_the_file_does(repo: Path) -> None:
    agent = at_work(repo)
    assert agent.write("leeboard.toml", "x").denied
    for _ in range(6):
        agent.read("src/b.py")
    agent.prompt("yes, go ahead")
    assert agent.write("leeboard.toml", "x").denied
    agent.prompt("set the profile in leeboard.toml to observe")
    assert not agent.write("leeboard.toml", "x").denied


def test_an_order_to_undo_lets_the_guard_be_changed_no_more_than_a_yes(repo: Path) -> None:
    agent = at_work(repo)
    assert agent.write("leeboard.toml", "x").denied
    agent.prompt("no, revert it")
    assert agent.write("leeboard.toml", "x").denied
    assert "leeboard.toml" not in scope_page(str(repo)).scope.named


@pytest.mark.parametrize("nod", NODS)
@pytest.mark.parametrize("words", ELSE)
def test_a_yes_to_something_else_lifts_no_limit(repo: Path, nod: str, words: str) -> None:
    agent = at_work(repo, "Do not touch the schema.")
    assert agent.edit("db/schema.sql", "a", "b").denied
    stopped(agent, words)
    agent.prompt(nod)
    assert agent.edit("db/schema.sql", "a", "b").denied
    scope = scope_page(str(repo)).scope
    assert "db/schema.sql" not in (*scope.named, *scope.let_stand)


def test_nor_does_a_yes_after_other_work(repo: Path) -> None:
    agent = at_work(repo, "Do not touch the schema.")
    assert agent.edit("db/schema.sql", "a", "b").denied
    agent.read("src/b.py")
    agent.prompt("yes")
    assert agent.edit("db/schema.sql", "a", "b").denied
    agent.edit("src/auth.py", "b", "c")
    stopped(agent, "May I edit db/schema.sql?")
    agent.prompt("yes")
    assert agent.edit("db/schema.sql", "a", "b").denied
    scope = scope_page(str(repo)).scope
    assert "db/schema.sql" not in (*scope.named, *scope.let_stand)


@pytest.mark.parametrize("looks", [0, 2])
def test_a_yes_to_the_agents_own_question_lifts_the_limit_and_the_scope_says_so(repo: Path, looks: int) -> None:
    agent = at_work(repo, "Do not touch the schema.")
    assert agent.edit("db/schema.sql", "a", "b").denied
    for _ in range(looks):
        agent.read("src/b.py")
    stopped(agent, "The lifetime needs a column. May I edit db/schema.sql?")
    agent.prompt("yes")
    assert not agent.edit("db/schema.sql", "a", "b").denied
    scope = scope_page(str(repo)).scope
    assert "db/schema.sql" not in scope.named
    assert scope.let_stand == ("db/schema.sql",)
    assert [limit.lifted_for for limit in scope.limits] == [("db/schema.sql",)]


def test_where_nobody_knows_what_the_agent_said_a_yes_right_behind_the_refusal_lifts_it(repo: Path) -> None:
    agent = at_work(repo, "Do not touch the schema.")
    assert agent.edit("db/schema.sql", "a", "b").denied
    agent.prompt("yes, go ahead")
    assert not agent.edit("db/schema.sql", "a", "b").denied
