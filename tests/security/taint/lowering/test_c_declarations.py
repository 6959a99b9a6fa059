"""Declarations of C and C++."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.c import lower
from leeboard.source.syntax import parse


def _function(code: str) -> ir.Function:
    tree = parse(code, "cpp")
    assert tree is not None
    (define,) = lower(tree).body
    assert isinstance(define, ir.Define)
    return define.function


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("char *p = a;", {"p": "a"}),
        ("std::ifstream in(name);", {"in": "ifstream()"}),
        ('std::ifstream in("x" + name);', {"in": "ifstream()"}),
        ("int n = recv(s, buffer, 1, 0);", {"buffer": "socket.read()", "n": "buffer"}),
        ("char *p = a, q[2];", {"p": "a", "q": ""}),
    ],
)
def test_first_values(code: str, values: dict[str, str]) -> None:
    found = [each for each in _function(f"void f() {{ {code} }}").lower() if isinstance(each, ir.Assign)]
    assert {ir.dotted(each.targets[0]): ir.dotted(each.value) for each in found} == values


def test_the_format_of_a_printing_function_is_its_callers() -> None:
    params = _function("void note(const char *fmt, ...) {}").params
    assert params[0].annotation.startswith("format ")


def test_names_and_owners() -> None:
    function = _function("char *Store::load(const std::string& name) { return 0; }")
    assert (function.name, function.owner, function.params[0].name) == ("load", "Store", "name")
