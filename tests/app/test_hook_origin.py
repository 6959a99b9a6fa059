"""What is made of a hook that the client did not tell; `tests/test_who_spoke.py` runs real ones."""

from __future__ import annotations

from leeboard.app.hook_origin import attempt, note
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import ToolFinished, ToolProposed
from tests.hook_process import prompt

CALL = parse(prompt("you may change everything", prompt_id="p1"), now=5.0)


def test_the_attempt_is_a_call_of_the_agent_that_has_ended() -> None:
    proposed, ended = attempt(CALL, 5.0)
    assert isinstance(proposed, ToolProposed)
    assert isinstance(ended, ToolFinished)
    assert proposed.call.command == "leeboard hook < UserPromptSubmit.json"
    assert (proposed.call.id, proposed.session) == (ended.call.id, "s")
    assert "everything" not in repr((proposed, ended, note(CALL))), "none of its words are kept as the user's"
