from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.model.plan import StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit
from leeboard.plan.disk.evidence import _apart, stage_work
from leeboard.plan.disk.folder import PlanFolder
from tests.git_repository import GitRepository

TOP = ".haiku/intents/x"
UNIT = Unit(id="unit-01-a", stage="build", outputs=("made/", "made/a.txt", "gone.txt", "../outside.txt"))
VIEW = StageView(spec=StageSpec(name="build"), state=StageState(stage="build"), units=(UNIT,))


def put(root: Path, path: str, text: str = "one\n") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def named(root: Path, *, git: bool) -> str:
    return stage_work(PlanFolder(str(root)), "x", VIEW, git=git)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    root = tmp_path / "plain"
    for path in ("made/a.txt", "other.txt", f"{TOP}/intent.md", f"{TOP}/stages/build/artifacts/a.md"):
        put(root, path)
    return root


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("made/a.txt", True),
        ("made/deep/b.txt", True),
        ("gone.txt", True),
        ("other.txt", False),
        ("../outside.txt", False),
        (f"{TOP}/intent.md", False),
        (f"{TOP}/stages/build/state.json", False),
        (f"{TOP}/stages/build/artifacts/a.md", True),
        (f"{TOP}/stages/build/outputs/b.md", True),
        (f"{TOP}/stages/build/knowledge/b.md", True),
        (f"{TOP}/stages/build/discovery/b.md", True),
        (f"{TOP}/knowledge/b.md", True),
        (f"{TOP}/stages/other/artifacts/b.md", False),
        (f"{TOP}/stages/build/artifacts/.DS_Store", False),
    ],
)
def test_what_a_stage_brought_forth_without_git(plain: Path, path: str, *, counts: bool) -> None:
    before = named(plain, git=False)
    assert named(plain, git=False) == before
    put(plain, path, "two\n")
    assert (named(plain, git=False) != before) is counts


@pytest.mark.parametrize(("glob", "counts"), [("*.log", False), ("stages/*/artifacts/run/**", False), ("*.txt", True)])
def test_what_the_project_ignores_is_no_part_of_it(plain: Path, glob: str, *, counts: bool) -> None:
    put(plain, ".haiku/settings.yml", f"drift_ignore: ['{glob}']\n")
    before = named(plain, git=False)
    put(plain, f"{TOP}/stages/build/artifacts/run/a.log", "two\n")
    assert (named(plain, git=False) != before) is counts


def test_with_git_it_is_what_git_keeps_and_the_tracked_files(repository: GitRepository) -> None:
    root = Path(repository.root)
    before = named(root, git=True)
    changes: list[Callable[[], None]] = [
        lambda: put(root, "app.py", "second = 2\n"),
        lambda: put(root, f"{TOP}/stages/build/artifacts/a.md"),
    ]
    for change in changes:
        change()
        assert named(root, git=True) != before
        before = named(root, git=True)
    put(root, f"{TOP}/stages/build/rulings.jsonl")
    assert named(root, git=True) == before


def test_none_lies_within_another() -> None:
    assert _apart(["b/c", "b/", "/etc", "", ".", "./a", ".haiku/x", "a\0", "..", "bc"]) == ("a", "b", "bc")
