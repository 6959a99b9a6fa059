from __future__ import annotations

import pytest

from leeboard.report.capture import why_not_analysed


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.py", "x = 1\n", ""),
        ("a.py", "x = 1\ndef broken(:\n    return (\n", "does not parse as python (line "),
        ("a.ts", "function f( {\n", "does not parse as typescript (line 1)"),
        ("a.swift", "func f() {}\n", "its language is not supported (.swift)"),
        ("a.vue", "<template/>\n", "its language is not supported (.vue)"),
        ("a.py", "x = 1\n" * 400_000, "too large, too broken or too deeply nested for the parser"),
        ("README.md", "# hi\n", ""),
        ("main.css", "a {}\n", ""),
        ("Dockerfile", "FROM x\n", ""),
        (".env", "A=1\n", ""),
        ("package-lock.json", "{", ""),
        ("a.c", "#define F(x) x\n" + "int a(void) { return 1; }\n" * 9 + "F(int) b { ) }\n", ""),
        ("a.py", "", ""),
        ("a.py", "\0\ufffd", "does not parse as python (line 1)"),
    ],
)
def test_the_reason_is_told(path: str, text: str, reason: str) -> None:
    found = why_not_analysed(path, text)
    assert found.startswith(reason)
    assert bool(found) is bool(reason)
