"""Programs that change what they do not name one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.reach.reach_place import Place

SCHEMA, SETTINGS, TOML = "src/db/schema.sql", ".claude/settings.json", "leeboard.toml"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("cp -r other/. src/", {SCHEMA}),
        ("cp -rT other src", {SCHEMA}),
        ("cp -r other/db src", {SCHEMA}),
        ("cp loose/settings.json .claude", {SETTINGS}),
        ("mv loose/settings.json .claude", {SETTINGS}),
        ("rsync -a other/ src/", {SCHEMA}),
        ("rsync -a --delete empty/ .claude/", {SETTINGS}),
        ("chmod 000 leeboard.toml", {TOML}),
        ("chmod -R a-r .claude", {SETTINGS}),
        ("ed -s leeboard.toml <<< $'1d\\nw'", {TOML}),
        ("vim -es -c '%d' -c wq leeboard.toml", {TOML}),
        ("tar xf x.tar .claude/settings.json", {SETTINGS}),
        ("tar cf x.tar --remove-files .claude", {SETTINGS}),
        ("unzip -o x.zip leeboard.toml", {TOML}),
        ("git checkout other -- src/db", {SCHEMA}),
        ("git checkout other src/db/schema.sql", {SCHEMA}),
        ("git restore -s other -- leeboard.toml", {TOML}),
        ("git rm -q 'lee*.toml'", {TOML}),
        ("sqlfluff fix src/db/schema.sql", {SCHEMA}),
        ("prettier --write 'src/**/*.sql'", {SCHEMA}),
    ],
)
def test_they_are_changed(tmp_path: Path, line: str, changed: set[str]) -> None:
    assert Place(tmp_path).changed(line) == changed


@pytest.mark.parametrize(
    "line",
    [
        "cp -r loose src",
        "cp -r .claude /tmp/backup",
        "rsync -an --delete empty/ .claude/",
        "chmod 644 leeboard.toml",
        "chmod -R u+rwX .",
        "ed -s leeboard.toml <<< '1,5p'",
        "vim -R leeboard.toml",
        "tar tf x.tar .claude/settings.json",
        "tar cf /tmp/x.tar .claude",
        "unzip -l x.zip leeboard.toml",
        "git checkout -- src/db/schema.sql",
        "git checkout HEAD -- src",
        "git restore src/db/schema.sql",
        "git restore --staged --source=other src",
        "git clean -fdxn",
        "git clean -fd",
        "git checkout -b src",
        "sqlfluff lint src/db/schema.sql",
    ],
)
def test_they_are_left_alone(tmp_path: Path, line: str) -> None:
    assert Place(tmp_path).changed(line) == set()


def test_what_git_ignores_goes_with_a_thorough_cleaning(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert SETTINGS in place.changed("git clean -fdx"), "nobody can ask git here"
    assert SETTINGS not in place.changed("git clean -fdx -e .claude")
    assert place.changed("git clean -fdx build") == set()
    assert SETTINGS in place.changed("git stash --all")
