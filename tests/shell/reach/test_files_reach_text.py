"""Files that the code of another language changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.reach.reach_place import Place

SCHEMA, SETTINGS, TOML = "src/db/schema.sql", ".claude/settings.json", "leeboard.toml"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("node -e \"require('fs').unlinkSync('leeboard.toml')\"", {TOML}),
        ("node -e \"const p='src/db/schema.sql'; require('fs').appendFileSync(p, 'x')\"", {SCHEMA}),
        ("node -e \"require('fs').rmSync('.claude', {recursive: true})\"", {SETTINGS}),
        ("ruby -e \"File.delete('leeboard.toml')\"", {TOML}),
        ("perl -e 'unlink \"leeboard.toml\"'", {TOML}),
        ("perl -e 'open F, \">>src/db/schema.sql\"; print F 1'", {SCHEMA}),
        ("awk 'BEGIN { system(\"rm leeboard.toml\") }'", {TOML}),
        ("sed -n 'w leeboard.toml' x", {TOML}),
    ],
)
def test_they_are_changed(tmp_path: Path, line: str, changed: set[str]) -> None:
    assert Place(tmp_path).changed(line) == changed


@pytest.mark.parametrize(
    "line",
    [
        "node -e \"console.log(require('fs').readFileSync('leeboard.toml', 'utf8'))\"",
        "node -e \"const fs=require('fs'); fs.writeFileSync('x.ts', fs.readFileSync('src/db/schema.sql'))\"",
        "ruby -e \"puts File.read('leeboard.toml')\"",
        "perl -ne 'print' src/db/schema.sql",
        "awk '{ print > \"x\" }' leeboard.toml",
    ],
)
def test_reading_them_is_fine(tmp_path: Path, line: str) -> None:
    assert Place(tmp_path).changed(line) == set()
