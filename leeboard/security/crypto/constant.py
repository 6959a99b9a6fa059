"""What value an expression has, as far as the file tells: literals, constants, simple branches, encoded literals.

The answer is all values it may have. `complete` is false where it may have others too; no value at all is unknown.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.source import CallSite, ConstantValues, SettingSite, unwrapped

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.security.crypto.source import CryptoSource


_DEPTH = 8
_ROOM = 4_096
_BLOCK_SIZE = lazy(r"(?i)(?:\A|[._])block_?size\Z")
_BLOCK = 16
_SOME_ZEROS = "\0" * 16
"""A buffer whose size is not in the file."""

_ENCODING = lazy(r"(?i)\A(?:utf[-_]?(?:8|16)\w{0,2}|ascii|latin-?1|hex|base64|binary|iso-8859-1)\Z")
_PREFIX = lazy(r"\A[a-zA-Z@$]{0,3}(\"\"\"|'''|\"|'|`)")
_ESCAPE = lazy(r"\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)
_DIMENSION = lazy(r"\[\s*(\d{1,6})\s*\]\s*\Z|;\s*(\d{1,6})\s*\]\s*\Z")


_KINDS = words.constants()
UNKNOWN = ConstantValues()


def values_of(node: SgNode, source: CryptoSource, depth: int = 0) -> ConstantValues:
    """All the values an expression may have; worked out once, so that circles end and branches do not multiply."""
    node = unwrapped(node)
    kind = node.kind()
    if depth > _DEPTH:
        return UNKNOWN
    literal = _literal(node, kind)
    if literal is not None:
        return literal
    span = node.range()
    key = (span.start.index, span.end.index, kind)
    if key not in source.values:
        source.values[key] = UNKNOWN
        source.values[key] = _worked_out(node, kind, source, depth)
    return source.values[key]


def _worked_out(node: SgNode, kind: str, source: CryptoSource, depth: int) -> ConstantValues:
    for kinds, read in _READERS:
        if kind in kinds:
            return read(node, source, depth)
    number = calculated(node, lambda inner: _single_number(inner, source, depth + 1))
    if number is not None:
        return ConstantValues((number,), complete=True)
    return _joined(node, source, depth) if kind.startswith("binary") else UNKNOWN


def is_constant(node: SgNode, source: CryptoSource) -> bool:
    """Whether it is text or bytes anybody can read in the file, and nothing else."""
    values = values_of(node, source)
    return values.complete and bool(values.texts) and len(values.texts) == len(values.known)


def _literal(node: SgNode, kind: str) -> ConstantValues | None:
    if kind in _KINDS.strings:
        return _string(node)
    if kind in _KINDS.nulls:
        return ConstantValues((None,), complete=True)
    text = node.text()[:64]
    if kind in _KINDS.numbers:
        number = number_of(text)
        return ConstantValues((number,), complete=True) if number is not None else UNKNOWN
    if text in {"true", "True", "TRUE", "YES"}:
        return ConstantValues((True,), complete=True)
    if text in {"false", "False", "FALSE", "NO"}:
        return ConstantValues((False,), complete=True)
    return (
        ConstantValues((None,), complete=True)
        if text in {"NULL", "None", "nil", "null", "undefined", "nullptr"}
        else None
    )


def _string(node: SgNode) -> ConstantValues:
    if any("interpolation" in child.kind() or "substitution" in child.kind() for child in node.children()):
        return UNKNOWN
    if node.kind() == "concatenated_string":
        return ConstantValues(("".join(_unquoted(child.text()) for child in node.children()),), complete=True)
    return ConstantValues((_unquoted(node.text()[:_ROOM]),), complete=True)


def _unquoted(text: str) -> str:
    opened = _PREFIX.match(text)
    if opened is None:
        return text.strip(":")
    inner = text[opened.end() :].removesuffix(opened[1])
    return _ESCAPE.sub("\0", inner)


def number_of(text: str) -> int | None:
    """An integer as any of the languages spells it."""
    plain = re.sub(r"(?:[uUlLnN]{1,3}|[ui](?:8|16|32|64|128|size))\Z", "", text.strip().strip("()")).replace("_", "")
    try:
        return int(plain, 0)
    except ValueError:
        return int(plain, 8) if re.fullmatch(r"0[0-7]{1,20}", plain) else None


def _single_number(node: SgNode, source: CryptoSource, depth: int) -> int | None:
    values = values_of(node, source, depth)
    return values.numbers[0] if values.complete and len(values.known) == 1 and values.numbers else None


def _joined(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    """`"MD" + "5"`, and a byte many times."""
    children = node.named_children()
    if len(children) != 2:
        return UNKNOWN
    operator = next((child.text() for child in node.children() if not child.is_named()), "")
    left, right = (values_of(child, source, depth + 1) for child in children)
    if operator == "*" and _BLOCK_SIZE.search(children[1].text()[:80]):
        right = ConstantValues((_BLOCK,), complete=True)
    if not (left.complete and right.complete and len(left.known) == len(right.known) == 1):
        return UNKNOWN
    one, other = left.known[0], right.known[0]
    if operator in {"+", "."} and isinstance(one, str) and isinstance(other, str):
        return ConstantValues(((one + other)[:_ROOM],), complete=True)
    if operator == "*" and isinstance(one, str) and isinstance(other, int):
        return ConstantValues(((one * max(0, min(other, _ROOM)))[:_ROOM],), complete=True)
    return UNKNOWN


def _ternary(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    """Both branches, unless the condition is decided."""
    children = node.named_children()
    if len(children) != 3:
        return UNKNOWN
    first, second, third = children
    condition, branches = (second, (first, third)) if source.language == "python" else (first, (second, third))
    decided = _decided(condition, source, depth + 1)
    if decided is not None:
        return values_of(branches[0 if decided else 1], source, depth + 1)
    return merged([values_of(branch, source, depth + 1) for branch in branches])


def merged(all_values: list[ConstantValues]) -> ConstantValues:
    known = tuple(dict.fromkeys(value for values in all_values for value in values.known))
    return ConstantValues(known, complete=all(values.complete for values in all_values))


def _passed_on(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    children = node.named_children()
    if node.kind() in {"unary_expression", "await", "await_expression"} and node.text()[:1] not in "&*a(":
        return UNKNOWN
    first = node.kind() in {"as_expression", "satisfies_expression", "non_null_expression"}
    return values_of(children[0 if first else -1], source, depth + 1) if children else UNKNOWN


def _list(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    """A list of numbers is bytes; of texts, those texts; `new byte[16]` is zeros."""
    sized = _DIMENSION.search(node.text()[:80])
    if sized is not None:
        return ConstantValues(("\0" * min(int(sized[1] or sized[2]), _ROOM),), complete=True)
    items = [_item(child) for child in node.named_children()]
    if any(item.kind() == "dimensions_expr" for item in items):
        return ConstantValues((_SOME_ZEROS,), complete=True)
    inner = next((item for item in items if item.kind() in _KINDS.lists and item.kind() != "list"), None)
    if inner is not None and node.kind() not in {"list", "array"}:
        return _list(inner, source, depth + 1)
    found = merged([values_of(item, source, depth + 1) for item in items[:64] if "type" not in item.kind()])
    if found.complete and found.known and len(found.numbers) == len(found.known):
        return ConstantValues(("\0" * len(items),), complete=True)
    return found


def _item(node: SgNode) -> SgNode:
    """PHP wraps what stands in a list."""
    held = node.named_children() if node.kind() == "array_element_initializer" else []
    return held[0] if len(held) == 1 else node


def _named(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    """A variable: what was last assigned, and what branches after that may have assigned."""
    text = node.text()
    name = re.split(r"\W", text.rstrip("]\"')"))[-1] if len(text) < 200 else ""
    owner = re.split(r"\W", text.lstrip("$@&*"))[0]
    if (
        node.kind() in _KINDS.members
        and owner not in {"self", "this", "cls"}
        and not text.startswith("@")
        and not name.isupper()
    ):
        return UNKNOWN
    settings = assigned(name, node, source, lambda condition: _decided(condition, source, depth + 1))
    if not settings:
        return UNKNOWN
    found = merged([values_of(setting.value, source, depth + 1) for setting in settings])
    is_default = any("default_parameter" in setting.node.kind() for setting in settings)
    given = name in _parameters(node.range().start.line + 1, source) and all(_branch_of(it.node) for it in settings)
    return ConstantValues(found.known, complete=found.complete and not is_default and not given)


def _decided(condition: SgNode, source: CryptoSource, depth: int) -> bool | None:
    values = values_of(condition, source, depth)
    return bool(values.known[0]) if values.complete and len(values.known) == 1 else None


def _called(node: SgNode, source: CryptoSource, depth: int) -> ConstantValues:
    """An encoded literal is a literal; a setting read with a default may be the default."""
    call = CallSite(node, source.text)
    if call.last in _KINDS.allocators and call.args:
        sizes = values_of(call.args[-1 if call.last == "make" else 0], source, depth + 1)
        if sizes.complete and sizes.numbers:
            return ConstantValues(("\0" * max(0, min(sizes.numbers[0], _ROOM)),), complete=True)
        if call.last in {"make", "alloc"}:
            return ConstantValues((_SOME_ZEROS,), complete=True)
    if call.last in _KINDS.defaulted and len(call.args) == 2:
        return ConstantValues(values_of(call.args[1], source, depth + 1).known)
    if call.last not in _KINDS.encoders:
        return UNKNOWN
    receiver = call.receiver
    held = values_of(receiver, source, depth + 1) if receiver is not None else UNKNOWN
    if held.known or not call.args or (receiver is not None and call.last in _KINDS.on_text):
        return held
    given = values_of(call.args[0], source, depth + 1)
    return given if not any(_ENCODING.match(text) for text in given.texts) else UNKNOWN


_READERS = (
    (_KINDS.names | _KINDS.members, _named),
    (_KINDS.ternaries, _ternary),
    (_KINDS.passing, _passed_on),
    (_KINDS.lists, _list),
    (_KINDS.calls, _called),
)


# Integers that an expression of constants comes to: `1 << 14`, `2 ** 14`, `7 * 42 - 86 > 200`.


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


# Which assignments a variable may have its value from, at the place it is used.


Decide = Callable[["SgNode"], bool | None]
"""What a condition comes to; None where nobody can tell."""
_FILLS = lazy(
    r"(?i)(?:rand|fill|\bread|nextbytes|generate|memcpy|copy|getentropy|scanf|getbytes\(\w+\)|arraycopy|\bget\()\w*"
)
_MOST = 6


def assigned(name: str, node: SgNode, source: CryptoSource, decide: Decide) -> list[SettingSite]:
    """The last assignment before the use that must have run, and later ones that may have; empty: not known."""
    if not name:
        return []
    start = node.range().start
    at, line = start.index, start.line + 1
    candidates = [it for it in source.settings.get(name, ()) if it.node.kind() not in _KINDS.not_variables]
    local = _in_same_function(candidates, line, source)
    if name in _parameters(line, source) and not local:
        return []
    found = _still_standing(local, at, decide) if local else _outer(candidates, source)
    return found if not any(_is_filled(name, it, line, source) for it in found) else []


def _parameters(line: int, source: CryptoSource) -> tuple[str, ...]:
    found = source.definition_at(line)
    return found.params if found is not None else ()


def _in_same_function(candidates: list[SettingSite], line: int, source: CryptoSource) -> list[SettingSite]:
    here = source.definition_at(line)
    if here is None or here.kind == "class":
        return []
    return [it for it in candidates if here.start <= it.line <= here.end and it.line <= line][-_MOST:]


def _outer(candidates: list[SettingSite], source: CryptoSource) -> list[SettingSite]:
    """A module constant or field: known where it is assigned once, or wherever it is assigned."""
    outside = []
    for it in candidates:
        held = source.definition_at(it.line)
        if held is None or held.kind == "class" or "." in it.target or it.target.startswith("@"):
            outside.append(it)
    return outside[:_MOST] if len(outside) <= _MOST else []


def _still_standing(local: list[SettingSite], at: int, decide: Decide) -> list[SettingSite]:
    """From the last one outside of any branch on; branches that can not be taken do not count."""
    standing: list[SettingSite] = []
    for it in local:
        branch = _branch_of(it.node)
        if branch is None or (branch.range().end.index >= at > branch.range().start.index and not _may_skip(branch)):
            standing = [it]
        elif _can_be_taken(it, branch, decide):
            standing.append(it)
    return standing


def _branch_of(node: SgNode) -> SgNode | None:
    for ancestor in node.ancestors():
        if ancestor.kind() in _KINDS.branches:
            return ancestor
        if ancestor.kind() in _KINDS.functions:
            return None
    return None


def _may_skip(branch: SgNode) -> bool:
    return branch.kind() in {"else_clause", "elif_clause", "except_clause", "catch_clause"}


def _can_be_taken(setting: SettingSite, branch: SgNode, decide: Decide) -> bool:
    owner = branch if branch.field("condition") is not None else branch.parent()
    condition = owner.field("condition") if owner is not None else None
    if owner is None or condition is None:
        return True
    decided = decide(condition)
    if decided is None:
        return True
    in_else = branch.kind().startswith("else") or _is_alternative(setting, owner)
    return decided != in_else


def _is_alternative(setting: SettingSite, owner: SgNode) -> bool:
    other = owner.field("alternative")
    return other is not None and other.range().start.index <= setting.start < other.range().end.index


def _is_filled(name: str, setting: SettingSite, used: int, source: CryptoSource) -> bool:
    """A buffer of zeros that something writes into before it is used."""
    if len(name) > 60:
        return True
    for line in source.lines[setting.line : max(setting.line, used - 1)][:200]:
        if name in line and "(" in line and len(line) < 400 and _FILLS.search(line):
            return True
    return False
