from __future__ import annotations

import pytest

from leeboard.rule_parser import alternatives, declared_in

HEADER = b"""
RULE = Rule(code="LB-A901", channel="signal", subclass="A9", denies=False, summary="a, b", other=call("x"))
def detect(event: A | B, world: World, one: ns.Files, two: "Diffs") -> Iterator[Finding]: ...
"""


def test_a_header_as_plain_values() -> None:
    assert declared_in(HEADER) == {
        "traits": {"code": "LB-A901", "channel": "signal", "subclass": "A9", "denies": False, "summary": "a, b"},
        "listens": ("A", "B"),
        "wants": ["ns.Files", "Diffs"],
        "holds_wants": [],
    }


@pytest.mark.parametrize("text", [HEADER.partition(b"def")[0], HEADER.partition(b"def")[2], b"RULE = Rule("])
def test_what_is_no_whole_header_is_refused(text: bytes) -> None:
    with pytest.raises((SyntaxError, LookupError)):
        declared_in(text)


def test_a_parameter_nobody_can_supply_is_refused() -> None:
    with pytest.raises(LookupError, match="detect"):
        declared_in(HEADER.replace(b"one: ns.Files", b"one"))


def test_alternatives() -> None:
    assert alternatives("A|B  | None") == ("A", "B", "None")
