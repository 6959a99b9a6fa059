"""A unit of a type its stage does not have: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Action
from leeboard.testing.scenario import play

UNITS = ".haiku/intents/login/stages/build/units"
TYPES = 'plan unit_types = ["feature", "fix"]'


@pytest.mark.parametrize(
    ("line", "denied"),
    [
        (f"write {UNITS}/unit-02-a.md | ---\ntype: mockup\n---\n", True),
        (f"write {UNITS}/unit-02-a.md | ---\ntype: 'mockup'  # or so\n---\n", True),
        (f"edit {UNITS}/unit-01-b.md | type: fix => type: mockup", True),
        (f"edit {UNITS}/unit-01-b.md | type: fix => type: feature", False),
        (f"write {UNITS}/unit-02-a.md | ---\ntitle: x\n---\ntype: mockup\n", False),
        (f"write {UNITS}/unit-02-a.md | no frontmatter\n", False),
        (".haiku", False),
    ],
)
def test_the_type_is_read_as_the_file_is(line: str, *, denied: bool) -> None:
    """SH-57."""
    known = f"repo {UNITS}/unit-01-b.md | ---\ntype: fix\n---\n"
    last = line if " " in line else "write .haiku/intents/login/knowledge/type.md | ---\ntype: mockup\n---\n"
    verdict = play(('plan phase = "elaborate"', TYPES, known, last)).proposed()[-1]
    assert (verdict.action is Action.DENY) == denied
    if denied:
        assert verdict.rules == ("unit_type",)
        assert "feature, fix" in verdict.message
