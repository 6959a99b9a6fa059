from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.workspace import PlanPath, from_top, plan_path, worktree_around, worktree_of

TOP = ".haiku/intents/login"
PATHS: list[tuple[str, PlanPath | None]] = [
    (f"{TOP}/intent.md", PlanPath(slug="login", kind="intent")),
    (f"/home/kim/repo/{TOP}/intent.md", PlanPath(slug="login", kind="intent")),
    (f".haiku/worktrees/login/unit-01-x/{TOP}/intent.md", PlanPath(slug="login", kind="intent")),
    (f"{TOP}/stages/build/state.json", PlanPath(slug="login", kind="stage", stage="build")),
    (
        f"{TOP}/stages/build/units/unit-01-form.md",
        PlanPath(slug="login", kind="unit", stage="build", name="unit-01-form"),
    ),
    (
        f"{TOP}/stages/build/feedback/01-slow.md",
        PlanPath(slug="login", kind="feedback", stage="build", name="01-slow"),
    ),
    (f"{TOP}/feedback/02-x.md", PlanPath(slug="login", kind="feedback", name="02-x")),
    (f"{TOP}/stages/build/artifacts/a/b.json", PlanPath(slug="login", kind="material", stage="build")),
    (f"{TOP}/knowledge/api.md", PlanPath(slug="login", kind="material")),
    (f"{TOP}/stages/build/rulings.jsonl", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/stages/build/gate-runs.json", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/stages/build/produced/unit-01-form.jsonl", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/stages/build/reviews/visit-1/security.md", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/.fsm_checksum", PlanPath(slug="login", kind="log")),
    (f"{TOP}/.drift_checksum", PlanPath(slug="login", kind="log")),
    (f"{TOP}/drift-dispatch.json", PlanPath(slug="login", kind="log")),
    (f"{TOP}/stages/build/baseline-thrash.json", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/stages/build/.baseline-ack", PlanPath(slug="login", kind="log", stage="build")),
    (f"{TOP}/user-turns.jsonl", PlanPath(slug="login", kind="log")),
    (TOP, PlanPath(slug="login", kind="folder")),
    (f"{TOP}/stages/build", PlanPath(slug="login", kind="folder", stage="build")),
    (f"{TOP}/stages/build/units", PlanPath(slug="login", kind="folder", stage="build")),
    (".haiku", PlanPath(slug="", kind="folder")),
    (".haiku/intents", PlanPath(slug="", kind="folder")),
    ("docs/my.haiku/intents/login/intent.md", None),
    ("src/login.py", None),
    (".haiku/knowledge/a.md", None),
]


@pytest.mark.parametrize(("path", "expected"), PATHS, ids=[path for path, _ in PATHS])
def test_what_a_path_is(path: str, expected: PlanPath | None) -> None:
    assert plan_path(path) == expected


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from([".haiku", "intents", "stages", "units", "a", "", ".."])).map("/".join)
)
def test_no_path_is_too_odd(path: str) -> None:
    plan_path(path)
    assert len(worktree_of(path)) == len(worktree_around(path)) == 2


def test_whose_work_tree_it_is() -> None:
    assert worktree_of(".haiku/worktrees/login/unit-01-x/src/a.py") == ("login", "unit-01-x")
    assert worktree_of(".haiku/worktrees/login/unit-01-x") == ("login", "unit-01-x")
    assert worktree_of(".haiku/worktrees/login") == ("", "")
    assert worktree_of("src/.haiku/worktrees/a/b/c") == ("", "")
    assert worktree_around("/r/.haiku/worktrees/login/unit-01-x/src") == ("login", "unit-01-x")
    assert worktree_around("/r/src") == ("", "")


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("src/a.py", "/r", "src/a.py"),
        ("src/a.py", "/r/.haiku/worktrees/l/u", ".haiku/worktrees/l/u/src/a.py"),
        ("/r/src/a.py", "/r/.haiku/worktrees/l/u", "src/a.py"),
        ("/rest/a.py", "/r", ""),
        ("/tmp/x", "/r", ""),
        ("~/x", "/r", ""),
    ],
)
def test_a_path_from_the_top(path: str, root: str, expected: str) -> None:
    assert from_top(path, root, "/r") == expected


def test_without_a_top_there_is_no_inside() -> None:
    assert from_top("a.py", "/r", "") == ""
