"""A work item of a stage: what it says of itself."""

from __future__ import annotations

from leeboard.model.unit import Unit


def test_unmet_criteria() -> None:
    unit = Unit(id="unit-01-a", stage="a", criteria=(("one", True), ("two", False)))
    assert unit.unmet == ("two",)
