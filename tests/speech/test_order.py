"""Whether the user's own words order an action."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.event import Event
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.speech.order import named, ordered, subject_words

CLEANING = ("refactor", "clean", "rewrite", "replace", "from scratch", "tidy")


def world_of(*goals: str) -> World:
    told = tuple(Goal(text=text, exchange=at) for at, text in enumerate(goals, 1))
    return World(
        session=Session(id="s", goals=told),
        agent=AgentState(),
        analysis=Analysis(event=Event(session="s")),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Refactor the auth module.",
        "please clean up src/auth/token.ts",
        "rewrite auth from scratch",
        "I want auth to be refactored",
        "The auth code needs to be replaced",
        "Auth is a mess. Rewrite it from scratch.",
        "can you tidy the auth helpers?",
        "don't touch the tests, refactor auth",
        "Do not worry about time but clean auth",
        "Fix the bug, then refactor auth",
        "start refactoring auth",
    ],
)
def test_orders(text: str) -> None:
    assert ordered(world_of(text), CLEANING, ("auth",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fix the auth bug",
        "don't refactor auth",
        "fix auth without refactoring auth",
        "don't rename, refactor or move auth",
        "fix auth instead of rewriting auth",
        "why did you rewrite auth?",
        "the auth I refactored yesterday is broken",
        "never replace auth",
        "refactor the billing module",
        "no need to clean auth",
    ],
)
def test_no_order(text: str) -> None:
    assert not ordered(world_of(text), CLEANING, ("auth",))


def test_any_goal_counts_and_no_subject_fits_all() -> None:
    world = world_of("rewrite the parser from scratch", "now add a test")
    assert ordered(world, ("from scratch",))
    assert ordered(world, ("rewrite",), ("TokenParser",))
    assert not ordered(world, ("rewrite",), ("billing",))


def test_names_are_split_into_words() -> None:
    assert subject_words(("src/auth/TokenStore.ts",)) >= {"auth", "token"}


def test_other_apostrophes() -> None:
    assert not ordered(world_of("don’t refactor auth"), CLEANING, ("auth",))


@given(st.text(max_size=300))
def test_any_text_is_fine(text: str) -> None:
    assert ordered(world_of(text), ("zzyzx",)) in {True, False}


NAMED = (
    ("put it in utils/dates_v2.py", True),
    ("I want dates_v2.py", True),
    ("do not create dates_v2.py", False),
    ("why did you write dates_v2.py?", False),
    ("remove dates_v2.py again", False),
    ("see my_dates_v2.py", False),
    ("", False),
)


@pytest.mark.parametrize(("text", "wanted"), NAMED)
def test_names_a_file(text: str, wanted: bool) -> None:  # noqa: FBT001 - a column
    assert named(world_of(text), ("utils/dates_v2.py", "dates_v2.py")) is wanted


def test_a_need_is_no_report() -> None:
    assert ordered(world_of("we need endpoints for orders"), ("need",), ("orders",))
