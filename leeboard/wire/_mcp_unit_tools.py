"""The tools of a unit of work."""

from __future__ import annotations

from leeboard.wire._mcp_run_tools import INTENT
from leeboard.wire.mcp_schema import content, identifier, needed, reader, text, writer

UNIT = needed(identifier("The unit: the name of its file without .md, such as unit-01-token-check."))
STAGE = identifier("Name of the stage. Left out: the active one.")

UNIT_TOOLS = (
    writer("haiku_unit_start", "Begin a unit: its first hat is put on.", intent=INTENT, unit=UNIT),
    writer(
        "haiku_unit_advance_hat",
        "The current hat's work on the unit is done. The last hat completes the unit, and its branch is merged.",
        intent=INTENT,
        unit=UNIT,
        reason=text("Why nothing had to change, where nothing did; people see it at the gate."),
    ),
    writer(
        "haiku_unit_reject_hat",
        "The hat before fell short: back to it, one bolt on; the first hat begins again.",
        intent=INTENT,
        unit=UNIT,
        reason=text("What is wrong, so that the hat before can put it right."),
    ),
    writer("haiku_unit_increment_bolt", "Begin another pass of the current hat.", intent=INTENT, unit=UNIT),
    reader(
        "haiku_unit_get",
        "A unit's fields; with `field`, that one alone.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        field=identifier("Name of a field, such as status, hat or bolt."),
    ),
    writer(
        "haiku_unit_set",
        "Set one field of a unit. Once it is under way only its outputs, and `criteria`: a list of those that are met.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        field=needed(identifier("Name of the field, such as title or depends_on.")),
        value=needed({"description": "Its new value: a text, a number, true or false, or a list."}),
    ),
    reader("haiku_unit_list", "The units of a stage, in waves.", intent=INTENT, stage=STAGE),
    reader("haiku_unit_read", "A unit's file as it is.", intent=INTENT, stage=STAGE, unit=UNIT),
    writer(
        "haiku_unit_write",
        "Write a unit's whole file: frontmatter, then a body with `- [ ]` criteria. Only while nobody has begun it.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        content=needed(content("The file's text.")),
    ),
    writer("haiku_unit_delete", "Remove a unit that nobody has begun.", intent=INTENT, stage=STAGE, unit=UNIT),
)
