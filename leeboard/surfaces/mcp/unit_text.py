"""A unit's file as its author may change it: what is refused, and boxes that are ticked off. Values in, values out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from leeboard.errors import WireError
from leeboard.model.plan import StageView
from leeboard.model.unit import Unit
from leeboard.surfaces.mcp.desk import RefusedError
from leeboard.wire.plan_files import parse_unit, protected, unit_number, with_fields

_BOX = re.compile(r"([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})\[ \]([ \t]+)(\S.*)")
_FENCE = re.compile(r"[ \t]{0,40}(`{3,}|~{3,})")
_NO_PATH = re.compile(r"[\s:,]")
_TRIVIAL = re.compile(r"\s*(?:true|:|exit\s+0|echo\b[^;&|]*|/bin/true|test\s+1)?\s*")
READ, WRITE = "haiku_unit_read", "haiku_unit_write"


def check_name(stage: StageView, unit: str) -> None:
    """A new unit has a name that says its number, and the number is free."""
    number = unit_number(unit)
    if number is None:
        raise RefusedError("unit_naming_invalid", f"{unit} is not named unit-NN-short-name.", WRITE)
    taken = next((known.id for known in stage.units if known.id != unit and unit_number(known.id) == number), "")
    if taken:
        raise RefusedError("unit_naming_invalid", f"{taken} has the number {number} already.", WRITE)


def check_change(before: str, after: str, unit: str, stage: StageView) -> Unit:
    """The unit as it would be. RefusedError where the change is not an author's to make, or makes no unit."""
    following = READ if before else WRITE
    changed = protected("unit", before, after)
    if changed:
        names = ", ".join(changed)
        words = f"{names}: set by the engine alone. Leave them as they are."
        raise RefusedError("fsm_field_forbidden", words, following)
    made = parse_unit(after, unit, stage.spec.name)
    wrong = next(_wrong(made, stage), None)
    if wrong is not None:
        raise RefusedError(*wrong, following)
    return made


def with_field(text: str, field: str, value: object) -> str:
    try:
        return with_fields(text, {field: value})
    except WireError as error:
        raise RefusedError("frontmatter_validation_failed", f"{field} can not be set: {error}", READ) from error


def ticked(text: str, unit: Unit, met: Iterable[str]) -> str:
    """The text with these criteria ticked off. RefusedError where one of them is no open criterion of the unit."""
    wanted = {criterion.strip() for criterion in met}
    known = {criterion for criterion, _ in unit.criteria}
    strange = sorted(wanted - known)
    if strange:
        open_ones = "; ".join(unit.unmet) or "none"
        raise RefusedError("criterion_not_found", f"No criterion {strange[0][:120]!r}. Open: {open_ones}", READ)
    return "".join(_ticked_lines(text, wanted))


def _ticked_lines(text: str, wanted: set[str]) -> Iterator[str]:
    """A box inside a code block is an example."""
    fence = ""
    for line in text.splitlines(keepends=True):
        marked = _FENCE.match(line)
        box = None if marked or fence else _BOX.match(line)
        if marked and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        yield f"{box[1]}[x]{line[box.end(1) + 3 :]}" if box and box[3].strip() in wanted else line


def _wrong(unit: Unit, stage: StageView) -> Iterator[tuple[str, str]]:
    """Code and words of each thing that keeps it from being a unit of the stage."""
    if unit.problem:
        yield "frontmatter_validation_failed", f"{unit.id}: {unit.problem}"
    if not unit.body.strip():
        yield "empty_body", f"{unit.id} says nothing of what is to be done."
    allowed = stage.spec.unit_types
    if allowed and unit.type and unit.type not in allowed:
        words = f"{unit.type} is no type of unit in stage {stage.spec.name}; it takes {', '.join(allowed)}."
        yield "spec_validation_failed", words
    for path in (*unit.inputs, *unit.outputs):
        if _NO_PATH.search(path):
            yield "frontmatter_validation_failed", f"{path[:120]!r} is no path of a file."
    for gate in unit.quality_gates:
        if _TRIVIAL.fullmatch(gate.command):
            yield "gate_trivially_passes", f"Quality gate {gate.name} can not fail: let it check something."
