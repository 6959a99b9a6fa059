"""The same file changed again and again: the edges."""

from __future__ import annotations

import pytest

from leeboard.testing.scenario import play

FORTH, BACK = "edit {} | x = 1 => x = 2", "edit {} | x = 2 => x = 1"


def lines_about(path: str, *edits: str) -> tuple[str, ...]:
    return tuple(edit.format(path) for edit in edits)


def evidence(*lines: str) -> list[str]:
    return [line for line in play(("@ fix a.py and b.py", *lines)).proposed()[-1].trace if line.startswith("circling ")]


def score(*lines: str) -> int:
    return play(("@ fix a.py and b.py", *lines)).proposed()[-1].score


def test_the_third_change_is_evidence_and_two_are_not() -> None:
    """AD-32: plain iteration costs nothing, but it is on record."""
    steps = ("edit a.py | x = 1 => x = 2", "edit a.py | y = 1 => y = 2", "edit a.py | z = 1 => z = 2")
    assert evidence(*steps[:2]) == []
    assert evidence(*steps) == ["circling +0: a.py is being changed for the 3rd time"]
    assert score(*steps) == 10


def test_one_file_in_circles_is_a_nudge() -> None:
    """Proven circling is spoken of by itself: three points."""
    assert score(*lines_about("a.py", FORTH, BACK, FORTH)) == 7


def test_two_files_in_circles_cost_more() -> None:
    both = "$ sed -i s/1/2/ a.py b.py"
    failing = "$! pytest -> E assert 1 == 2"
    assert score(both, failing, both, failing, both, failing, both) == 6


def test_the_same_edit_a_third_time() -> None:
    assert "the same edit again" in evidence(*lines_about("a.py", FORTH, FORTH, FORTH))[0]


def test_spacing_does_not_make_another_edit() -> None:
    steps = ("edit a.py | x = 1 => x = 2", "edit a.py | x =  1 => x  = 2", "edit a.py | x = 1 => x = 2")
    assert "the same edit again" in evidence(*steps)[0]


def test_failures_that_differ_in_numbers_alone_are_the_same() -> None:
    steps = []
    for number in range(3):
        steps += [
            f"edit a.py | v = {number} => v = {number}{number}",
            f"$! pytest -> E took {number}.5s at 0x{number}f: boom",
        ]
    assert "the same failure after each change" in evidence(*steps, "edit a.py | v = 9 => v = 99")[0]


def test_a_success_in_between_ends_the_circle() -> None:
    failing, passing = "$! pytest -> E boom", "$ pytest -> 3 passed"
    steps = [
        "edit a.py | v = 0 => v = 1",
        failing,
        "edit a.py | v = 1 => v = 2",
        passing,
        "edit a.py | v = 2 => v = 3",
        failing,
    ]
    assert evidence(*steps, "edit a.py | v = 3 => v = 4") == ["circling +0: a.py is being changed for the 4th time"]


def test_a_denied_or_failed_edit_is_no_change() -> None:
    steps = ("edit a.py | x = 1 => x = 2", "$! sed -i s/x/y/ a.py -> no", "edit a.py | x = 2 => x = 3")
    assert evidence(*steps) == []


def test_another_file_is_another_circle() -> None:
    assert evidence(*lines_about("a.py", FORTH, BACK), *lines_about("b.py", FORTH)) == []


def test_it_gets_louder_when_it_is_ignored() -> None:
    flip, flop = "edit a.py | x = 1 => x = 2", "edit a.py | x = 2 => x = 1"
    played = play(("@ fix a.py", *((flip, flop) * 4)))
    levels = [verdict.level for verdict in played.spoken()]
    assert levels[:2] == ["nudge", "correct"]


def test_searches_without_a_match_are_no_failure_again() -> None:
    lines = ("edit a.py | 1 => 2", "$! grep x a -> Exit code 1", "edit a.py | 2 => 3", "$! grep y b -> Exit code 1")
    played = play(("@ fix a.py", *lines, "edit a.py | 3 => 4", "$! diff p q -> Exit code 1", "edit a.py | 4 => 5"))
    assert played.proposed()[-1].score == 10


FORTH_AND_BACK = lines_about("a.py", FORTH, BACK)
KEPT = {
    "the user spoke in between": (*FORTH_AND_BACK, "@ after all it has to be two", *lines_about("a.py", FORTH)),
    "the user spoke before it was taken back": (
        FORTH.format("a.py"),
        "@ two commits please",
        *lines_about("a.py", BACK, FORTH),
    ),
    "taken back for a commit of its own": (*FORTH_AND_BACK, "$ git commit -m one", *lines_about("a.py", FORTH)),
    "put aside": (*FORTH_AND_BACK, "$ git stash", *lines_about("a.py", FORTH)),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_request_or_a_commit_ends_the_circle(name: str) -> None:
    assert evidence(*KEPT[name]) == ["circling +0: a.py is being changed for the 3rd time"]


def test_a_commit_that_failed_kept_nothing() -> None:
    assert score(*FORTH_AND_BACK, "$! git commit -m one -> nothing to commit", *lines_about("a.py", FORTH)) == 7


def test_round_again_after_the_rest_is_a_circle() -> None:
    assert score(*FORTH_AND_BACK, "@ go on", *lines_about("a.py", FORTH, BACK, FORTH)) == 7


def test_the_same_failure_is_one_whoever_spoke_in_between() -> None:
    steps: list[str] = []
    for number in range(3):
        steps += [f"edit a.py | v = {number} => v = {number}{number}", "$! pytest -> E boom", "@ it still fails"]
    assert "the same failure after each change" in evidence(*steps, "edit a.py | v = 9 => v = 99")[0]


IMPORTS = (
    ("a.py", "import os", "import os\nimport sys"),
    ("a.py", "import os", "import os\nfrom text.slug import slugify"),
    ("a.ts", 'import a from "./a";', 'import a from "./a";\nimport { b } from "./b";'),
    ("a.ts", 'import a from "./a";', 'export { slugify } from "./slug";'),
    ("a.js", 'const a = require("./a");', 'const slug = require("./slug");'),
    ("a.go", '\t"os"\n)', '\t"os"\n\t"example.org/shop/text"\n)'),
    ("a.go", '\t"os"\n)', '\t"os"\n\tplain "example.org/shop/text"\n)'),
    ("a.rs", "use std::fmt;", "use std::fmt;\nuse std::io;"),
    ("a.c", "#include <stdio.h>", "#include <stdio.h>\n#include <string.h>"),
)
NO_IMPORTS = (
    ("a.py", "important = 1", "important = 2"),
    ("a.py", "import os", "import os\nos.umask(0)"),
    ("a.json", '[\n"a"\n]', '[\n"a",\n"b"\n]'),
    ("a.go", 'name = "old"', 'name = "new"'),
)


def there_and_back(path: str, one: str, other: str) -> int:
    forth, back = f"edit {path} | {one} => {other}", f"edit {path} | {other} => {one}"
    return play((f"@ fix {path}", forth, back, forth)).proposed()[-1].score


@pytest.mark.parametrize(("path", "one", "other"), IMPORTS)
def test_imports_come_and_go(path: str, one: str, other: str) -> None:
    assert there_and_back(path, one, other) == 10


@pytest.mark.parametrize(("path", "one", "other"), NO_IMPORTS)
def test_what_only_looks_like_an_import_goes_round(path: str, one: str, other: str) -> None:
    assert there_and_back(path, one, other) == 7
