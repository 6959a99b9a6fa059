"""Plan files as a whole: trees of the earlier tool open, and edits keep what they do not name."""

from __future__ import annotations

import sys
from subprocess import run

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.plan.files.files import (
    parse_feedback,
    parse_intent,
    parse_settings,
    parse_unit,
    settings_slips,
    with_fields,
    with_settings,
)
from leeboard.plan.files.state import parse_stage_state

EARLIER_UNIT = """---
title: "Login form"
type: feature
depends_on: [unit-01-schema.md]
refs:
  - knowledge/DESIGN.md
quality_gates:
  - {name: tests, command: "npm test", dir: web}
status: completed
bolt: 2
hat: reviewer
started_at: 2026-04-16T10:00:00Z
completed_at: 2026-04-16T12:00:00.123Z
iterations:
  - hat: planner
    started_at: 2026-04-16T10:00:00Z
    completed_at: 2026-04-16T10:30:00Z
    result: advanced
    reason: null
  - hat: builder
    result: rejected
    reason: "tests fail"
  - hat: builder
    started_at: 2026-04-16T11:00:00Z
    completed_at: null
    result: null
applicable_skills: [forms]
---

# Login form

- [x] shows an error
- [ ] keeps the name
"""


def test_a_unit_of_the_earlier_tool_opens() -> None:
    unit = parse_unit(EARLIER_UNIT, "unit-02-login", "development")
    assert (unit.problem, unit.title, unit.depends_on, unit.inputs) == (
        "",
        "Login form",
        ("unit-01-schema",),
        ("knowledge/DESIGN.md",),
    )
    assert unit.started_at == "2026-04-16T10:00:00Z"
    assert unit.completed_at == "2026-04-16T12:00:00.123Z"
    assert [(worn.hat, worn.result) for worn in unit.passes] == [("planner", "advance"), ("builder", "reject")]
    assert unit.quality_gates[0].dir == "web"
    assert unit.unmet == ("keeps the name",)


@pytest.mark.parametrize(
    ("status", "read", "problem"),
    [
        ("blocked", "pending", ""),
        ("failed", "pending", ""),
        ("skipped", "completed", ""),
        ("active", "active", ""),
        ("dreaming", "pending", "status is 'dreaming'; valid are pending, active, completed"),
    ],
)
def test_statuses_of_the_earlier_tool(status: str, read: str, problem: str) -> None:
    unit = parse_unit(f"---\nstatus: {status}\n---\n", "unit-01-a", "s")
    assert (unit.status, unit.problem) == (read, problem)


def test_criteria_in_code_are_examples() -> None:
    """SH-15"""
    body = "* [ ] one\n```md\n- [ ] example\n```\n1. [X] two\n~~~\n- [ ] x\n```\n~~~\n  - [ ] three\n- [] none\n"
    unit = parse_unit(f"---\ntitle: t\n---\n{body}", "unit-01-a", "s")
    assert unit.criteria == (("one", False), ("two", True), ("three", False))


def test_an_intent_of_the_earlier_tool_opens() -> None:
    text = "---\ntitle: T\nstudio: software\nmode: discrete-hybrid\nstatus: archived\ncreated_at: 2026-04-16\nnew_key: {a: 1}\n---\nb\n"
    intent = parse_intent(text, "t")
    assert (intent.archived, intent.status, intent.mode, intent.created_at) == (
        True,
        "active",
        "discrete-hybrid",
        "2026-04-16",
    )
    assert intent.problem == ""
    assert parse_intent("# Only words\n", "t").title == "Only words"
    assert parse_intent("# Only words\n", "t").problem == "has no frontmatter"


def test_feedback_of_the_earlier_tool_opens() -> None:
    text = "---\ntitle: F\nstatus: addressed\norigin: user-chat\ntriaged_at: null\nresolution: null\nreplies: []\nvisit: 1\n---\nbody\n"
    item = parse_feedback(text, "feedback/03-f.md", "design")
    assert (item.id, item.status, item.resolution, item.is_human, item.problem) == ("FB-03", "addressed", "", True, "")
    assert "no number" in parse_feedback(text, "f.md", "design").problem


