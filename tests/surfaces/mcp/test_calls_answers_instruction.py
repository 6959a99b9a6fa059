from __future__ import annotations

import re

import pytest

from leeboard.model.plan import Clue
from leeboard.surfaces.mcp.calls import HOW, instruction, is_gate
from leeboard.surfaces.mcp.tools import tools


def test_an_instruction_says_what_and_how_and_what_afterwards() -> None:
    """SH-01."""
    words = instruction(
        Clue(action="start_unit", message="Begin unit-01-x.", payload={"warnings": ["a gate is missing"]})
    )
    first, *_, last = words.splitlines()
    assert first == "Begin unit-01-x."
    assert "haiku_unit_read" in words
    assert "Note: a gate is missing" in words
    assert last == "Then call haiku_run_next again."


@pytest.mark.parametrize(
    ("clue", "last"),
    [
        (Clue(action="gate_review", message="m", waits=True), "No decision yet."),
        (Clue(action="elaboration_insufficient", message="m", waits=True), "When the user has answered"),
        (Clue(action="unheard_of", message="m"), "Then call haiku_run_next again."),
        (Clue(action="unheard_of", message="Do it. Then call haiku_run_next again."), "Do it."),
        (Clue(action="error", message="m", is_error=True), "Then call haiku_run_next again."),
        (Clue(action="complete", message="m"), "Tell the user"),
        (Clue(action="loop_halted", message="m"), "Tell the user"),
    ],
)
def test_how_it_goes_on(clue: Clue, last: str) -> None:
    assert instruction(clue).splitlines()[-1].startswith(last)


def test_only_gates_are_waited_at() -> None:
    """SH-43: who has to be asked something can not answer while a call waits."""
    assert is_gate(Clue(action="gate_review", message="", waits=True))
    assert not is_gate(Clue(action="elaboration_insufficient", message="", waits=True))
    assert not is_gate(Clue(action="gate_review", message="", is_error=True))


def test_every_tool_that_is_named_is_there() -> None:
    names = {tool.name for tool in tools()}
    named = {name for text in HOW.values() for name in re.findall(r"haiku_\w+", text)}
    assert named <= names


def test_instructions_are_short() -> None:
    assert max(len(text) for text in HOW.values()) < 420
