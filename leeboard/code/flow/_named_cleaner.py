"""Functions that say in their name what they make harmless, wherever they are defined.

What they do inside (a loop over characters, a table of replacements) is more than the engine can follow.
"""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import known
from leeboard.model.pattern import lazy

_CLEANERS = (
    (
        lazy(
            (
                r"(?:escape|encode|sanitize|clean|purify)_?(?:html|xml|markup)|(?:html"
                r"|xml)_?(?:special_?chars|escape|encode|entities|sanitize)"
            )
        ),
        "text.without_markup",
    ),
    (lazy(r"(?:escape|quote|sanitize)_?(?:shell|arg|cmd|command)|shell_?(?:escape|quote)"), "text.as_shell_word"),
    (
        lazy(r"(?:sanitize|secure|safe|clean)_?file_?name|sanitize_?path|safe_?(?:join|path)$|secure_?join"),
        "text.as_file_name",
    ),
    (lazy(r"(?:escape|quote|sanitize)_?(?:sql|identifier|ident|literal)$"), "text.as_sql_word"),
    (
        lazy(r"(?:escape|encode|sanitize)_?(?:ldap|xpath|filter|dn)|(?:ldap|xpath)_?(?:escape|encode)"),
        "text.as_filter_value",
    ),
    (
        lazy(r"(?:sanitize|strip|clean|escape)_?(?:log|header|crlf|new_?lines?)|log_?(?:sanitize|escape)"),
        "text.without_newlines",
    ),
)
_LONGEST = 60


def named_cleaner(call: ir.Call) -> ir.Expr:
    """The call as one of a cleaner the tables know; as it is where its name promises nothing."""
    path = ir.dotted(call.callee)
    name = path.rpartition(".")[2].lower()[:_LONGEST]
    if not call.args or name.startswith(("is", "has", "un", "de", "no")):
        return call
    for pattern, known_as in _CLEANERS:
        if pattern.search(name):
            return known(call.line, known_as, *call.args[:1])
    return call
