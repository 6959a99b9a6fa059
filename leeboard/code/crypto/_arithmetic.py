"""Integers that an expression of constants comes to: `1 << 14`, `2 ** 14`, `7 * 42 - 86 > 200`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_LARGEST = 1 << 40
_MOST_SHIFTED = 40
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    "===": operator.eq,
    "!==": operator.ne,
}


def calculated(node: SgNode, number: Callable[[SgNode], int | None]) -> int | None:
    """The value of an operation on two numbers; None where one of them is not known."""
    children = node.children()
    sides = [child for child in children if child.is_named()]
    signs = [child.text() for child in children if not child.is_named()]
    if len(sides) != 2 or len(signs) != 1:
        return None
    left = number(sides[0])
    right = number(sides[1]) if left is not None else None
    return _result(signs[0], left, right) if left is not None and right is not None else None


def _result(sign: str, left: int, right: int) -> int | None:
    if abs(left) > _LARGEST or abs(right) > _LARGEST:
        return None
    if sign in _OPERATIONS:
        return int(_OPERATIONS[sign](left, right))
    if sign in {"/", "//", "%"}:
        return None if right == 0 else (left % right if sign == "%" else left // right)
    if sign not in {"<<", "**"} or not 0 <= right <= _MOST_SHIFTED:
        return None
    return left << right if sign == "<<" else min(left**right, _LARGEST)
