"""What a rule's file declares, taken from its source by Python's own parser.

The module `ast` would cost a hook process more than reading all the rules: the types behind it are built in.
"""

from __future__ import annotations

from _ast import (
    AST,
    Assign,
    Attribute,
    BinOp,
    Call,
    Constant,
    FunctionDef,
    Module,
    Name,
    PyCF_ONLY_AST,
    Subscript,
    Tuple,
)
from typing import Any


def declared_in(text: bytes) -> dict[str, Any]:
    """The header of a rule as plain values; SyntaxError or LookupError where the text is not, or not wholly, one."""
    tree: Any = compile(text, "<rule>", "exec", PyCF_ONLY_AST, dont_inherit=True)
    functions = {node.name: node for node in tree.body if isinstance(node, FunctionDef)}
    event, _, *wants = _annotations(functions["detect"])
    return {
        "traits": _constants(tree),
        "listens": _alternatives(event),
        "wants": [_spelled(want) for want in wants],
        "holds_wants": [_spelled(want) for want in _annotations(functions["holds"])[2:]]
        if "holds" in functions
        else [],
    }


def alternatives(annotation: str) -> tuple[str, ...]:
    """The names in `A | B`."""
    tree: Any = compile(annotation, "<annotation>", "eval", PyCF_ONLY_AST, dont_inherit=True)
    return _alternatives(tree.body)


def _annotations(function: FunctionDef) -> list[AST]:
    """The annotations of the parameters, each of which has one: else nobody could tell what it wants."""
    annotations = [parameter.annotation for parameter in function.args.args]
    known: list[AST] = [annotation for annotation in annotations if annotation is not None]
    if len(known) < max(2, len(annotations)):
        raise LookupError(function.name)
    return known


def _constants(tree: Module) -> dict[str, Any]:
    """What `RULE` says in constants."""
    values = {_spelled(node.targets[0]): node.value for node in tree.body if isinstance(node, Assign)}
    call = values["RULE"]
    said = {word.arg: word.value for word in call.keywords if word.arg} if isinstance(call, Call) else {}
    return {name: value.value for name, value in said.items() if isinstance(value, Constant)}


def _alternatives(node: AST) -> tuple[str, ...]:
    if isinstance(node, BinOp):
        return (*_alternatives(node.left), *_alternatives(node.right))
    return (_spelled(node),)


def _spelled(node: AST) -> str:
    """An annotation, or the target of an assignment, in one spelling however it is laid out."""
    match node:
        case Name():
            return node.id
        case Constant():
            return str(node.value)
        case BinOp():
            return f"{_spelled(node.left)} | {_spelled(node.right)}"
        case Attribute():
            return f"{_spelled(node.value)}.{node.attr}"
        case Subscript():
            return f"{_spelled(node.value)}[{_spelled(node.slice)}]"
        case Tuple():
            return ", ".join(map(_spelled, node.elts))
        case _:
            raise LookupError(type(node).__name__)
