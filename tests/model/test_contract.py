"""What can be checked of what the work promised."""

from __future__ import annotations

import pytest

from leeboard.model.contract import Constraint


@pytest.mark.parametrize(
    "constraint",
    [
        Constraint(text="DO NOT x", kind="forbid", patterns=("x",)),
        Constraint(text="DO NOT test", kind="forbid", areas=("tests",)),
        Constraint(text="DO NOT push", kind="forbid", programs=("git push",)),
    ],
)
def test_a_limit_with_an_object_can_be_checked(constraint: Constraint) -> None:
    assert constraint.checkable


def test_a_wish_can_not() -> None:
    assert not Constraint(text="MUST keep the API stable", kind="must").checkable
