"""Computing with constants, so that branches that can not be taken are not."""

from __future__ import annotations

import operator
from collections.abc import Callable

from leeboard.security.taint.values import LONGEST, MISSING, Known, Missing

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HUGE = 10**12
_NUMBERS = (int, float)
_METHODS: dict[str, Callable[[str], str | int | bool]] = {
    "lower": str.lower, "upper": str.upper, "strip": str.strip, "lstrip": str.lstrip, "rstrip": str.rstrip,
    "title": str.title, "capitalize": str.capitalize, "isdigit": str.isdigit, "isalpha": str.isalpha,
    "isalnum": str.isalnum, "casefold": str.casefold, "swapcase": str.swapcase, "trim": str.strip,
    "toLowerCase": str.lower, "toUpperCase": str.upper, "toString": str, "length": len,
    "isEmpty": lambda text: not text,
}  # fmt: skip


def arithmetic(op: str, left: Known, right: Known) -> Known:
    """The result for two numbers or two texts; MISSING where it is not known, or too large to matter."""
    if isinstance(left, str) and isinstance(right, str) and op == "+":
        return (left + right)[:LONGEST]
    if not isinstance(left, _NUMBERS) or not isinstance(right, _NUMBERS):
        return MISSING
    compute = _ARITHMETIC.get(op)
    if compute is None or abs(left) > _HUGE or abs(right) > _HUGE:
        return MISSING
    try:
        return compute(left, right)
    except ArithmeticError:
        return MISSING


def comparison(op: str, left: Known, right: Known) -> Known:
    if isinstance(left, Missing) or isinstance(right, Missing):
        return MISSING
    if op in {"==", "===", "is"}:
        return left == right
    if op in {"!=", "!==", "is not", "<>"}:
        return left != right
    if op in {"in", "not in"} and isinstance(left, str) and isinstance(right, str):
        return (left in right) == (op == "in")
    order = _ORDER.get(op)
    if order is None or not isinstance(left, _NUMBERS) or not isinstance(right, _NUMBERS):
        return MISSING
    return order(left, right)


def method(name: str, text: Known, args: tuple[Known, ...]) -> Known:
    """A method of a constant text."""
    if not isinstance(text, str):
        return MISSING
    if not args and name in _METHODS:
        return _METHODS[name](text)
    if len(args) == 1 and isinstance(args[0], str) and name in {"startswith", "startsWith"}:
        return text.startswith(args[0])
    if len(args) == 1 and isinstance(args[0], str) and name in {"endswith", "endsWith"}:
        return text.endswith(args[0])
    if len(args) == 1 and isinstance(args[0], int) and name in {"charAt", "charCodeAt"}:
        return text[args[0] : args[0] + 1] if args[0] >= 0 else MISSING
    return MISSING


def item(text: Known, key: Known) -> Known:
    """One character of a constant text."""
    if isinstance(text, str) and isinstance(key, int) and -len(text) <= key < len(text):
        return text[key]
    return MISSING


def truth(value: Known) -> bool | None:
    return None if isinstance(value, Missing) else bool(value)
