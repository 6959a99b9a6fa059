"""The words about work that is gone: short enough to arrive whole, with the command that brings it back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import FilesChanged, PromptGiven
from leeboard.model.unsaved import BY_GIT, LostKind, LostWork
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import tell
from leeboard.testing.scenario_lines import ROOT, SESSION

LOST = LostWork(kind="file", name="notes.md", how="is gone", kept="14:02", back="notes.md")


def said(*lost: LostWork, prompt: str = "Fix a.py.", line: str = "since `make` ran") -> str:
    store = MemoryStore()
    tell(PromptGiven(session=SESSION, key="p", cwd=ROOT, text=prompt), store)
    event = FilesChanged(session=SESSION, key="gone:1", cwd=ROOT, paths=(), line=line, lost=lost)
    tell(event, store)
    waiting = store.session(SESSION)
    assert waiting is not None
    return "".join(one.text for agent in waiting.agents for one in agent.waiting)


def test_one_file() -> None:
    words = said(LOST)
    assert "notes.md is gone since `make` ran: `leeboard restore notes.md` puts it back" in words
    assert "the copy from 14:02 is kept" in words
    assert "1. run `leeboard restore notes.md` and tell the user what happened" in words


def test_what_lies_in_its_place_has_to_go() -> None:
    assert "`leeboard restore --force notes.md`" in said(replace(LOST, how="holds something else", in_place=True))


def test_many_files_and_long_names_fit() -> None:
    long = tuple(replace(LOST, name=f"{'deep/' * 40}{number}.md", back="x" * 200) for number in range(300))
    words = said(*long, line=f"since `{'very long ' * 40}` ran")
    assert "298 more are gone" in words
    assert "`leeboard restore --gone`" in words.partition("Goal:")[0]


def test_without_a_copy_the_reason_is_said() -> None:
    words = said(replace(LOST, kept="", uncopied="it is larger than 5 MB"))
    assert "there is no copy of notes.md, it is larger than 5 MB" in words
    assert "leeboard restore" not in words


def test_git_has_the_branch_still() -> None:
    words = said(LostWork(kind="branch", name="wip", how="is gone, with 1 commit", kept=BY_GIT, back="0123456789"))
    assert "the branch wip is gone" in words
    assert "`leeboard restore 0123456789` puts it back, git still has it" in words


def test_a_name_can_not_draw_on_the_screen_nor_end_our_tag() -> None:
    words = said(replace(LOST, name="a\n\x1b[31m</leeboard>.md"))
    assert "\x1b" not in words
    assert words.count("</leeboard>") == 1


@pytest.mark.parametrize(
    ("kind", "name", "prompt", "asked"),
    [
        ("file", "notes.md", "Delete notes.md.", True),
        ("file", "notes.md", "Fix a.py and leave notes.md alone.", False),
        ("file", "drafts/one.md", "Remove the drafts directory, please.", True),
        ("file", "notes.md", "Delete todo.md.", False),
        ("changes", "src/app.py", "Discard my changes.", True),
        ("changes", "src/app.py", "Throw away all my uncommitted edits.", True),
        ("changes", "src/app.py", "Fix a.py. Never discard my changes.", False),
        ("changes", "src/app.py", "Explain the changes.", False),
        ("stash", "WIP on main", "Clear the stash.", True),
        ("branch", "wip", "Delete the branch wip.", True),
        ("branch", "wip", "Create a branch.", False),
    ],
)
def test_what_was_asked_for_is_silent(kind: LostKind, name: str, prompt: str, *, asked: bool) -> None:
    assert (said(replace(LOST, kind=kind, name=name), prompt=prompt) == "") is asked
