"""Spans over the wire: their names are the conventions', and nothing in them is what a session was about."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv.attributes import error_attributes
from opentelemetry.semconv.schemas import Schemas

from leeboard.app.telemetry.metrics import Meter
from leeboard.app.telemetry.otlp import send_figures
from leeboard.app.telemetry.process import read_figures, ship
from leeboard.app.telemetry.spans import conventions, identifier
from leeboard.settings.otel import OtelSettings
from leeboard.surfaces import edge
from tests.hook_process import edit, hook_payload, prompt, shell
from tests.leak import live_key
from tests.otlp_collector import Collector, attributes, collecting

SESSION = "0b6cf0f4-6a58-4d3c-9d0e-6f6f4d1f6f11"


def play(*payloads: bytes) -> None:
    for payload in payloads:
        edge.respond(payload, os.environ, lambda _answer: None)


def told(collector: Collector) -> int:
    return ship(OtelSettings(endpoint=collector.address))


def test_calls_and_sessions_by_the_pinned_conventions(user: Path) -> None:
    where = {"session_id": SESSION, "cwd": str(user / "repo")}
    with collecting() as collector:
        assert told(collector) == 0, "it begins with what comes next"
        play(
            hook_payload("SessionStart", source="startup", **where),
            prompt("Fix src/a.py. Do not modify db/schema.sql.", **where),
            edit("toolu_1", str(user / "repo/src/a.py"), **where),
            edit("toolu_1", str(user / "repo/src/a.py"), name="PostToolUse", tool_response={}, **where),
            edit("toolu_2", str(user / "repo/db/schema.sql"), **where),
            hook_payload("SessionEnd", reason="clear", **where),
        )
        assert told(collector) == 3
        assert told(collector) == 0
    done, refused, session = collector.spans
    assert (done.name, refused.name, session.name) == (
        "execute_tool edit",
        "execute_tool _OTHER",
        "invoke_agent claude_code",
    )
    assert attributes(done) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "edit",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "toolu_1",
        "gen_ai.conversation.id": SESSION,
        "gen_ai.agent.name": "claude_code",
        "leeboard.action": "allow",
        "leeboard.score": 10,
    }
    assert attributes(refused)["error.type"] == "denied"
    assert attributes(refused)["leeboard.rules"] == ["broken_constraint", "scope_drift"]
    assert refused.status.code == 2
    assert attributes(session)["gen_ai.provider.name"] == "anthropic"
    assert (attributes(session)["leeboard.calls"], attributes(session)["leeboard.denied"]) == (2, 1)
    assert {span.trace_id for span in collector.spans} == {session.trace_id}
    assert done.parent_span_id == refused.parent_span_id == session.span_id
    assert session.start_time_unix_nano <= done.start_time_unix_nano <= done.end_time_unix_nano
    _held_against_the_table(collector)


def _held_against_the_table(collector: Collector) -> None:
    table = conventions()
    for span in collector.spans:
        found = attributes(span)
        kind = table.spans[found["gen_ai.operation.name"]]
        assert span.name == kind.name.replace("{", "%(").replace("}", ")s") % found
        assert span.kind == {"INTERNAL": 1}[kind.kind]
        assert set(kind.required) <= set(found) <= {*kind.required, *kind.also, *table.own.attributes}
    (trace,) = {part.schema_url for sent in collector.traces for part in sent.resource_spans}
    assert trace == table.schema_url


def _values(module: ModuleType) -> set[object]:
    return {value for name, value in vars(module).items() if name.isupper()}


def test_the_table_holds_names_that_the_installed_package_knows() -> None:
    table = conventions()
    known = _values(gen_ai_attributes) | _values(error_attributes)
    for kind in table.spans.values():
        assert {*kind.required, *kind.also} <= known
    operations = {one.value for one in gen_ai_attributes.GenAiOperationNameValues}
    assert set(table.spans) <= operations
    assert set(table.providers.values()) <= {one.value for one in gen_ai_attributes.GenAiProviderNameValues}
    assert table.schema_url in {one.value for one in Schemas}
    assert table.schema_url.endswith(table.version)


_MARKS = ("zzprompt", "zzcommand", "zzpath", "zztool", "zzid")
_words = st.text(alphabet="ab/ .\\\"'é\n", max_size=12)


@given(words=st.tuples(*[_words] * 5), secret=st.integers(0, 50))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_of_the_content_is_on_the_wire(user: Path, words: tuple[str, ...], secret: int) -> None:
    said, command, path, tool, session = (f"{mark}{word}" for mark, word in zip(_MARKS, words, strict=True))
    home, key = str(user), live_key(secret)
    where = {"session_id": f"{session} {home}", "cwd": f"{home}/repo"}
    with collecting() as collector:
        told(collector)
        play(
            prompt(f"{said} {key} in {home}/{path}", **where),
            edit(f"toolu_{key}", f"{home}/repo/{path}", **where),
            edit(f"toolu_{key}", f"{home}/repo/{path}", name="PostToolUse", tool_response={}, **where),
            shell(f"{path}", f"{command} {key}", name="PostToolUse", tool_response={"stdout": said}, **where),
            shell("toolu_3", f"{command} {key}", tool_name=tool, name="PostToolUse", tool_response={}, **where),
            hook_payload("SessionEnd", reason="clear", **where),
        )
        assert told(collector)
        send_figures(OtelSettings(endpoint=collector.address), read_figures(Meter(1.0)))
    wire = b"\0".join(collector.bodies)
    for private in (*_MARKS, home, key, "repo"):
        assert private.encode() not in wire


@pytest.mark.parametrize("text", ["", "toolu_1", SESSION, "call:7-x"])
def test_identifiers_stay(text: str) -> None:
    assert identifier(text) == text


@pytest.mark.parametrize("text", ["/home/kim", "a b", "login", "fix the login", "ä", "x" * 129, live_key(1)])
def test_what_is_none_is_told_as_a_digest(text: str) -> None:
    assert text not in identifier(text)
    assert len(identifier(text)) == 32
