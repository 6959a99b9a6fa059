from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.plan.disk import layout
from tests.git_repository import GitRepository


def test_the_plan_lies_in_the_primary_work_tree_whichever_asks(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    (tmp_path / "other" / "deep").mkdir()
    assert layout.home_of(repository.root) == repository.root
    assert layout.home_of(str(tmp_path / "other")) == repository.root
    assert layout.home_of(str(tmp_path / "other" / "deep")) == repository.root


def test_without_a_primary_tree_the_asking_one_is_it(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    repository.run(f"--git-dir={tmp_path}/bare.git", "worktree", "add", "-q", str(tmp_path / "linked"), "main")
    assert layout.home_of(str(tmp_path / "linked")) == str(tmp_path / "linked")


def test_a_folder_without_git_is_its_own(tmp_path: Path) -> None:
    assert layout.home_of(str(tmp_path)) == str(tmp_path)
    assert layout.place_of(str(tmp_path)) is None


def test_git_of_a_work_tree_is_found(repository: GitRepository) -> None:
    place = layout.place_of(repository.root)
    assert place is not None
    assert place.root == repository.root


@pytest.mark.parametrize(
    ("branch", "slug"),
    [("haiku/x/main", "x"), ("haiku/x/unit-01-a", "x"), ("main", ""), ("haiku/x", ""), ("a/haiku/x/main", "")],
)
def test_a_branch_names_its_intent(branch: str, slug: str) -> None:
    assert layout.slug_of_branch(branch) == slug


@pytest.mark.parametrize(
    ("path", "engine"),
    [
        (".haiku/intents/x/intent.md", True),
        (".haiku/intents/x/feedback/01-a.md", True),
        (".haiku/intents/x/stages/build/state.json", True),
        (".haiku/intents/x/stages/build/units/unit-01-a.md", True),
        (".haiku/intents/x/stages/build/rulings.jsonl", True),
        (".haiku/intents/x/stages/build/artifacts/a.md", False),
        (".haiku/intents/x/stages/build/knowledge/deep/a.md", False),
        (".haiku/intents/x/knowledge/a.md", False),
        (".haiku/intents/x/knowledge/ANSWERS.md", True),
        (".haiku/intents/x/features/a.feature", False),
        (".haiku/intents/y/intent.md", False),
        ("src/state.json", False),
    ],
)
def test_what_is_the_plans_own_record(path: str, *, engine: bool) -> None:
    assert layout.is_engine_file(path, "x") is engine


def test_paths() -> None:
    assert layout.unit_file("x", "build", "unit-01-a") == "intents/x/stages/build/units/unit-01-a.md"
    assert layout.feedback_folder("x", "") == "intents/x/feedback"
    assert layout.feedback_folder("x", "build") == "intents/x/stages/build/feedback"
    assert layout.hub("x") == "haiku/x/main"
    assert layout.unit_branch("x", "unit-01-a") == "haiku/x/unit-01-a"
    assert layout.worktree("/p", "x", "u") == "/p/.haiku/worktrees/x/u"


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        (".haiku/settings.yml", True),
        (".haiku/Settings.YML", True),
        (".haiku/studios/small/STUDIO.md", True),
        (".haiku/studios", True),
        (".haiku/studios.md", False),
        (".haiku/intents/x/settings.yml", False),
        ("settings.yml", False),
    ],
)
def test_what_says_how_the_workflow_goes(path: str, *, policy: bool) -> None:
    assert layout.is_policy(path) is policy
