"""Every tool against input that means harm: a code, and nothing written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from leeboard.surfaces.mcp.handlers import HANDLERS, secret_in
from leeboard.surfaces.mcp.tools import Tool, tools
from tests.leak import live_key
from tests.mcp_agent import Agent, Answer

HOSTILE = ["../../etc", "/etc/passwd", ".hidden", "a/b", "a\0b", "a\nb", "\ud800", "", " x", "x" * 200, "-rf"]
FITTING = {"string": "x", "array": [], "boolean": True}


def test_every_tool_has_its_handler() -> None:
    assert set(HANDLERS) == {tool.name for tool in tools()}


def state(root: Path) -> dict[str, bytes]:
    """Everything in the project but who counts and locks."""
    files = (path for path in root.rglob("*") if path.is_file() and not {".git", "locks"} & {*path.parts})
    counted = {"intent-tick.json", ".last_action.json"}
    return {str(path): path.read_bytes() for path in files if path.name not in counted}


def fitting(tool: Tool) -> dict[str, Any]:
    """The least that its schema takes."""
    schemas = {name: tool.fields[name] for name in tool.required}
    return {name: schema.get("enum", [FITTING[schema.get("type", "string")]])[0] for name, schema in schemas.items()}


def test_names_that_lead_elsewhere_are_refused_by_every_tool(builder: Agent) -> None:
    before = state(builder.root)
    for tool in tools():
        for field in tool.identifiers:
            for name in HOSTILE:
                answer = builder.refused(tool.name.removeprefix("haiku_"), **(fitting(tool) | {field: name}))
                assert answer == "invalid_arguments", (tool.name, field, name)
    assert state(builder.root) == before


def test_unknown_missing_and_wrong_arguments_are_refused_by_every_tool(builder: Agent) -> None:
    before = state(builder.root)
    for tool in tools():
        name = tool.name.removeprefix("haiku_")
        assert builder.refused(name, **(fitting(tool) | {"surprise": 1})) == "invalid_arguments"
        for field in tool.required:
            given = fitting(tool)
            del given[field]
            assert builder.refused(name, **given) == "invalid_arguments"
        for field, schema in tool.fields.items():
            if "type" in schema:
                assert builder.refused(name, **(fitting(tool) | {field: {"x": 1}})) == "invalid_arguments"
    assert state(builder.root) == before


def test_no_tool_falls_over_without_an_intent(agent: Agent) -> None:
    """Whatever is answered, it is an answer."""
    for tool in tools():
        if tool.name not in {"haiku_intent_create", "haiku_settings_set"}:
            agent(tool.name.removeprefix("haiku_"), **fitting(tool))


def test_a_project_without_git_or_anything_else(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    bare = Agent(folder)
    assert bare("intent_list")["intents"] == []
    assert bare.refused("run_next") == "not_possible"
    for tool in tools():
        bare(tool.name.removeprefix("haiku_"), **fitting(tool))


@pytest.mark.parametrize("part", ["intents", "intents/thing", "intents/thing/intent.md", "intents/thing/stages"])
def test_links_on_the_way_are_refused(builder: Agent, tmp_path: Path, part: str) -> None:
    """Nothing is written outside."""
    place = builder.root / ".haiku" / part
    away = tmp_path / "away"
    place.rename(away)
    place.symlink_to(away)
    before = state(away) if away.is_dir() else {"": away.read_bytes()}
    for tool, arguments in (
        ("run_next", {"intent": "thing"}),
        ("unit_write", {"intent": "thing", "unit": "unit-01-x", "content": "---\ntitle: x\n---\nx\n"}),
        ("feedback", {"intent": "thing", "title": "x", "body": "y"}),
    ):
        assert builder(tool, **arguments).is_error
    assert (state(away) if away.is_dir() else {"": away.read_bytes()}) == before


def test_calls_at_once_lose_nothing(builder: Agent) -> None:
    """Twelve workers file findings, set their units and ask what is next, all at the same time."""
    builder.until("elaborate")
    units = builder.plan(*(f"f{number}.txt" for number in range(12)))

    def work(number: int) -> list[Answer]:
        return [
            builder("unit_set", unit=units[number], field="title", value=f"Title {number}"),
            builder("feedback", title=f"Finding {number}", body="x", resolution="inline_fix"),
            builder("run_next"),
        ]

    with ThreadPoolExecutor(12) as pool:
        answers = [answer for batch in pool.map(work, range(12)) for answer in batch]
    assert [answer.json for answer in answers if answer.is_error] == []
    filed = {answer["feedback_id"] for answer in answers if "feedback_id" in answer.json}
    assert filed == {f"FB-{number:02}" for number in range(1, 13)}
    assert [unit["title"] for unit in builder("unit_list")["units"]] == [f"Title {number}" for number in range(12)]


def test_the_field_is_named_however_deep_it_lies() -> None:
    assert secret_in({"a": "x", "b": [{"c": [live_key(1)]}]}) == "b"
    assert secret_in({"a": {live_key(1): 1}}) == "a"
    assert secret_in({live_key(1): "x"}) == "a name"
    assert secret_in({"a": 1, "b": None, "c": ["x"]}) == ""
