"""A small real work tree whose files must not be changed by a line."""

from __future__ import annotations

from pathlib import Path

from leeboard.io.git.tree_files import DiskFiles
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.files import covered, reached
from leeboard.shell.understand import understand

FILES = {
    ".claude/settings.json": '{"hooks": {}}',
    "leeboard.toml": 'profile = "enforce"\n',
    "src/db/schema.sql": "CREATE TABLE users;\n",
}
OTHERS = {
    "loose/settings.json": "{}",
    "other/db/schema.sql": "x",
    "a.patch": "--- a/leeboard.toml\n+++ b/leeboard.toml\n",
}


class Place:
    def __init__(self, root: Path) -> None:
        self.root = str(root)
        for path, text in (FILES | OTHERS).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        whole = tuple(f"{self.root}/{path}" for path in FILES)
        self.standing = Standing(self.root, (*whole, "~/.claude/settings.json"), DiskFiles(self.root))

    def changed(self, line: str) -> set[str]:
        """Which of the files the line comes to, named or not."""
        named = understand(line, self.root).touches
        more = reached(line, self.root, self.standing)
        touched = {touch.path for touch in (*named, *more) if touch.kind in {"write", "delete"}}
        found = (touched | set(covered((*named, *more), self.standing))) & set(self.standing.files)
        return {path.removeprefix(f"{self.root}/") for path in found}
