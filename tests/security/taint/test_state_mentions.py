"""Names in a function's text, and in what it calls."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.state import ENDLESS, Mentions

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
    names = MENTIONS.of(FIRST)
    assert names is not None
    assert {"a", "b"} <= names
    assert "c" not in names


def test_a_field_that_is_asked_for_by_name_is_one_name() -> None:
    names = MENTIONS.of(SECOND)
    assert names is not None
    assert "b" in names


def test_an_object_that_is_handed_on_may_be_read_whole() -> None:
    assert MENTIONS.of(THIRD) is None
    assert MENTIONS.of(ALONE) is None  # its head stands on the same line


def test_how_many_functions_call_each_other_in_turn() -> None:
    assert MENTIONS.height_of(SECOND) == 0
    assert MENTIONS.height_of(FIRST) == 1


def test_functions_that_call_each_other_come_to_no_end() -> None:
    text = "def one():\n    return two()\ndef two():\n    return one()\ndef own():\n    return own()\n"
    names = ("one", 1, 2), ("two", 3, 4), ("own", 5, 6)
    one, two, own = (function(*place) for place in names)
    mentions = Mentions(text)
    mentions.functions = {item.name: [item] for item in (one, two, own)}
    assert mentions.height_of(one) == mentions.height_of(two) == ENDLESS
    assert mentions.height_of(own) == 0
