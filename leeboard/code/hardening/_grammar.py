"""Which kinds of nodes handle an error, repeat something, decide something or are no code, language by language."""

from __future__ import annotations

_QUOTED_C = ("string_literal", "raw_string_literal", "char_literal")
_ECMA = ("string", "template_string", "regex", "comment")
_ECMA_LOOPS = ("for_statement", "for_in_statement", "while_statement", "do_statement")
_C_LOOPS = ("for_statement", "while_statement", "do_statement")

NOT_CODE: dict[str, tuple[str, ...]] = {
    "python": ("string", "comment"),
    "javascript": (*_ECMA, "jsx_text"),
    "typescript": _ECMA,
    "tsx": (*_ECMA, "jsx_text"),
    "go": ("interpreted_string_literal", "raw_string_literal", "rune_literal", "comment"),
    "java": ("string_literal", "character_literal", "line_comment", "block_comment"),
    "ruby": ("string", "heredoc_body", "regex", "string_array", "comment"),
    "php": ("string", "encapsed_string", "heredoc", "nowdoc", "comment"),
    "rust": (*_QUOTED_C, "line_comment", "block_comment"),
    "csharp": (
        *("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"),
        *("character_literal", "comment"),
    ),
    "kotlin": ("string_literal", "character_literal", "line_comment", "multiline_comment"),
    "c": ("string_literal", "char_literal", "comment"),
    "cpp": (*_QUOTED_C, "comment"),
}
"""Comments and literals of characters: what stands in them is written, not done."""

HANDLERS: dict[str, tuple[str, ...]] = {
    "python": ("except_clause",),
    **dict.fromkeys(("javascript", "typescript", "tsx", "java", "csharp", "php", "cpp"), ("catch_clause",)),
    "ruby": ("rescue", "rescue_modifier"),
    "kotlin": ("catch_block",),
    "go": (),
    "rust": ("match_arm",),
    "c": (),
}
LOOPS: dict[str, tuple[str, ...]] = {
    "python": ("for_statement", "while_statement"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), _ECMA_LOOPS),
    "go": ("for_statement",),
    "java": (*_C_LOOPS, "enhanced_for_statement"),
    "csharp": (*_C_LOOPS, "foreach_statement"),
    "php": (*_C_LOOPS, "foreach_statement"),
    "kotlin": ("for_statement", "while_statement", "do_while_statement"),
    "rust": ("for_expression", "while_expression", "loop_expression"),
    "ruby": ("while", "until", "for", "do_block", "while_modifier", "until_modifier"),
    "c": _C_LOOPS,
    "cpp": (*_C_LOOPS, "for_range_loop"),
}
DECISIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("python", "go", "java", "csharp", "php", "c", "cpp"), ("if_statement",)),
    **dict.fromkeys(("javascript", "typescript", "tsx"), ("if_statement",)),
    "kotlin": ("if_expression",),
    "rust": ("if_expression",),
    "ruby": ("if", "unless", "if_modifier", "unless_modifier"),
}
CALLS: dict[str, tuple[str, ...]] = dict.fromkeys(("javascript", "typescript", "tsx"), ("call_expression",))
"""Where a call may be given what to do when another one fails."""

BODIES = frozenset(
    {"block", "statement_block", "compound_statement", "statements", "then", "control_structure_body", "statement_list"}
)
