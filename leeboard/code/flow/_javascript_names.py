"""Which modules the names of a JavaScript file stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.flow._lowering import Lowering, first, named, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_WRAPPERS = frozenset({"promisify", "util.promisify", "__importDefault", "__importStar", "_interopRequireDefault"})


def module_path(written: str) -> str:
    """`node:fs/promises` as `fs.promises`; a file of the project as `local.<its name>`."""
    name = written.strip("'\"`").removeprefix("node:")
    if name.startswith("."):
        return "local." + name.rstrip("/").rsplit("/", 1)[-1].split(".", 1)[0]
    if name.startswith("@"):
        return name
    return name.replace("/", ".")


def imported(low: Lowering, node: SgNode) -> Iterator[tuple[str, str]]:
    """Local names and paths of one `import` statement."""
    source = node.field("source") or first(node, "string")
    clause = first(node, "import_clause")
    if source is None or clause is None:
        return
    path = module_path(source.text())
    for child in low.inside(clause):
        if child.kind() == "identifier":
            yield child.text(), path
        elif child.kind() == "namespace_import":
            yield text_of(first(child, "identifier")), path
        else:
            for specifier in named(child, "import_specifier"):
                name = text_of(specifier.field("name"))
                yield text_of(specifier.field("alias")) or name, f"{path}.{name}"


def bindings(target: SgNode, value: SgNode) -> Iterator[tuple[str, str]]:
    """`const x = require('m').y`, `const {a, b: c} = require('m')`: local names and paths; nothing for other values."""
    path = required(value)
    if not path:
        return
    if target.kind() == "identifier":
        yield target.text(), path
    elif target.kind() == "object_pattern":
        for entry in target.children():
            if entry.kind() == "shorthand_property_identifier_pattern":
                yield entry.text(), f"{path}.{entry.text()}"
            elif entry.kind() == "pair_pattern":
                yield text_of(entry.field("value")), f"{path}.{text_of(entry.field('key'))}"


def required(value: SgNode) -> str:
    """The path of the module (or of its member) that an expression stands for; empty for any other expression."""
    if value.kind() == "member_expression":
        head, member = value.field("object"), value.field("property")
        path = required(head) if head is not None else ""
        return f"{path}.{text_of(member)}" if path else ""
    if value.kind() != "call_expression":
        return required(value.children()[-1]) if value.kind() == "await_expression" else ""
    callee, arguments = text_of(value.field("function")), value.field("arguments")
    passed = [child for child in arguments.children() if child.is_named()] if arguments is not None else []
    if len(passed) != 1:
        return ""
    if callee in ("require", "import") and passed[0].kind() == "string":
        return module_path(passed[0].text())
    return required(passed[0]) if callee in _WRAPPERS else ""
