from __future__ import annotations

from leeboard.contracts.hardening.find import Moves
from leeboard.testing.scenario import compared


def _fresh(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    change = compared(before, after)
    moves = Moves(change)
    return {file.path: list(moves.fresh(file).values()) for file in change.files}


def test_added_lines_are_fresh_and_blank_ones_are_not() -> None:
    assert _fresh({"a": "x\n"}, {"a": "x\n\ny\n"}) == {"a": ["y"]}


def test_a_line_moved_to_another_file_is_not() -> None:
    assert _fresh({"a": "x\ny\n"}, {"a": "x\n", "b": "    y\n"}) == {"a": [], "b": []}


def test_each_is_found_again_once() -> None:
    assert _fresh({"a": "y\n"}, {"b": "y\ny\n"}) == {"a": [], "b": ["y"]}