def test_settings() -> None:
    settings = parse_settings(
        "studio: library\ndrift_detection: false\nreview_agents: {security: false}\nquality_gates: [make]\n"
    )
    assert (settings.studio, settings.drift_detection, settings.review_agents) == (
        "library",
        False,
        {"security": False},
    )
    assert settings.quality_gates[0].command == "make"
    assert parse_settings("drift_detection: 'false'\n").drift_detection
    assert parse_settings("[").drift_detection
    assert parse_settings("[").problem.startswith(".haiku/settings.yml: ")
    assert parse_settings("").problem == ""
    assert with_settings("\ufeff# mine\nstudio: a # b\n", {"studio": "c"}) == "\ufeff# mine\nstudio: c # b\n"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("90", 90.0), ("0.5", 0.5), ("3600", 3600.0), ("", 0.0), ("0", 0.0), ("3601", 0.0), ("-1", 0.0)],
)
def test_how_long_a_gate_may_take(said: str, seconds: float) -> None:
    settings = parse_settings(f"gate_timeout: {said}\ndrift_seconds: {said}\n")
    assert (settings.gate_timeout, settings.drift_seconds) == (seconds, seconds)
    assert bool(settings.problem) == (bool(said) and not seconds)


@pytest.mark.parametrize("said", ["yes", "true", "[1]", "{a: 1}", ".nan", ".inf", "ten minutes"])
def test_a_time_limit_that_is_none_is_named(said: str) -> None:
    settings = parse_settings(f"gate_timeout: {said}\nstudio: a\n")
    assert (settings.gate_timeout, settings.studio) == (0.0, "a")
    assert "gate_timeout" in settings.problem


def test_an_edit_keeps_what_it_does_not_name() -> None:
    worn = [
        {"hat": "planner", "result": "advance"},
        {"hat": "builder", "result": "reject", "reason": "tests fail"},
        {
            "hat": "builder",
            "started_at": "2026-04-16T11:00:00Z",
            "completed_at": "2026-04-16T11:30:00Z",
            "result": "advance",
        },
    ]
    text = with_fields(
        EARLIER_UNIT, {"bolt": 3, "hat": "reviewer", "iterations": worn, "started_at": "2026-04-16T10:00:00Z"}
    )
    expected = EARLIER_UNIT.replace("bolt: 2", "bolt: 3").replace(
        "  - hat: builder\n    started_at: 2026-04-16T11:00:00Z\n    completed_at: null\n    result: null\n",
        '  - hat: builder\n    started_at: "2026-04-16T11:00:00Z"\n    completed_at: "2026-04-16T11:30:00Z"\n    result: advance\n',
    )
    assert text == expected
    crlf = EARLIER_UNIT.replace("\n", "\r\n")
    assert with_fields(crlf, {"bolt": 3}) == crlf.replace("bolt: 2", "bolt: 3")


def test_a_broken_file_is_not_written_to() -> None:
    with pytest.raises(WireError, match="never closed"):
        with_fields("---\na: 1\n", {"a": 2})


@given(text=st.text(max_size=80), fenced=st.booleans())
def test_garbage_never_raises(text: str, *, fenced: bool) -> None:
    text = f"---\n{text}\n---\n" if fenced else text
    parse_unit(text, "u", "s")
    parse_intent(text, "i")
    parse_feedback(text, text, "s")
    parse_settings(text)
    parse_stage_state(text, "s")


def test_ordinary_files_need_no_yaml_library() -> None:
    """The hook path reads the plan and pays for every import."""
    code = (
        "import sys; from leeboard.plan.files.files import *; from leeboard.model.unit import *;"
        "parse_unit(new_unit(Unit(id='unit-01-a', stage='s', title='It: works',"
        " passes=(Pass(hat='a', started_at='2026-01-01T00:00:00Z', reason='x\\ny'),))), 'unit-01-a', 's');"
        "sys.exit('ruamel.yaml' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("", []),
        ("studio: software\ndrift_detection: false\nelsewhere: {a: 1}\n", []),
        ("drift_detection: no way\n", [".haiku/settings.yml:1: drift_detection must be true or false; it stays on"]),
        ("human_write_require_rationale: 1\n", ["human_write_require_rationale must be true or false; it stays off"]),
        (
            "# mine\n\n'drift_detect': false\n",
            [".haiku/settings.yml:3: nobody reads 'drift_detect'; is 'drift_detection' meant?"],
        ),
        ("drift_seconds: soon\n", [".haiku/settings.yml:1: drift_seconds must be a number of seconds"]),
        ("studio: a\ndrift_ignore: x\n", [".haiku/settings.yml:2: drift_ignore must be a list"]),
        ("a: [\n", [".haiku/settings.yml: line 2: not valid YAML"]),
    ],
)
def test_slips_in_settings_are_named(text: str, slips: list[str]) -> None:
    found = settings_slips(parse_settings(text), text)
    assert len(found) == len(slips)
    assert all(slip in told for slip, told in zip(slips, found, strict=True))
