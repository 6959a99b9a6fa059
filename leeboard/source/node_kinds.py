"""Which nodes of each grammar define something and which import something."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from leeboard.data import load

DefinitionKind = Literal["function", "method", "class"]
Rule = dict[str, Any]
"""A rule of ast-grep: what one node must be."""

_SCRIPT_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")
_SCRIPT_BINDERS = ("variable_declarator", "pair", "assignment_expression", "export_statement")


class _Nodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    imports: tuple[str, ...]
    function: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    class_: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    """Functions without a name of their own: they count where they are given one."""

    @property
    def defines(self) -> dict[str, str]:
        named = (("function", self.function), ("method", self.method), ("class", self.class_))
        return {node: kind for kind, nodes in named for node in nodes}


class _Definitions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bodies: dict[str, str]
    languages: dict[str, _Nodes]


_TABLE = load("source/definitions", _Definitions)

DEFINES = {language: nodes.defines for language, nodes in _TABLE.languages.items()}
"""Kind of node to kind of definition. A function right inside a class is a method of it."""

IMPORTS = {language: nodes.imports for language, nodes in _TABLE.languages.items()}

LANGUAGES = frozenset(DEFINES) | {"html", "yaml", "json"}
"""Those the parser may be asked for: it ends the thread that asks for another."""

_WRAPPERS = r"(?:^|\.)(?:memo|forwardRef|useCallback|observer|debounce|throttle)$|[Hh]andler$|^wrap|^with[A-Z]"


def rule_of(language: str, text: str) -> Rule:
    """One rule for everything that is looked for in a text of that language."""
    bound = _TABLE.languages[language].bound
    plain: list[Rule] = [{"kind": kind} for kind in IMPORTS[language]]
    plain += [_defining(kind) for kind in DEFINES[language] if kind not in bound]
    return {"any": [{"kind": "ERROR"}, *plain, *_bound_functions(language), *_calls(language, text)]}


def _defining(kind: str) -> Rule:
    body = _TABLE.bodies.get(kind)
    return {"kind": kind, "has": {"kind": body}} if body else {"kind": kind}


def _any_kind(*kinds: str) -> Rule:
    return {"any": [{"kind": kind} for kind in kinds]}


def _bound_functions(language: str) -> list[Rule]:
    if language == "go":
        spec = _any_kind("short_var_declaration", "var_spec", "assignment_statement")
        return [{"kind": "func_literal", "inside": {"kind": "expression_list", "inside": spec}}]
    if language == "php":
        return [{**_any_kind("anonymous_function", "arrow_function"), "inside": {"kind": "assignment_expression"}}]
    if not _TABLE.languages[language].bound:
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
