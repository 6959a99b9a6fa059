"""Names in a function's text, and in what it calls."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.state import Mentions

TEXT = """\
def first(self):
    return self.a + self.second()
def second(self):
    if hasattr(self, 'b'):
        return 1
def third(self):
    return helper(self)
def alone(self): return self.c
"""


def function(name: str, line: int, end: int) -> ir.Function:
    return ir.Function(name=name, line=line, end=end, lower=tuple)


FIRST, SECOND, THIRD, ALONE = (
    function("first", 1, 2),
    function("second", 3, 5),
    function("third", 6, 7),
    function("alone", 8, 8),
)
MENTIONS = Mentions(TEXT)
MENTIONS.functions = {item.name: [item] for item in (FIRST, SECOND, THIRD, ALONE)}


def test_what_it_calls_is_read_as_well() -> None:
    found = MENTIONS.of(FIRST)
    assert found.names is not None
    assert {"a", "b"} <= found.names
    assert "c" not in found.names
    assert found.calls_own


def test_a_field_that_is_asked_for_by_name_is_one_name() -> None:
    found = MENTIONS.of(SECOND)
    assert found.names is not None
    assert "b" in found.names
    assert not found.calls_own


def test_an_object_that_is_handed_on_may_be_read_whole() -> None:
    assert MENTIONS.of(THIRD).names is None
    assert MENTIONS.of(ALONE).names is None  # its head stands on the same line
