"""Which assignments a variable may have its value from, at the place it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.code.crypto.site import Setting
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.code.crypto.source import Source

Decide = Callable[["SgNode"], bool | None]
"""What a condition comes to; None where nobody can tell."""
_BRANCHES = frozenset(
    "if_statement elif_clause else_clause else if_expression for_statement while_statement case_clause switch_case "
    "match_arm when_entry try_statement except_clause catch_clause for_in_statement conditional_expression "
    "switch_block_statement_group switch_section expression_case if unless case when elsif".split()
)
_FUNCTIONS = frozenset(
    "function_definition function_declaration method_definition arrow_function function_expression method_declaration "
    "constructor_declaration lambda_expression method singleton_method function_item func_literal lambda module "
    "program source_file translation_unit compilation_unit class_body class_declaration".split()
)
_NOT_VARIABLES = frozenset("keyword_argument pair keyed_element array_element_initializer field_initializer".split())
_FILLS = lazy(
    r"(?i)(?:rand|fill|\bread|nextbytes|generate|memcpy|copy|getentropy|scanf|getbytes\(\w+\)|arraycopy|\bget\()\w*"
)
_MOST = 6


def assigned(name: str, node: SgNode, source: Source, decide: Decide) -> list[Setting]:
    """The last assignment before the use that must have run, and later ones that may have; empty: not known."""
    if not name:
        return []
    start = node.range().start
    at, line = start.index, start.line + 1
    candidates = [it for it in source.settings.get(name, ()) if it.node.kind() not in _NOT_VARIABLES]
    local = _in_same_function(candidates, line, source)
    if name in _parameters(line, source) and not local:
        return []
    found = _still_standing(local, at, decide) if local else _outer(candidates, source)
    return found if not any(_is_filled(name, it, line, source) for it in found) else []


def _parameters(line: int, source: Source) -> tuple[str, ...]:
    found = source.definition_at(line)
    return found.params if found is not None else ()


def _in_same_function(candidates: list[Setting], line: int, source: Source) -> list[Setting]:
    here = source.definition_at(line)
    if here is None or here.kind == "class":
        return []
    return [it for it in candidates if here.start <= it.line <= here.end and it.line <= line][-_MOST:]


def _outer(candidates: list[Setting], source: Source) -> list[Setting]:
    """A module constant or field: known where it is assigned once, or wherever it is assigned."""
    outside = []
    for it in candidates:
        held = source.definition_at(it.line)
        if held is None or held.kind == "class" or "." in it.target or it.target.startswith("@"):
            outside.append(it)
    return outside[:_MOST] if len(outside) <= _MOST else []


def _still_standing(local: list[Setting], at: int, decide: Decide) -> list[Setting]:
    """From the last one outside of any branch on; branches that can not be taken do not count."""
    standing: list[Setting] = []
    for it in local:
        branch = _branch_of(it.node)
        if branch is None or (branch.range().end.index >= at > branch.range().start.index and not _may_skip(branch)):
            standing = [it]
        elif _can_be_taken(it, branch, decide):
            standing.append(it)
    return standing


def _branch_of(node: SgNode) -> SgNode | None:
    for ancestor in node.ancestors():
        if ancestor.kind() in _BRANCHES:
            return ancestor
        if ancestor.kind() in _FUNCTIONS:
            return None
    return None


def _may_skip(branch: SgNode) -> bool:
    return branch.kind() in {"else_clause", "elif_clause", "except_clause", "catch_clause"}


def _can_be_taken(setting: Setting, branch: SgNode, decide: Decide) -> bool:
    owner = branch if branch.field("condition") is not None else branch.parent()
    condition = owner.field("condition") if owner is not None else None
    if owner is None or condition is None:
        return True
    decided = decide(condition)
    if decided is None:
        return True
    in_else = branch.kind().startswith("else") or _is_alternative(setting, owner)
    return decided != in_else


def _is_alternative(setting: Setting, owner: SgNode) -> bool:
    other = owner.field("alternative")
    return other is not None and other.range().start.index <= setting.start < other.range().end.index


def _is_filled(name: str, setting: Setting, used: int, source: Source) -> bool:
    """A buffer of zeros that something writes into before it is used."""
    if len(name) > 60:
        return True
    for line in source.lines[setting.line : max(setting.line, used - 1)][:200]:
        if name in line and "(" in line and len(line) < 400 and _FILLS.search(line):
            return True
    return False
