from __future__ import annotations

import pytest

from leeboard.contracts.hardening.forms import find_guards
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse


def _lines(text: str, language: str) -> list[tuple[int, ...]]:
    tree = parse(text, language)
    assert tree is not None
    return [one.lines for one in find_guards(HardeningSource(tree))]


def _python(guard: str, names: str = "abc") -> str:
    return "def f(a, b, c):\n" + "".join(f"    {guard.replace('X', name)}\n" for name in names) + "    return a\n"


@pytest.mark.parametrize(
    ("guard", "is_one"),
    [
        ("if X is None: return None", True),
        ("if not isinstance(X, int): raise TypeError", True),
        ("if isinstance(X, int): raise TypeError", True),
        ("if isinstance(X, int): return 1", False),
        ("if X is not None: return X", False),
        ("if X is None: g(X)", False),
        ("if X is None and g(): return None", False),
        ("if other is None: return None", False),
    ],
)
def test_what_a_guard_is(guard: str, *, is_one: bool) -> None:
    assert _lines(_python(guard), "python") == ([(2, 3, 4)] if is_one else [])


def test_what_an_object_holds_was_not_given() -> None:
    text = _python("if self.X is None: return None").replace("f(a", "f(self, a")
    assert _lines(text, "python") == []


def test_two_are_not_enough() -> None:
    assert _lines(_python("if X is None: return None", "ab"), "python") == []


def test_ruby_guards_stand_behind_what_they_guard() -> None:
    text = "def f(a, b, c)\n" + "".join(f"  raise E if {name}.nil?\n" for name in "abc") + "  a\nend\n"
    assert _lines(text, "ruby") == [(2, 3, 4)]
