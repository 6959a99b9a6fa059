"""A call that was withheld stands in later requests as the model wrote it, and nothing else is changed."""

from __future__ import annotations

import json

import pytest

from leeboard.wire.restore import restore
from leeboard.wire.seam import Api, Restoration, Substitute
from tests.wire.answers import facts

ECHO = "echo 'Held back. Not that file.'"
KEPT = Restoration(
    id="call_1",
    name="Edit",
    input_text='{"file_path": "db/schema.sql",  "new": "x"}',
    words="Held back. Not that file.",
    substitute=Substitute("Bash", {"command": ECHO}),
    mark="Held back.",
)


def conversation(api: Api, name: str, given: str, result: str) -> bytes:
    """As a client sends it, with spaces of its own."""
    match api:
        case "anthropic":
            use = {"type": "tool_use", "id": "call_1", "name": name, "input": json.loads(given)}
            told = {"type": "tool_result", "tool_use_id": "call_1", "content": result, "cache_control": {"type": "x"}}
            thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
            body: dict[str, object] = {
                "messages": [
                    {"role": "user", "content": "fix"},
                    {"role": "assistant", "content": [thought, use]},
                    {"role": "user", "content": [told, {"type": "text", "text": "Bash call_1"}]},
                ],
                "system": "s",
            }
        case "responses":
            call = {"type": "function_call", "id": "fc", "call_id": "call_1", "name": name, "arguments": given}
            output = {"type": "function_call_output", "call_id": "call_1", "output": result}
            body = {"input": [{"role": "user", "content": "fix"}, call, output]}
        case "chat":
            function = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": given}}
            body = {
                "messages": [
                    {"role": "user", "content": "fix"},
                    {"role": "assistant", "content": None, "tool_calls": [function]},
                    {"role": "tool", "tool_call_id": "call_1", "content": result},
                ]
            }
    return json.dumps(body).encode()


GIVEN = json.dumps(KEPT.substitute.input)
APIS: tuple[Api, ...] = ("anthropic", "responses", "chat")


@pytest.mark.parametrize("api", APIS)
def test_the_call_and_the_reason_for_its_result_are_put_back(api: Api) -> None:
    came = conversation(api, "Bash", GIVEN, "Held back. Not that file.\n")
    meant = conversation(api, "Edit", KEPT.input_text, KEPT.words)
    found = restore(came, facts(api), [KEPT])
    assert json.loads(found) == json.loads(meant)
    assert restore(came, facts(api), [KEPT]) == found, "the same bytes every time"
    before = came[: came.index(b"Bash") - 20]
    assert found.startswith(before), "what the client wrote stays as it wrote it"


@pytest.mark.parametrize("api", APIS)
def test_a_call_that_is_not_the_one_that_was_put_in_its_place_stays(api: Api) -> None:
    for name, given in (("Bash", '{"command": "ls"}'), ("Read", GIVEN)):
        came = conversation(api, name, given, "Held back. Not that file.")
        assert restore(came, facts(api), [KEPT]) is came


@pytest.mark.parametrize("api", APIS)
def test_what_else_became_of_the_substitute_is_left_to_be_read(api: Api) -> None:
    came = conversation(api, "Bash", GIVEN, "The user does not want to go on.")
    assert b"The user does not want to go on." in restore(came, facts(api), [KEPT])


@pytest.mark.parametrize(
    "body", [b"", b"no JSON call_1", b'{"messages": "call_1"}', b'{"x": "call_1"}', b'{"messages": [3, "call_1"]}']
)
def test_what_can_not_be_read_stays_as_it_is(body: bytes) -> None:
    assert restore(body, facts("anthropic"), [KEPT]) is body
