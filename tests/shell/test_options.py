from __future__ import annotations

import pytest

from leeboard.shell.options import Parsed, parse


@pytest.mark.parametrize(
    ("line", "valued", "expected"),
    [
        ("-a b -c", "", Parsed([("-a", ""), ("-c", "")], ["b"])),
        ("-ab c", "-b", Parsed([("-a", ""), ("-b", "c")], [])),
        ("-bc d", "-b", Parsed([("-b", "c")], ["d"])),
        ("--x=1 --y 2 --z", "--y", Parsed([("--x", "1"), ("--y", "2"), ("--z", "")], [])),
        ("-- -a b", "", Parsed([], ["-a", "b"])),
        ("- a", "", Parsed([], ["-", "a"])),
        ("-b", "-b", Parsed([("-b", "")], [])),
        ("--y", "--y", Parsed([("--y", "")], [])),
    ],
)
def test_options_and_operands(line: str, valued: str, expected: Parsed) -> None:
    assert parse(line.split(), valued) == expected


def test_in_order_stops_at_the_first_operand() -> None:
    assert parse(["-a", "b", "-c"], in_order=True) == Parsed([("-a", "")], ["b", "-c"])


def test_values_keep_their_order() -> None:
    parsed = parse(["-e", "1", "--e", "2"], "-e --e")
    assert parsed.values("-e", "--e") == ["1", "2"]
    assert parsed.has("--e")
    assert not parsed.has("-x")
