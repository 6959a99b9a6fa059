"""Which nodes of each grammar define something and which import something."""

from __future__ import annotations

from typing import Any, Literal

DefinitionKind = Literal["function", "method", "class"]
Rule = dict[str, Any]
"""A rule of ast-grep: what one node must be."""

_SCRIPT_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")
_SCRIPT_BINDERS = ("variable_declarator", "pair", "assignment_expression", "export_statement")
_SCRIPT = {
    **dict.fromkeys(("function_declaration", "generator_function_declaration", *_SCRIPT_FUNCTIONS), "function"),
    "method_definition": "method",
    "class_declaration": "class",
    "class": "class",
}
_TYPED = {
    **_SCRIPT,
    **dict.fromkeys(("abstract_class_declaration", "interface_declaration", "enum_declaration"), "class"),
}
_C = {
    "function_definition": "function",
    **dict.fromkeys(("struct_specifier", "enum_specifier", "union_specifier"), "class"),
}

DEFINES: dict[str, dict[str, str]] = {
    "python": {"function_definition": "function", "class_definition": "class"},
    "javascript": _SCRIPT,
    "typescript": _TYPED,
    "tsx": _TYPED,
    "go": {
        "function_declaration": "function",
        "method_declaration": "method",
        "type_spec": "class",
        "func_literal": "function",
    },
    "java": {
        **dict.fromkeys(("method_declaration", "constructor_declaration", "compact_constructor_declaration"), "method"),
        **dict.fromkeys(
            (
                "class_declaration",
                "interface_declaration",
                "enum_declaration",
                "record_declaration",
                "annotation_type_declaration",
            ),
            "class",
        ),
    },
    "ruby": {
        **dict.fromkeys(("method", "singleton_method"), "function"),
        **dict.fromkeys(("class", "module"), "class"),
    },
    "php": {
        **dict.fromkeys(("function_definition", "anonymous_function", "arrow_function"), "function"),
        "method_declaration": "method",
        **dict.fromkeys(
            ("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"), "class"
        ),
    },
    "rust": {
        "function_item": "function",
        **dict.fromkeys(("struct_item", "enum_item", "trait_item", "union_item", "impl_item"), "class"),
    },
    "csharp": {
        **dict.fromkeys(("method_declaration", "constructor_declaration", "operator_declaration"), "method"),
        "local_function_statement": "function",
        **dict.fromkeys(
            (
                "class_declaration",
                "interface_declaration",
                "struct_declaration",
                "record_declaration",
                "enum_declaration",
            ),
            "class",
        ),
    },
    "kotlin": {
        "function_declaration": "function",
        **dict.fromkeys(("class_declaration", "object_declaration"), "class"),
    },
    "c": _C,
    "cpp": {**_C, "class_specifier": "class"},
    "bash": {"function_definition": "function"},
}
"""Kind of node to kind of definition. A function right inside a class is a method of it."""

IMPORTS: dict[str, tuple[str, ...]] = {
    "python": ("import_statement", "import_from_statement", "future_import_statement"),
    "javascript": ("import_statement",),
    "typescript": ("import_statement",),
    "tsx": ("import_statement",),
    "go": ("import_spec",),
    "java": ("import_declaration",),
    "ruby": (),
    "php": (
        "namespace_use_declaration",
        "require_expression",
        "require_once_expression",
        "include_expression",
        "include_once_expression",
    ),
    "rust": ("use_declaration", "extern_crate_declaration"),
    "csharp": ("using_directive",),
    "kotlin": ("import_header",),
    "c": ("preproc_include",),
    "cpp": ("preproc_include",),
    "bash": (),
}

LANGUAGES = frozenset(DEFINES) | {"html", "yaml", "json"}
"""Those the parser may be asked for: it ends the thread that asks for another."""

_BODIES = {
    "struct_specifier": "field_declaration_list",
    "union_specifier": "field_declaration_list",
    "class_specifier": "field_declaration_list",
    "enum_specifier": "enumerator_list",
}
_WRAPPERS = r"(?:^|\.)(?:memo|forwardRef|useCallback|observer|debounce|throttle)$|[Hh]andler$|^wrap|^with[A-Z]"
_BOUND = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), (*_SCRIPT_FUNCTIONS, "class")),
    "go": ("func_literal",),
    "php": ("anonymous_function", "arrow_function"),
}
"""Functions without a name of their own: they count where they are given one."""


def rule_of(language: str, text: str) -> Rule:
    """One rule for everything that is looked for in a text of that language."""
    bound = _BOUND.get(language, ())
    plain: list[Rule] = [{"kind": kind} for kind in IMPORTS[language]]
    plain += [_defining(kind) for kind in DEFINES[language] if kind not in bound]
    return {"any": [{"kind": "ERROR"}, *plain, *_bound_functions(language), *_calls(language, text)]}


def _defining(kind: str) -> Rule:
    body = _BODIES.get(kind)
    return {"kind": kind, "has": {"kind": body}} if body else {"kind": kind}


def _any_kind(*kinds: str) -> Rule:
    return {"any": [{"kind": kind} for kind in kinds]}


def _bound_functions(language: str) -> list[Rule]:
    if language == "go":
        spec = _any_kind("short_var_declaration", "var_spec", "assignment_statement")
        return [{"kind": "func_literal", "inside": {"kind": "expression_list", "inside": spec}}]
    if language == "php":
        return [{**_any_kind("anonymous_function", "arrow_function"), "inside": {"kind": "assignment_expression"}}]
    if language not in _BOUND:
        return []
    field = "field_definition" if language == "javascript" else "public_field_definition"
    callee = {"field": "function", "regex": _WRAPPERS}
    call = {"kind": "call_expression", "has": callee, "inside": {"kind": "variable_declarator"}}
    return [
        {**_any_kind(*_SCRIPT_FUNCTIONS, "class"), "inside": _any_kind(*_SCRIPT_BINDERS, field)},
        {**_any_kind(*_SCRIPT_FUNCTIONS), "nthChild": 1, "inside": {"kind": "arguments", "inside": call}},
    ]


def _calls(language: str, text: str) -> list[Rule]:
    """Imports that are ordinary calls: looked for only where the text has their word."""
    if language in {"javascript", "typescript", "tsx"}:
        found: list[Rule] = []
        if "require" in text or "import(" in text or "import (" in text:
            found.append({"kind": "call_expression", "has": {"field": "function", "regex": r"^(?:require|import)$"}})
        if "export" in text and "from" in text:
            found.append({"kind": "export_statement", "has": {"field": "source", "kind": "string"}})
        return found
    if language == "ruby" and ("require" in text or "load" in text):
        named = {"field": "method", "regex": r"^(?:require|require_relative|load|autoload)$"}
        return [{"kind": "call", "has": named}]
    if language == "bash" and ("source" in text or ". " in text):
        return [{"kind": "command", "has": {"field": "name", "regex": r"^(?:source|\.)$"}}]
    return []
