"""Functions that say what they clean."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.lowering import named_cleaner


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("escapeHtml", "text.without_markup"),
        ("html_escape", "text.without_markup"),
        ("shellQuote", "text.as_shell_word"),
        ("sanitizeFilename", "text.as_file_name"),
        ("quoteIdentifier", "text.as_sql_word"),
        ("escapeLdap", "text.as_filter_value"),
        ("stripNewlines", "text.without_newlines"),
        ("unescapeHtml", "unescapeHtml"),
        ("isEscapedHtml", "isEscapedHtml"),
        ("render", "render"),
    ],
)
def test_a_name_promises(name: str, known_as: str) -> None:
    value = named_cleaner(ir.Call(1, ir.Name(1, name), (ir.Name(1, "x"),)))
    assert isinstance(value, ir.Call)
    assert ir.dotted(value.callee) == known_as
