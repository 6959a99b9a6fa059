"""Which files a line comes to without their names; real trees are in `tests/test_guard_lines.py`."""

from __future__ import annotations

import pytest

from leeboard.model.lookup import NO_FILES
from leeboard.model.unsaved import UnsavedFile
from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.come_to import come_to, may_come_to_more
from leeboard.shell.reach.disk import Standing
from tests.shell.losses.told_ground import told_ground

FILES = ("/repo/notes.md", "/repo/drafts/one.md")
LISTS = {"/repo/list": ("notes.md",), "/repo/a.tar": ("./notes.md", "drafts/"), "/repo/b.tgz": ("top/drafts/one.md",)}


def reached(line: str) -> set[str]:
    read = shell_effects(line, "/repo")
    if not may_come_to_more(line, read):
        return set()
    files = {path: UnsavedFile(path=path, state="untracked") for path in FILES}
    found = come_to(line, read, told_ground(lists=LISTS), files, Standing("/repo", FILES, NO_FILES))
    return {file for path in found for file in FILES if f"{file}/".startswith(f"{path}/")}


@pytest.mark.parametrize(
    "line",
    [
        "xargs rm < list",
        "tar -xf a.tar",
        "rm *.md",
        "fd -e md -d 1 notes -x rm",
        "truncate -s 0 n*.md",
        "perl -e 'unlink <*.md>'",
        "find . -maxdepth 1 -newer x -name '*.md' -delete",
    ],
)
def test_the_file_is_come_to(line: str) -> None:
    assert reached(line) == {"/repo/notes.md"}


def test_members_go_where_the_line_says() -> None:
    assert reached("tar xf b.tgz --strip-components=1") == {"/repo/drafts/one.md"}
    assert reached("tar xf b.tgz") == set()
    assert reached("tar xf a.tar -C elsewhere") == set()
    assert reached("tar xkf a.tar") == set()


def test_only_names_with_the_right_end_are_meant() -> None:
    line = 'ruby -e \'Dir.children("drafts").each { |f| File.delete(f) if f.end_with?("%s") }\''
    assert reached(line % ".md") == {"/repo/drafts/one.md"}
    assert reached(line % ".log") == set()


@pytest.mark.parametrize("line", ["ls -la", "git status", "python3 -m pytest -q", "cat list | wc -l", "echo a.tar"])
def test_most_lines_are_not_looked_into(line: str) -> None:
    assert not may_come_to_more(line, shell_effects(line, "/repo"))
