from __future__ import annotations

import pytest

from leeboard.model.plan import StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit
from leeboard.plan.files.files import parse_unit
from leeboard.surfaces.mcp.calls import RefusedError
from leeboard.surfaces.mcp.unit_handlers import check_change, check_name, ticked, with_field

STAGE = StageView(
    spec=StageSpec(name="build", unit_types=("code",)),
    state=StageState(stage="build"),
    units=(Unit(id="unit-01-one", stage="build"),),
)
TEXT = """---
title: One   # kept
type: code
inputs: [intent.md]
---
Do it.

- [ ] works
- [x] is tested
* [ ] is **fast**
```
- [ ] works
```
"""


@pytest.mark.parametrize(
    ("unit", "code"),
    [("unit-01-one", ""), ("unit-02-x", ""), ("unit-01-other", "number 1"), ("unit-x", "unit-NN"), ("u", "unit-NN")],
)
def test_names(unit: str, code: str) -> None:
    """SH-24."""
    if not code:
        check_name(STAGE, unit)
        return
    with pytest.raises(RefusedError, match=code) as caught:
        check_name(STAGE, unit)
    assert caught.value.code == "unit_naming_invalid"


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (TEXT.replace("title: One", "status: completed"), "fsm_field_forbidden"),
        (TEXT.replace("title: One", "'bolt': 3"), "fsm_field_forbidden"),
        (TEXT.replace("title: One", "title: [One"), "frontmatter_validation_failed"),
        ("no frontmatter", "frontmatter_validation_failed"),
        ("---\ntitle: One\n---\n \n", "empty_body"),
        (TEXT.replace("type: code", "type: poem"), "spec_validation_failed"),
        (TEXT.replace("type: code\n", ""), "spec_validation_failed"),
        (TEXT.replace("intent.md", "'the file: x'"), "frontmatter_validation_failed"),
        (TEXT.replace("inputs", "quality_gates: [{name: t, command: 'true'}]\ninputs"), "gate_trivially_passes"),
        (TEXT.replace("inputs", "quality_gates: [{name: t, command: 'exit  0'}]\ninputs"), "gate_trivially_passes"),
        (
            TEXT.replace("inputs", "quality_gates: [{name: t, command: pytest || true}]\ninputs"),
            "gate_trivially_passes",
        ),
        (
            TEXT.replace("inputs", "quality_gates: [{name: t, command: 'pytest; true'}]\ninputs"),
            "gate_trivially_passes",
        ),
    ],
)
def test_what_an_author_may_not_write(after: str, code: str) -> None:
    """SH-12, SH-25. Nobody is told to read a unit that is not there yet."""
    for before, following in ((TEXT, "haiku_unit_read"), ("", "haiku_unit_write")):
        with pytest.raises(RefusedError) as caught:
            check_change(before, after, "unit-01-one", STAGE)
        assert (caught.value.code, caught.value.following) == (code, following)


def test_what_an_author_may_write() -> None:
    gate = "quality_gates: [{name: t, command: 'pytest -q'}]\ninputs"
    unit = check_change(TEXT, TEXT.replace("inputs", gate), "unit-01-one", STAGE)
    assert unit.title == "One"
    assert unit.quality_gates[0].command == "pytest -q"
    assert check_change("", TEXT, "unit-01-one", STAGE).unmet == ("works", "is **fast**")


def test_a_field_is_set_and_all_else_stays() -> None:
    assert with_field(TEXT, "title", "Two") == TEXT.replace("One", "Two")
    with pytest.raises(RefusedError):
        with_field("---\n[\n---\n", "title", "Two")


def test_boxes_are_ticked_off() -> None:
    unit = parse_unit(TEXT, "unit-01-one", "build")
    done = ticked(TEXT, unit, ["works", "is tested"])
    assert done == TEXT.replace("- [ ] works\n- [x]", "- [x] works\n- [x]")
    assert parse_unit(done, "unit-01-one", "build").unmet == ("is **fast**",)
    with pytest.raises(RefusedError, match="No criterion 'flies'") as caught:
        ticked(TEXT, unit, ["flies"])
    assert caught.value.code == "criterion_not_found"
