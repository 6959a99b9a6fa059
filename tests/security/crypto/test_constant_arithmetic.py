from __future__ import annotations

import pytest

from leeboard.security.crypto.constant import calculated
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("1 << 14", 16384),
        ("2 ** 14", 16384),
        ("7 * 6", 42),
        ("9 // 2", 4),
        ("9 % 0", None),
        ("3 - 5", -2),
        ("1 << 4000", None),
        ("2 & 1", None),
    ],
)
def test_operations(code: str, value: int | None) -> None:
    tree = parse(f"x = {code}", "python")
    assert tree is not None
    node = tree.root.find(kind="binary_operator")
    assert node is not None
    assert calculated(node, lambda side: int(side.text())) == value


def test_an_unknown_side_is_unknown() -> None:
    tree = parse("x = a + 1", "python")
    assert tree is not None
    node = tree.root.find(kind="binary_operator")
    assert node is not None
    assert calculated(node, lambda _side: None) is None
