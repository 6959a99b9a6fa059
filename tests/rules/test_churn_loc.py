from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import FileChange, TreeChange
from tests.tree_rules import ROOT, changed, found, held, tree_event


def severities(lines: int, limit: int | None, mode: Mode = "core") -> list[str]:
    event = tree_event(changed("src/a.py", added=lines))
    return [one.severity for one in found("churn_loc", held(Contract(max_loc=limit, mode=mode)), event, {}, {})]


@pytest.mark.parametrize(
    ("lines", "limit", "expected"),
    [(800, 800, []), (801, 800, ["warn"]), (1599, 800, ["warn"]), (1600, 800, ["error"]), (9999, None, [])],
)
def test_strictly_above_the_limit(lines: int, limit: int | None, expected: list[str]) -> None:
    """SP-17."""
    assert severities(lines, limit) == expected


@pytest.mark.parametrize(("mode", "expected"), [("harden", ["warn"]), ("perf", ["warn"]), ("explore", [])])
def test_modes(mode: Mode, expected: list[str]) -> None:
    assert severities(3, 2, mode) == expected


def test_added_and_deleted_count_and_generated_lines_do_not() -> None:
    files = (
        FileChange(path="a.py", kind="modified", added=2, deleted=2),
        FileChange(path="yarn.lock", kind="modified", added=500, generated=True),
    )
    event = tree_event(TreeChange(root=ROOT, files=files))
    assert [one.message for one in found("churn_loc", held(Contract(max_loc=3)), event, {}, {})] == [
        "4 lines changed, 3 planned."
    ]
