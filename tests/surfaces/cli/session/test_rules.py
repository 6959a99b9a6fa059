from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.rule import discover

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_every_rule_is_listed(desk: Desk) -> None:
    out = desk.ok("rules").out
    for rule in discover():
        assert f"{rule.code}  {rule.id} " in out
    found = desk.ok("rules", "--json").objects
    assert [one["id"] for one in found] == [rule.id for rule in discover()]
    assert [one["id"] for one in found if one["denies"]] == [rule.id for rule in discover() if rule.rule.denies]


def test_when_a_rule_refuses_is_told(desk: Desk) -> None:
    lines = desk.ok("rules", env={"COLUMNS": "120"}).out.splitlines()
    rows = {line.split()[1]: tuple(line.split()[2:4]) for line in lines[1:] if line.startswith("LB-")}
    assert rows["self_allowance"] == ("-", "always")
    assert rows["scope_drift"] == ("-", "enforce")
    assert rows["broken_constraint"] == ("-", "always")
    assert rows["credential"] == ("B1", "certain")
    assert rows["duplicate_build"] == ("A1", "never")
