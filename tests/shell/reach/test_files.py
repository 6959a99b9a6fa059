"""Which files a shell line comes to without naming them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.io.git.tree_files import DiskFiles
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.files import reached
from tests.shell.reach.reach_place import Place

SCHEMA, SETTINGS, TOML = "src/db/schema.sql", ".claude/settings.json", "leeboard.toml"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("rm -rf src", {SCHEMA}),
        ("mv src/db x", {SCHEMA}),
        ("cd src && rm -rf db", {SCHEMA}),
        ("rm -rf $(pwd)", {SCHEMA, SETTINGS, TOML}),
        ("for f in .claude/*.json; do rm $f; done", {SETTINGS}),
        ("find . -name '*.sql' | while read -r f; do : > \"$f\"; done", {SCHEMA}),
        ('f() { rm -rf "$1"; }; f .claude', {SETTINGS}),
        ("ln -s src/db/schema.sql s; echo x > s", {SCHEMA}),
        ("ln -s ../src/db lib/d && echo x > lib/d/schema.sql", {SCHEMA}),
        ('rm "$(git rev-parse --show-toplevel)/leeboard.toml"', {TOML}),
        ("git apply a.patch", {TOML}),
        ("echo 'rm leeboard.toml' | sh", {TOML}),
        ("rm ~/.claude/*", {"~/.claude/settings.json"}),
    ],
)
def test_a_line_comes_to_them(place: Place, line: str, changed: set[str]) -> None:
    assert place.changed(line) == changed


@pytest.mark.parametrize(
    "line",
    [
        "cat .claude/*.json",
        "rm -rf node_modules dist",
        "rm -rf *.pyc",
        "cd build && rm -rf ./*",
        "for f in src/db/*.sql; do wc -l $f; done",
        "cp -r src /tmp/backup",
        "find . -name '*.pyc' | xargs rm",
        "ln -s src/db/schema.sql s; cat s",
        "git commit -m 'rm -rf .claude/*'",
    ],
)
def test_other_lines_do_not(place: Place, line: str) -> None:
    assert place.changed(line) == set()


@given(st.text(alphabet="rm fin*?[]{}$()`'\"\\|;&<>./-\n#=", max_size=80))
def test_no_text_makes_it_fail(text: str) -> None:
    reached(f"rm {text}", "/r", Standing("/r", ("/r/a", "/r/b/c"), DiskFiles("")))
