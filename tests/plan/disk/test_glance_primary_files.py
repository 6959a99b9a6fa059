from __future__ import annotations

from pathlib import Path

from leeboard.plan.disk.glance import PrimaryFiles


def test_beside_its_own_tree_only_the_plan_is_read(tmp_path: Path) -> None:
    tree = tmp_path / ".haiku/worktrees/login/unit-01-x"
    for path, text in ((tree / "a.py", "own"), (tmp_path / "a.py", "primary"), (tmp_path / ".haiku/settings.yml", "x")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    plan = tmp_path / ".haiku/intents/login/intent.md"
    plan.parent.mkdir(parents=True)
    plan.write_text("plan")
    files = PrimaryFiles(str(tree), str(tmp_path))
    assert files.text("a.py") == "own"
    assert files.text(str(plan)) == "plan"
    assert files.exists(str(plan))
    assert files.exists(str(plan.with_name("none.md"))) is False
    assert files.text(str(tmp_path / "a.py")) is None
    assert files.text(str(tmp_path / ".haiku/settings.yml")) is None


def test_git_is_asked_for_the_tree_a_file_lies_in(tmp_path: Path) -> None:
    files = PrimaryFiles(str(tmp_path), str(tmp_path))
    assert files.ignored("a.py") is None
