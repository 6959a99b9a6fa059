"""The names in a text: what a definition goes by, the type or object it belongs to, and what the text imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec
from ast_grep_py import SgNode

from leeboard.model.text import lazy

_NAMED_BY = {
    "variable_declarator": "name",
    "pair": "key",
    "field_definition": "property",
    "public_field_definition": "name",
    "assignment_expression": "left",
}
"""What gives a name to the function right inside it, and the field that holds the name."""
_C_KINDS = frozenset({"struct_specifier", "enum_specifier", "union_specifier", "class_specifier"})
_EXPRESSIONS = frozenset({"function_expression", "generator_function", "class"})
"""Others call it by what it is bound to, not by the name it has for itself."""
_LONGEST = 200
_DEEPEST = 12
_FEW = 4


def name_of(language: str, node_kind: str, node: SgNode) -> str:
    """Empty where it has none."""
    if language == "kotlin":
        return _child_text(node, ("simple_identifier", "type_identifier"))
    if node_kind == "impl_item":
        implemented = node.field("type")
        return implemented.text().partition("<")[0].strip() if implemented is not None else ""
    if node_kind == "function_definition" and language in {"c", "cpp"}:
        return _declared(node)
    if node_kind in _EXPRESSIONS and (given := _name_given(node)):
        return given
    named = node.field("name")
    if named is not None:
        return named.text()[:_LONGEST].strip("\"'")
    return _typedef_name(node) if node_kind in _C_KINDS else _name_given(node)


def _child_text(node: SgNode, kinds: tuple[str, ...]) -> str:
    return next((child.text() for child in node.children() if child.kind() in kinds), "")


def declarators(node: SgNode) -> Iterator[SgNode]:
    """From the outside in: a declarator of C says around the name what it is, `*(*name)(int)`."""
    inner = node.field("declarator")
    for _ in range(_DEEPEST):
        if inner is None:
            break
        yield inner
        # A reference and a parenthesis hold their declarator without a field.
        unnamed = inner.kind() in {"reference_declarator", "parenthesized_declarator"}
        inner = inner.child(1) if unnamed else inner.field("declarator")


def _declared(node: SgNode) -> str:
    *_around, name = (None, *declarators(node))
    return name.text()[:_LONGEST] if name is not None else ""


def _typedef_name(node: SgNode) -> str:
    parent = node.parent()
    declarator = parent.field("declarator") if parent is not None and parent.kind() == "type_definition" else None
    return declarator.text()[:_LONGEST] if declarator is not None else ""


def _name_given(node: SgNode) -> str:
    """The name an anonymous function is bound to."""
    parent = node.parent()
    if parent is not None and parent.kind() == "arguments":
        call = parent.parent()
        parent = call.parent() if call is not None else None
    if parent is None:
        return ""
    kind = parent.kind()
    if kind == "export_statement":
        return "default"
    if kind == "expression_list":
        return _of_list(parent, node)
    named = parent.field(_NAMED_BY[kind]) if kind in _NAMED_BY else None
    return _last_part(named) if named is not None else ""


def _of_list(values: SgNode, node: SgNode) -> str:
    """Go binds several at once: `a, b := f, func() {}`. Beyond the first few nobody reads the names either."""
    at = next((place for place in range(_FEW) if values.child(2 * place) == node), None)
    statement = values.parent() if at is not None else None
    names = statement.field("left") or statement.field("name") if statement is not None else None
    listed = names.text()[:_LONGEST].split(",") if names is not None else []
    return listed[at].strip().rpartition(".")[2] if at is not None and at < len(listed) else ""


def _last_part(named: SgNode) -> str:
    """`module.exports.load` to load, `$load` to load; a computed or unpacked name is none."""
    kind = named.kind()
    if kind == "member_expression":
        inner = named.field("property")
        return inner.text() if inner is not None else ""
    if kind not in {"identifier", "property_identifier", "private_property_identifier", "string", "variable_name"}:
        return ""
    return named.text()[:_LONGEST].strip("\"'$")


def owner_of(language: str, node_kind: str, node: SgNode) -> str:
    """The owner as far as the definition itself names one, or stands in an object that has a name."""
    if language == "go" and node_kind == "method_declaration":
        receiver = node.field("receiver")
        return _receiver(receiver.text()) if receiver is not None else ""
    if language in {"javascript", "typescript", "tsx"} and node_kind not in {
        "function_declaration",
        "class_declaration",
    }:
        return _object_name(node)
    if language == "kotlin" and node_kind == "function_declaration":
        return _child_text(node, ("receiver_type",)).partition("<")[0].rstrip("?")
    return ""


def _receiver(text: str) -> str:
    """`(s *Stack[T])` to Stack."""
    words = text.strip("() ").replace("*", " ").split()
    return words[-1].partition("[")[0] if words else ""


def _object_name(node: SgNode) -> str:
    holder = node.parent()
    if holder is not None and holder.kind() == "assignment_expression":
        target, _dot, method = _left(holder).rpartition(".")
        return target.removesuffix(".prototype") if method and target.endswith(".prototype") else ""
    if holder is not None and holder.kind() == "pair":
        holder = holder.parent()
    if holder is None or holder.kind() != "object":
        return ""
    binder = holder.parent()
    named = binder.field(_NAMED_BY[kind]) if binder is not None and (kind := binder.kind()) in _NAMED_BY else None
    return _last_part(named) if named is not None else ""


def _left(assignment: SgNode) -> str:
    target = assignment.field("left")
    return target.text()[:_LONGEST] if target is not None else ""


# What a text imports: modules, names and aliases as they are written.


class Import(msgspec.Struct, frozen=True, kw_only=True):
    module: str
    """As written: `./token`, `std::io`, `App\\Models\\User`."""
    names: tuple[str, ...] = ()
    """What is taken out of it, by its own name; `*` for all of it."""
    alias: str = ""
    """The name the module itself, or the one thing taken out of it, goes by here."""
    line: int


Found = tuple[str, tuple[str, ...], str]
"""Module, names, alias."""

_QUOTED = lazy(r"""["'`]([^"'`\n]{1,400})["'`]""")
_AS = lazy(r"\s+as\s+")


def read_imports(found: Iterable[tuple[str, SgNode]], language: str) -> tuple[Import, ...]:
    return tuple(_imports(found, language))


def _imports(found: Iterable[tuple[str, SgNode]], language: str) -> Iterator[Import]:
    by_kind = _READERS.get(language, {})
    for kind, node in found:
        read = by_kind.get(kind)
        if read is None:
            continue
        line = node.range().start.line + 1
        for module, names, alias in read(node):
            if module:
                yield Import(module=module, names=names, alias=alias, line=line)


def _python(node: SgNode) -> Iterator[Found]:
    for child in node.field_children("name"):
        module, alias = _aliased(child)
        yield module, (), alias


def _python_from(node: SgNode) -> Iterator[Found]:
    module = node.field("module_name")
    pairs = [_aliased(child) for child in node.field_children("name")]
    everything = not pairs and any(child.kind() == "wildcard_import" for child in node.children())
    name = module.text() if module is not None else "__future__"
    alias = pairs[0][1] if len(pairs) == 1 else ""
    yield name, ("*",) if everything else tuple(name for name, _alias in pairs), alias


def _aliased(node: SgNode) -> tuple[str, str]:
    name, alias = node.field("name"), node.field("alias")
    if name is None:
        return node.text(), ""
    return name.text(), alias.text() if alias is not None else ""


def _script(node: SgNode) -> Iterator[Found]:
    """An `import` or an `export ... from`."""
    source = node.field("source")
    if source is None:
        yield from _script_require_clause(node)
        return
    clause = node.text().partition(source.text())[0]
    before, brace, rest = clause.partition("{")
    named = (
        [_AS.split(part.strip().removeprefix("type ")) for part in rest.partition("}")[0].split(",")] if brace else []
    )
    words = before.replace("type ", " ").split()
    whole = words[words.index("as") + 1] if "as" in words[:-1] else ""
    default = [word.strip(",") for word in words[1:2] if word.strip(",").isidentifier() and word not in {"from", "as"}]
    names = tuple(pair[0].strip() for pair in named if pair[0].strip())
    renamed = [pair[1].strip() for pair in named if len(pair) > 1]
    starred = ("*",) if "*" in before else ()
    alias = whole or "".join(default) or (renamed[0] if len(names) == 1 and renamed else "")
    yield _unquoted(source), (*(("default",) if default else ()), *starred, *names), alias


def _script_require_clause(node: SgNode) -> Iterator[Found]:
    """`import x = require("m")` of TypeScript."""
    quoted = _QUOTED.search(node.text()[:1_000])
    words = node.text()[:1_000].split()
    yield quoted[1] if quoted else "", (), words[1] if len(words) > 1 else ""


def _script_call(node: SgNode) -> Iterator[Found]:
    """`require("m")` and `import("m")`, with the names they are unpacked into."""
    arguments = node.field("arguments")
    quoted = _QUOTED.match(arguments.text()[1:500].lstrip()) if arguments is not None else None
    if quoted is None:
        return
    holder = node.parent()
    if holder is not None and holder.kind() == "await_expression":
        holder = holder.parent()
    taken = ""
    if holder is not None and holder.kind() == "member_expression":
        taken = holder.text()[-100:].rpartition(".")[2]
        holder = holder.parent()
    bound = holder.field("name") if holder is not None and holder.kind() == "variable_declarator" else None
    target = bound.text() if bound is not None else ""
    if not target.startswith("{"):
        yield quoted[1], (taken,) if taken else (), target
        return
    names = (part.partition(":")[0].partition("=")[0].strip() for part in target.strip("{}").split(","))
    yield quoted[1], tuple(name for name in names if name), ""


def _unquoted(node: SgNode) -> str:
    return node.text().strip("\"'`<> \t\n")


def _go(node: SgNode) -> Iterator[Found]:
    path, name = node.field("path"), node.field("name")
    alias = name.text() if name is not None else ""
    yield _unquoted(path) if path is not None else "", ("*",) if alias == "." else (), alias.strip("._")


def _dotted(node: SgNode) -> Iterator[Found]:
    """Java and Kotlin: `import static a.b.C.*;`, `import a.b.C as D`."""
    words = node.text().rstrip("; \t\n").split()
    rest = [word for word in words[1:] if word != "static"]
    if not rest:
        return
    alias = rest[-1] if "as" in rest[:-1] else ""
    module, _dot, last = "".join(rest[: rest.index("as")] if alias else rest).rpartition(".")
    yield (module, (last,), alias) if module else (last, (), alias)


def _csharp(node: SgNode) -> Iterator[Found]:
    text = node.text().rstrip("; \t\n").removeprefix("global ").removeprefix("using").strip()
    alias, equals, target = text.removeprefix("static ").partition("=")
    yield (target.strip(), (), alias.strip()) if equals else (alias.strip(), (), "")


def _include(node: SgNode) -> Iterator[Found]:
    path = node.field("path")
    yield _unquoted(path) if path is not None else "", (), ""


def _argument(node: SgNode) -> Iterator[Found]:
    """Ruby and PHP: the string that names the file; `autoload :Name, "file"` has a word before it."""
    quoted = _QUOTED.search(node.text()[:1_000])
    yield quoted[1] if quoted else "", (), ""


def _php_use(node: SgNode) -> Iterator[Found]:
    text = re.sub(r"^use\s+(?:function\s+|const\s+)?", "", node.text().rstrip("; \t\n"))
    prefix, brace, rest = text.partition("{")
    for part in (rest.rstrip("}") if brace else text).split(","):
        name, *alias = _AS.split(part.strip(), maxsplit=1)
        whole = f"{prefix}{name}" if brace else name
        module, _slash, last = whole.strip().lstrip("\\").rpartition("\\")
        yield (module, (last,), "".join(alias)) if module else (last, (), "".join(alias))


def _rust(node: SgNode) -> Iterator[Found]:
    used = node.field("argument")
    if used is not None:
        yield from _rust_tree(used.text(), "")


def _rust_tree(text: str, prefix: str, depth: int = 0) -> Iterator[Found]:
    """`std::{io::{self, Read as R}, fmt}`: one import for each leaf."""
    head, brace, rest = text.partition("{")
    if not brace or depth > _DEEPEST_USE:
        path, *alias = _AS.split(text.strip(), maxsplit=1)
        module, _colons, last = (prefix + path.strip()).removesuffix("::self").rpartition("::")
        yield (module, (last,), "".join(alias)) if module else (last, (), "".join(alias))
        return
    for part in _at_commas(rest.rstrip().removesuffix("}")):
        yield from _rust_tree(part, prefix + head.strip(), depth + 1)


_DEEPEST_USE = 8


def _at_commas(text: str) -> Iterator[str]:
    depth = start = 0
    for at, sign in enumerate(text):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]


