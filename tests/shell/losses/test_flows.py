"""Names that flow from the program that lists them to the one that takes them; whole lines are in the guard's tables."""

from __future__ import annotations

import pytest

from leeboard.model.lookup import NO_FILES
from leeboard.model.touch import Started
from leeboard.model.unsaved import UnsavedFile
from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.flows import Listed, filled_in, flowing, narrowed
from leeboard.shell.reach.disk import Standing
from tests.shell.losses.told_ground import told_ground

FILES = {path: UnsavedFile(path=path, state="untracked") for path in ("/repo/notes.md", "/repo/drafts/one.md")}
STANDING = Standing("/repo", tuple(FILES), NO_FILES)


def given_to(program: str, line: str) -> tuple[str, ...]:
    read = shell_effects(line, "/repo")
    assert flowing(read), line
    started = filled_in(read, FILES, told_ground(), STANDING).started
    return next(each.words[1:] for each in reversed(started) if each.words[0] == program)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git ls-files -o | xargs rm", ("/repo/notes.md", "/repo/drafts/one.md")),
        ("git ls-files -o drafts | xargs rm", ("/repo/drafts/one.md",)),
        ("git ls-files -o | grep '^notes' | xargs rm", ("/repo/notes.md",)),
        ("git ls-files -o | grep -v md | xargs rm -f", ("-f",)),
        ("git ls-files -m | xargs rm", ()),
        ("F=$(git ls-files -o drafts); rm $F", ("/repo/drafts/one.md",)),
        ("git ls-files -o | wc -l; rm $F", ("\0",)),
        ("tool | xargs rm", ("\0",)),
        ("tool | xargs rm -r", ("-r", "/repo/notes.md", "/repo/drafts/one.md")),
    ],
)
def test_a_taker_is_given_what_was_listed_before_it(line: str, words: tuple[str, ...]) -> None:
    assert given_to("rm", line) == words


def test_a_line_without_such_names_is_left_alone() -> None:
    assert not flowing(shell_effects("rm notes.md; ls *.md", "/repo"))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (("grep", "^??"), ["?? a.md"]),
        (("grep", "-v", "^??"), [" M b.py"]),
        (("awk", "/\\.py$/ {print $2}"), [" M b.py"]),
        (("awk", '$1=="M"{print $2}'), [" M b.py"]),
        (("sed", "-n", "s/^ M //p"), [" M b.py"]),
        (("head", "-1"), ["?? a.md", " M b.py"]),
        (("grep", "-E", "(a+)+$"), ["?? a.md", " M b.py"]),
    ],
)
def test_a_filter_lets_pass_what_it_says_and_all_where_only_the_run_tells(
    words: tuple[str, ...], left: list[str]
) -> None:
    names = (Listed("?? a.md", "/repo/a.md"), Listed(" M b.py", "/repo/b.py"))
    assert [one.shown for one in narrowed(Started(words=words), words[0], names)] == left
