"""A project's own limits hold in every session of it, and only tighten."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.settings import read_written_limits
from leeboard.app.views.session import scope_page
from tests.git_repository import GitRepository
from tests.hooked_agent import HookedAgent

GUIDE = "# Guide\n\n- Do not edit files under `vendor/`.\n- Never push to main.\n"


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HookedAgent:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    git = GitRepository(tmp_path / "repo")
    git.write("AGENTS.md", GUIDE)
    git.write("src/app.py", "a\n")
    git.write("vendor/lib.py", "a\n")
    git.commit()
    return HookedAgent(git.path)


def test_it_is_refused_with_the_line_it_comes_from(agent: HookedAgent) -> None:
    agent.prompt("fix src/app.py")
    answer, _ = agent.propose_edit("vendor/lib.py", "a", "b")
    assert answer.denied
    assert "what the project rules out" in answer.words
    assert "AGENTS.md:3" in answer.words
    assert not agent.propose_edit("src/app.py", "a", "b")[0].denied
    assert agent.propose("Bash", {"command": "git push origin main"})[0].denied


def test_the_user_s_own_word_goes_over_it(agent: HookedAgent) -> None:
    agent.prompt("update vendor/lib.py to the new version")
    assert not agent.propose_edit("vendor/lib.py", "a", "b")[0].denied


def test_scope_shows_where_it_is_written(agent: HookedAgent) -> None:
    agent.prompt("fix src/app.py")
    limits = scope_page(str(agent.repo)).limits
    assert [(one.source, one.is_judged) for one in limits] == [("AGENTS.md:3", True), ("AGENTS.md:4", True)]


def test_two_files_that_say_the_same_are_one(tmp_path: Path) -> None:
    for name in ("AGENTS.md", "CLAUDE.md"):
        (tmp_path / name).write_text(GUIDE, encoding="utf-8")
    assert len(read_written_limits(str(tmp_path), ("AGENTS.md", "CLAUDE.md", "NONE.md"))) == 2


def test_a_link_is_not_followed_and_bad_bytes_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "elsewhere.md")
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff\xfe\x00- Do not edit \xff")
    assert read_written_limits(str(tmp_path), ("AGENTS.md", "CLAUDE.md")) == ()
