"""Lines that take the guard away."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.tree_files import DiskFiles
from leeboard.shell.reach.files import AT_HOME, ends_guard, standing_guard, taken_away
from leeboard.shell.understand import understand


@pytest.mark.parametrize(
    "line",
    [
        "pip uninstall -y leeboard",
        "python3 -m pip uninstall leeboard",
        "uv tool uninstall leeboard",
        "pkill -f leeboard",
        "kill $(pgrep -f leeboard)",
        'rm "$(which leeboard)"',
        "claude config set hooks '{}'",
        "echo 'export LEEBOARD_OFF=1' >> ~/.bashrc",
        "echo 'export LEEBOARD_RUNTIME_DIR=/tmp/mine' >> ~/.profile",
    ],
)
def test_its_programs_are_taken_away(line: str) -> None:
    assert ends_guard(understand(line, "/r"), line)


@pytest.mark.parametrize(
    "line",
    [
        "pip show leeboard",
        "pip uninstall -y flask",
        "pkill -f 'flask run'",
        "ps aux | grep leeboard; kill 123",
        "claude config list",
        "echo 'export X=1' >> ~/.bashrc",
        "grep -rn LEEBOARD_OFF docs > /tmp/x",
    ],
)
def test_its_neighbours_are_not(line: str) -> None:
    assert not ends_guard(understand(line, "/r"), line)


def test_only_files_that_are_there_stand(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert standing_guard(root, DiskFiles(root)).files == AT_HOME
    (tmp_path / "leeboard.toml").write_text("", encoding="utf-8")
    standing = standing_guard(root, DiskFiles(root))
    assert standing.files == (f"{root}/leeboard.toml", *AT_HOME)
    line = "rm *.toml"
    found = taken_away(line, root, understand(line, root).touches, standing)
    assert f"{root}/leeboard.toml" in {touch.path for touch in found}
