from __future__ import annotations

import pytest

from leeboard.analysis.patch import health_of
from leeboard.model.touch import Diff, Health


def diff(path: str, after: str, *, removed: str = "", before: str | None = None) -> tuple[Diff, ...]:
    return (Diff(path=path, after=after, before=before, added=((1, after.count("\n") + 1),), removed=removed),)


@pytest.mark.parametrize(
    ("path", "text", "functions", "decisions"),
    [
        ("a.py", "def f(x):\n    if x and y:\n        return 1", 1, 2),
        ("a.ts", "function f(x) {\n  return x && y ? 1 : 2\n}", 1, 2),
        ("a.go", "func F(x int) {\n\tfor i := range x {\n\t}\n}", 1, 1),
        ("a.py", "# if this, for that\nx = 1", 0, 0),
    ],
)
def test_what_is_added_counts(path: str, text: str, functions: int, decisions: int) -> None:
    found = health_of(diff(path, text))
    assert (found.functions, found.decisions) == (functions, decisions)


def test_what_is_removed_counts_against_it() -> None:
    found = health_of(diff("a.py", "x = 1", removed="def f():\n    if y:\n        pass"))
    assert found == Health(lines=-2, functions=-1, decisions=-1)


def test_tests_are_counted_as_tests_alone() -> None:
    text = "def test_a():\n    if x:\n        assert y\n\n\ndef test_b():\n    assert z"
    assert health_of(diff("tests/test_a.py", text, before="")) == Health(lines=7, tests=2, files=1)
    assert health_of(diff("src/a.test.ts", "it('works', () => {})\ntest('too', () => {})")).tests == 2


def test_prose_data_and_shell_lines_count_nothing() -> None:
    assert health_of((*diff("README.md", "if you want"), *diff("", "if true; then echo; fi"))) == Health()


def test_deltas_add_up() -> None:
    one, other = Health(lines=3, decisions=1), Health(lines=-1, tests=2)
    assert one.plus(other) == Health(lines=2, decisions=1, tests=2)
