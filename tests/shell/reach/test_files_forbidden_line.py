"""What a shell line comes to of files that the user ruled out."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.tree_files import DiskFiles
from leeboard.model.workspace import Workspace
from leeboard.shell.reach.files import come_to


@pytest.mark.parametrize(
    ("line", "patterns", "path"),
    [
        ("rm -rf src", ("**/src/db/schema.sql",), "src/db/schema.sql"),
        ("rm -rf src", ("**/src/db/**",), "src/db"),
        ("sed -i s/a/b/ src/db/*.sql", ("**/src/db/**",), "src/db/x.sql"),
    ],
)
def test_it_is_come_to(tmp_path: Path, line: str, patterns: tuple[str, ...], path: str) -> None:
    (tmp_path / "src/db").mkdir(parents=True)
    (tmp_path / "src/db/schema.sql").write_text("x", encoding="utf-8")
    root = str(tmp_path)
    assert f"{root}/{path}" in come_to(line, root, patterns, Workspace(root), DiskFiles(root))


def test_what_is_not_there_is_not_come_to(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert come_to("rm -rf src", root, ("**/src/db/schema.sql",), Workspace(root), DiskFiles(root)) == ()
    assert come_to("rm -rf src", root, ("**/*.sql",), Workspace(root), DiskFiles(root)) == ()
