from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from tests.tree_rules import changed, found, held, tree_event


def severities(files: int, limit: int | None, mode: Mode = "core") -> list[str]:
    event = tree_event(changed(*(f"src/{number}.py" for number in range(files))))
    return [one.severity for one in found("churn_files", held(Contract(max_files=limit, mode=mode)), event, {}, {})]


@pytest.mark.parametrize(
    ("files", "limit", "expected"),
    [(25, 25, []), (26, 25, ["warn"]), (49, 25, ["warn"]), (50, 25, ["error"]), (99, None, []), (0, 0, [])],
)
def test_strictly_above_the_limit(files: int, limit: int | None, expected: list[str]) -> None:
    """SP-16."""
    assert severities(files, limit) == expected


@pytest.mark.parametrize(("mode", "expected"), [("harden", ["warn"]), ("perf", ["warn"]), ("explore", [])])
def test_modes(mode: Mode, expected: list[str]) -> None:
    assert severities(3, 2, mode) == expected


def test_without_a_contract_there_is_no_limit() -> None:
    assert not found("churn_files", None, tree_event(changed("a", "b")), {}, {})