def _rust_crate(node: SgNode) -> Iterator[Found]:
    name, alias = node.field("name"), node.field("alias")
    yield name.text() if name is not None else "", (), alias.text() if alias is not None else ""


def _shell_source(node: SgNode) -> Iterator[Found]:
    words = node.text().split(None, 2)
    yield words[1].strip("\"'") if len(words) > 1 else "", (), ""


_Readers = dict[str, Callable[[SgNode], Iterator[Found]]]
_SCRIPT_READERS: _Readers = {"import_statement": _script, "export_statement": _script, "call_expression": _script_call}
_PHP_FILES = ("require_expression", "require_once_expression", "include_expression", "include_once_expression")
_READERS: dict[str, _Readers] = {
    "python": {
        "import_statement": _python,
        "import_from_statement": _python_from,
        "future_import_statement": _python_from,
    },
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPT_READERS),
    "go": {"import_spec": _go},
    "java": {"import_declaration": _dotted},
    "kotlin": {"import_header": _dotted},
    "ruby": {"call": _argument},
    "php": {"namespace_use_declaration": _php_use, **dict.fromkeys(_PHP_FILES, _argument)},
    "rust": {"use_declaration": _rust, "extern_crate_declaration": _rust_crate},
    "csharp": {"using_directive": _csharp},
    "c": {"preproc_include": _include},
    "cpp": {"preproc_include": _include},
    "bash": {"command": _shell_source},
}
