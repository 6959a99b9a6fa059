"""What a function sends."""

from __future__ import annotations

import pytest

from leeboard.code.flow._web_response import sends_html
from leeboard.code.syntax import parse


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", True),
        ('w.Header().Set("Content-Type", "application/json")', False),
        ('w.Header().Set("X", "text/html")', True),
    ],
)
def test_the_content_type_tells(line: str, *, wanted: bool) -> None:
    tree = parse(f"package a\nfunc f(w http.ResponseWriter) {{\n{line}\nfmt.Fprint(w, x)\n}}", "go")
    assert tree is not None
    call = tree.root.find_all(kind="call_expression")[-1]
    assert sends_html(call) is wanted
