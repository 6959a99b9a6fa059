"""Which kinds of nodes are calls, settings and comparisons, language by language."""

from __future__ import annotations

_ECMA_SETTINGS = ("variable_declarator", "assignment_expression", "pair")

CALLS: dict[str, tuple[str, ...]] = {
    "python": ("call",),
    "javascript": ("call_expression", "new_expression"),
    "typescript": ("call_expression", "new_expression"),
    "tsx": ("call_expression", "new_expression"),
    "go": ("call_expression", "composite_literal"),
    "java": ("method_invocation", "object_creation_expression"),
    "kotlin": ("call_expression",),
    "csharp": ("invocation_expression", "object_creation_expression"),
    "php": (
        "function_call_expression",
        "member_call_expression",
        "scoped_call_expression",
        "object_creation_expression",
    ),
    "ruby": ("call",),
    "rust": ("call_expression",),
    "c": ("call_expression",),
    "cpp": ("call_expression", "new_expression"),
}
SETTINGS: dict[str, tuple[str, ...]] = {
    "python": ("assignment", "keyword_argument", "pair", "default_parameter", "typed_default_parameter"),
    "javascript": (*_ECMA_SETTINGS, "field_definition"),
    "typescript": (*_ECMA_SETTINGS, "public_field_definition"),
    "tsx": (*_ECMA_SETTINGS, "public_field_definition"),
    "go": ("short_var_declaration", "assignment_statement", "var_spec", "const_spec", "keyed_element"),
    "java": ("variable_declarator", "assignment_expression"),
    "kotlin": ("property_declaration", "assignment"),
    "csharp": ("variable_declarator", "assignment_expression"),
    "php": ("assignment_expression", "array_element_initializer", "const_element", "property_element"),
    "ruby": ("assignment", "pair"),
    "rust": ("let_declaration", "const_item", "static_item", "assignment_expression", "field_initializer"),
    "c": ("init_declarator", "assignment_expression", "preproc_def"),
    "cpp": ("init_declarator", "assignment_expression", "preproc_def"),
}
_LEFT_RIGHT, _NAME_VALUE, _KEY_VALUE = ("left", "right"), ("name", "value"), ("key", "value")
FIELDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("assignment", "assignment_expression", "short_var_declaration", "assignment_statement"), _LEFT_RIGHT
    ),
    **dict.fromkeys(
        (
            "keyword_argument",
            "default_parameter",
            "typed_default_parameter",
            "variable_declarator",
            "var_spec",
            "const_spec",
            "const_item",
            "static_item",
            "preproc_def",
        ),
        _NAME_VALUE,
    ),
    "pair": _KEY_VALUE,
    "let_declaration": ("pattern", "value"),
    "init_declarator": ("declarator", "value"),
    "field_initializer": ("field", "value"),
}
"""Where a kind of setting has its name and its value; the others have them first and last."""
COMPARES: dict[str, tuple[str, ...]] = {
    "python": ("comparison_operator",),
    "kotlin": ("equality_expression",),
    "ruby": ("binary",),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx", "go", "java", "csharp", "php", "rust", "c", "cpp"), ("binary_expression",)
    ),
}

_JVM_COMMENTS = ("line_comment", "block_comment")
_ECMA_TEXT = ("comment", "string_fragment")
NOT_CODE: dict[str, tuple[str, ...]] = {
    "python": ("comment", "string_content"),
    "javascript": _ECMA_TEXT,
    "typescript": _ECMA_TEXT,
    "tsx": _ECMA_TEXT,
    "go": ("comment", "interpreted_string_literal", "raw_string_literal"),
    "java": (*_JVM_COMMENTS, "string_literal"),
    "kotlin": ("line_comment", "multiline_comment", "string_literal"),
    "csharp": ("comment", "string_literal", "verbatim_string_literal"),
    "php": ("comment", "string_content"),
    "ruby": ("comment", "string_content"),
    "rust": (*_JVM_COMMENTS, "string_content"),
    "c": ("comment", "string_content"),
    "cpp": ("comment", "string_content"),
}
"""Comments, and the insides of strings."""
