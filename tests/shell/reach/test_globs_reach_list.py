"""Files that one program hands to another by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.reach.reach_place import Place

SCHEMA, SETTINGS, TOML = "src/db/schema.sql", ".claude/settings.json", "leeboard.toml"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("find . -name '*.sql' -delete", {SCHEMA}),
        ("find .claude -delete", {SETTINGS}),
        ("find . -type d -name .claude -exec rm -rf {} +", {SETTINGS}),
        ("find . -path './src/*' -exec rm {} \\;", {SCHEMA}),
        ("find . -maxdepth 1 -name '*.toml' -delete", {TOML}),
        ("find . -iname 'LEEBOARD*' | xargs rm", {TOML}),
        ("ls -d .claude | xargs rm -rf", {SETTINGS}),
        ("rm $(echo leeboard.toml)", {TOML}),
        ("git ls-files 'src/*.sql' | xargs rm", {SCHEMA}),
        ("grep -rl users src | xargs sed -i s/users/people/", {SCHEMA}),
    ],
)
def test_what_is_handed_on_is_changed(tmp_path: Path, line: str, changed: set[str]) -> None:
    assert Place(tmp_path).changed(line) == changed


@pytest.mark.parametrize(
    "line",
    [
        "find . -name '*.pyc' -delete",
        "find . -type d -empty -delete",
        "find . -mtime +30 -delete",
        "find . -maxdepth 1 -name '*.sql' -delete",
        "find . -type d -name node_modules -exec rm -rf {} +",
        "find . -name '*.sql' -not -path './src/*' -delete",
        "find . -name '*.sql' -exec grep users {} +",
        "grep -rl nothing src | xargs sed -i s/a/b/",
        "grep -rlE 'a|b' . | xargs sed -i s/a/b/",
        "ls -la .claude",
    ],
)
def test_what_does_not_reach_them_is_fine(tmp_path: Path, line: str) -> None:
    assert Place(tmp_path).changed(line) == set()
