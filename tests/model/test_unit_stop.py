from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.unit import Pass, Unit, WorkedOn

UNIT = Unit(id="unit-01-x", stage="build", status="active", hat="builder", bolt=1)


@pytest.mark.parametrize(
    ("unit", "recorded"),
    [
        (UNIT, False),
        (replace(UNIT, body="more text"), False),
        (replace(UNIT, hat="reviewer"), True),
        (replace(UNIT, bolt=2), True),
        (replace(UNIT, passes=(Pass(hat="builder"),)), True),
        (replace(UNIT, status="completed"), True),
    ],
)
def test_a_pass_is_recorded_when_the_unit_moved(unit: Unit, *, recorded: bool) -> None:
    """SH-55."""
    assert WorkedOn(unit=unit, hat="builder", bolt=1, passes=0).is_recorded == recorded
