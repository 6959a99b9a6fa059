"""Which deletions of a line nobody names, as patterns of where they happen."""

from __future__ import annotations

import pytest

from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.unnamed import unnamed_deletions


def told(command: str) -> tuple[str, ...]:
    return unnamed_deletions(command, shell_effects(command, "/repo"), "/repo")


@pytest.mark.parametrize(
    ("command", "pattern"),
    [
        ("rm -f lib/old/*.py", "/repo/lib/old/*.py"),
        ("cd lib && rm -rf *", "/repo/lib/*"),
        ("find lib/old -name '*.py' -delete", "/repo/lib/old/*.py"),
        ("find lib/old | grep -v keep | xargs rm", "/repo/lib/old/*"),
        ("grep -l x other/place; find lib/old -type f | xargs rm", "/repo/lib/old/*"),
        ("grep -rl dead lib/old | xargs rm", "/repo/lib/old"),
        ("rm `ls lib/old/*.py`", "/repo/lib/old/*.py"),
        ("ruby -e 'File.delete(\"lib/old.rb\")'", "/repo/lib/old.rb"),
        ("python3 -c \"import os, glob; [os.remove(f) for f in glob.glob('lib/*.py')]\"", "/repo/lib/*.py"),
    ],
)
def test_where_files_go_that_no_word_names(command: str, pattern: str) -> None:
    assert told(command) == (pattern,)


@pytest.mark.parametrize(
    "command",
    [
        "rm lib/old.py",
        "ls lib/old/*.py | xargs wc -l",
        'out=$(mktemp); grep -r x lib/old > $out; rm "$out"',
        'for d in lib/*; do echo $d; done; rm "$other"',
        "git branch --merged | xargs git branch -d",
        "docker rm old-*",
        "rm -rf $SOMEWHERE/*",
        "cat names.txt | xargs rm",
    ],
)
def test_what_is_named_or_unknown_is_no_pattern(command: str) -> None:
    assert told(command) == ()
