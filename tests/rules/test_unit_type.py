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


@pytest.mark.parametrize(
    ("line", "denied"),
    [
        (f"write {UNITS}/foo.md | ---\ntitle: x\n---\n", True),
        (f"write {UNITS}/unit-a.md | ---\ntitle: x\n---\n", True),
        (f"write {UNITS}/unit-03-Send_Mail.md | ---\ntitle: x\n---\n", True),
        (f"$ cat > {UNITS}/foo.md <<'EOF'\n---\ntitle: x\n---\nEOF", True),
        (f"write {UNITS}/unit-03-send-mail.md | ---\ntitle: x\n---\n", False),
        (f"edit {UNITS}/old.md | title: x => title: y", False),
        (f"write {UNITS}/sketch.png.txt | x", False),
        ("write .haiku/intents/login/knowledge/foo.md | x", False),
        ("$ ls .haiku/intents/login/stages/build/units/foo.md", False),
    ],
)
def test_a_new_unit_has_a_unit_s_name(line: str, *, denied: bool) -> None:
    """SH-57: told at the write, with the form that is right."""
    known = f"repo {UNITS}/old.md | ---\ntitle: x\n---\n"
    verdict = play(('plan phase = "elaborate"', known, line)).proposed()[-1]
    assert (verdict.action is Action.DENY) == denied
    if denied:
        assert verdict.rules == ("unit_type",)
        assert "unit-NN-short-name.md" in verdict.message
