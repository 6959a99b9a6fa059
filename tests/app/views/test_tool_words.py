"""What a person does where an agent calls a tool."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import leeboard
from leeboard.app.views.tool_words import COMMANDS, for_people
from leeboard.surfaces.mcp.tools import tools


@pytest.mark.parametrize(
    ("text", "facts", "shown"),
    [
        ("Call haiku_run_next: it says.", {}, "Run `leeboard flow next`: it says."),
        ("`haiku_run_next`", {}, "`leeboard flow next`"),
        (
            "haiku_feedback_list, haiku_feedback.",
            {},
            "`leeboard flow feedback list`, `leeboard flow feedback add TITLE`.",
        ),
        ("Begin it with haiku_unit_start unit-01-a.", {}, "Begin it with `leeboard flow unit unit-01-a --start`."),
        ("with haiku_unit_start", {"unit": "unit-02-b"}, "with `leeboard flow unit unit-02-b --start`"),
        ("with haiku_unit_start", {"unit": None, "units": ["a"]}, "with `leeboard flow unit UNIT --start`"),
        ("haiku_feedback_reject_hat", {"feedback_id": "FB-01"}, "`leeboard flow feedback fix FB-01 --again WHY`"),
        ("haiku_feedback_read FB-03", {}, "`leeboard flow feedback show FB-03`"),
        ("haiku_feedback_update and a `reply`: so.", {}, "`leeboard flow feedback reply ID TEXT`: so."),
        ("haiku_intent_unarchive", {"intent": "thing"}, "`leeboard flow archive thing --undo`"),
        ("haiku_run_next unit-01-a", {}, "`leeboard flow next` unit-01-a"),
        ("haiku_unheard_of stays", {}, "haiku_unheard_of stays"),
        ("haiku(thing): a commit", {}, "haiku(thing): a commit"),
        ("haiku_feedback_read", {"items": [{"feedback_id": "FB-07"}]}, "`leeboard flow feedback show FB-07`"),
        ("haiku_feedback_read", {"feedback_ids": ["FB-07", "FB-08"]}, "`leeboard flow feedback show ID`"),
        (
            "haiku_review_report",
            {"agents": [{"name": "critic"}]},
            "`leeboard flow report critic --text TEXT`",
        ),
        (
            "then call haiku_feedback_update with status addressed; look",
            {"feedback_ids": ["FB-01"]},
            "then run `leeboard flow feedback triage FB-01 --status addressed`; look",
        ),
        (
            "change, call haiku_unit_advance_hat with the reason.",
            {"unit": "unit-01-a"},
            "change, run `leeboard flow unit unit-01-a --advance --because WHY`.",
        ),
        (
            "a person decides: approved, changes_requested.",
            {},
            "a person decides: `--approve`, `--request-changes TEXT`.",
        ),
        (
            "external_review can not be decided here; approved can.",
            {},
            "`--external [URL]` can not be decided here; `--approve` can.",
        ),
        ("It was approved. They say: changes_requested.", {}, "It was approved. They say: changes_requested."),
    ],
)
def test_tools_become_commands(text: str, facts: dict[str, object], shown: str) -> None:
    assert for_people(text, facts) == shown


def test_every_tool_has_a_way_for_people() -> None:
    assert {tool.name for tool in tools()} == {*COMMANDS}


def test_every_tool_that_a_text_of_the_engine_names_is_one() -> None:
    package = Path(leeboard.__path__[0])
    texts = [path.read_text() for part in ("plan/machine", "plan/disk") for path in (package / part).rglob("*.py")]
    named = {name.rstrip("_") for text in texts for name in re.findall(r"\bhaiku_[a-z_]+", text)}
    assert named
    assert named <= {*COMMANDS}
