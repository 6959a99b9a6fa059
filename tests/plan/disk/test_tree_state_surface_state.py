from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.tree_state import surface_state

TOP = ".haiku/intents/x"
STAGES = ("shape", "build")


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        (f"{TOP}/knowledge/deep/a.md", True),
        (f"{TOP}/stages/shape/artifacts/a.md", True),
        (f"{TOP}/stages/build/outputs/a.md", True),
        (f"{TOP}/stages/build/discovery/a.md", True),
        (f"{TOP}/stages/other/artifacts/a.md", False),
        (f"{TOP}/stages/build/state.json", False),
        (f"{TOP}/stages/build/reviews/a.md", False),
        (f"{TOP}/intent.md", False),
        (".haiku/intents/y/knowledge/a.md", False),
        ("app.py", False),
    ],
)
def test_tracked_files_of_these_stages_alone_count(tmp_path: Path, path: str, *, counts: bool) -> None:
    folder = PlanFolder(str(tmp_path))
    put(tmp_path, f"{TOP}/intent.md", "x\n")
    before = surface_state(folder, "x", STAGES)
    put(tmp_path, path, "one\n")
    made = surface_state(folder, "x", STAGES)
    put(tmp_path, path, "two\n")
    assert (len({before, made, surface_state(folder, "x", STAGES)}) == 3) is counts
    put(tmp_path, path, "one\n")
    assert surface_state(folder, "x", STAGES) == made


@pytest.mark.parametrize("glob", ["*.log", "knowledge/logs/**"])
def test_what_the_project_ignores_does_not(tmp_path: Path, glob: str) -> None:
    folder = PlanFolder(str(tmp_path))
    put(tmp_path, ".haiku/settings.yml", f"drift_ignore: ['{glob}']\n")
    put(tmp_path, f"{TOP}/knowledge/a.md", "one\n")
    before = surface_state(folder, "x", STAGES)
    put(tmp_path, f"{TOP}/knowledge/logs/a.log", "one\n")
    assert surface_state(folder, "x", STAGES) == before
    put(tmp_path, f"{TOP}/knowledge/a.md", "two\n")
    assert surface_state(folder, "x", STAGES) != before
