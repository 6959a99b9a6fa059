"""A gate that can not run, a unit ahead of its foundation: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Verdict
from leeboard.testing.scenario import play


def verdict(*lines: str) -> Verdict:
    found = play(('plan phase = "execute"', "plan worked = true", 'plan passed = "reviewer"', *lines)).told[-1].verdict
    assert found is not None
    return found


def test_a_missing_program_is_said_and_is_no_failure() -> None:
    """SH-58."""
    found = verdict('plan gate_missing = "pytest"', "leave Done.")
    assert found.rules == ("missing_deps",)
    assert "neither as passed nor as failed" in found.message
    assert "install pytest" in found.message


@pytest.mark.parametrize(("needed", "rules"), [("unit-02-mail", ("missing_deps",)), ("unit-09-x", ("missing_deps",))])
def test_a_unit_waits_for_what_it_depends_on(needed: str, rules: tuple[str, ...]) -> None:
    """SH-58: pending, or not there at all."""
    found = verdict(f'plan depends_on = ["{needed}"]', "leave Done.")
    assert found.rules == rules
    assert needed in found.message
