"""Files that the user attaches to a prompt, and somebody changes after that, through the real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.tree_files import LARGEST
from tests.hooked_agent import HookedAgent
from tests.test_hook_files_changed import APP, THEIRS, UNKNOWN, person, repo, world

__all__ = ["repo", "world"]


@pytest.mark.parametrize("mention", ["@app.py", '@"app.py"', "@app.py#L4-6", "@./app.py", "@app.py:"])
def test_what_was_attached_and_then_changed_is_named_before_the_edit(repo: Path, mention: str) -> None:
    agent = HookedAgent(repo, profile="enforce")
    assert agent.prompt(f"fix limit() in {mention} please") == ""
    person(repo)
    answer = agent.edit("app.py", "'app'", "'shop'")
    assert answer.denied
    assert "app.py was changed since you last read it: 1 line new, 1 gone." in answer.words
    assert UNKNOWN in answer.words
    agent.read("app.py")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_what_was_attached_and_not_changed_is_not_spoken_of(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix @app.py")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""
    assert agent.prompt("and @app.py again") == ""
    assert agent.edit("app.py", "'shop'", "'store'").words == ""


@pytest.mark.parametrize("mention", ["kim@app.py", "app.py", "@lib/app.py", "(@app.py)"])
def test_what_is_only_spoken_of_was_not_read(repo: Path, mention: str) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt(f"fix {mention}")
    person(repo)
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_who_attaches_their_change_has_told_of_it(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    assert agent.prompt("I have changed @app.py, go on") == ""
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_a_part_that_is_attached_makes_up_for_that_part_alone(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    assert "app.py: 1 line new, 1 gone" in agent.prompt("look at @app.py#L8-9")
    assert agent.edit("app.py", "'app'", "'shop'").denied
    assert agent.prompt("look at @app.py#L4-6") == ""
    assert not agent.edit("app.py", "'app'", "'shop'").denied


def test_links_and_what_is_no_small_text_do_not_count(repo: Path) -> None:
    outside = repo.parent / "theirs.py"
    outside.write_text(APP, encoding="utf-8")
    (repo / "link.py").symlink_to(outside)
    (repo / "beyond").symlink_to(repo.parent)
    (repo / "large.txt").write_text("x" * (LARGEST + 1), encoding="utf-8")
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("see @link.py @beyond/theirs.py @large.txt @../theirs.py")
    outside.write_text(THEIRS, encoding="utf-8")
    (repo / "large.txt").write_text("y", encoding="utf-8")
    assert agent.prompt("go on") == ""
    assert agent.write("large.txt", "z").words == ""


def test_it_is_found_from_the_folder_the_agent_is_in(repo: Path) -> None:
    (repo / "src").mkdir()
    (repo / "src/my notes.md").write_text(APP, encoding="utf-8")
    agent = HookedAgent(repo)
    agent.hook("UserPromptSubmit", prompt='see @"my notes.md"', prompt_id="p", cwd=str(repo / "src"))
    person(repo, THEIRS, "src/my notes.md")
    assert "src/my notes.md: 1 line new, 1 gone" in agent.prompt("go on")
