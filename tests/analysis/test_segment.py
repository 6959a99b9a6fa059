from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.segment import Segment, segments_of
from leeboard.model.event import (
    Event,
    MessageSaid,
    Outcome,
    PromptGiven,
    TextEdit,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)

BASH = ToolCall(id="1", tool="Bash", action="bash", command="pytest -q")
HEREDOC = ToolCall(id="1", tool="Bash", action="bash", command="cat > a.py <<'E'\nx = 1\nE")
READ = ToolCall(id="1", tool="Read", action="read", paths=("src/a.py",))
GREP = ToolCall(id="1", tool="Grep", action="read", query="parse_token", paths=("src",))
FETCH = ToolCall(id="1", tool="WebFetch", action="other", query="https://example.org")
EDIT = ToolCall(id="1", tool="Edit", action="edit", paths=("src/a.py",), edits=(TextEdit("x", "y"), TextEdit("p", "q")))
WRITE = ToolCall(id="1", tool="Write", action="write", paths=("src/b.py",), edits=(TextEdit("", "z = 1\n"),))
PATCH = ToolCall(id="1", tool="apply_patch", action="edit", paths=("a.py", "b.py"), edits=(TextEdit("x", "y"),))


def finished(call: ToolCall, output: str, outcome: Outcome = "done") -> ToolFinished:
    return ToolFinished(session="s", call=call, outcome=outcome, output=output)


@pytest.mark.parametrize(
    ("event", "segments"),
    [
        (
            MessageSaid(session="s", text="I'll fix it:\n```py\nfrom_scratch()\n```\nNow."),
            [Segment("PLAN", "I'll fix it:"), Segment("PLAN", "Now.")],
        ),
        (
            MessageSaid(session="s", text="Done:\n\n--- a/x.py\n+++ b/x.py\n+# while I'm here, from scratch\n\nNow."),
            [
                Segment("PLAN", "Done:"),
                Segment("DIFF", "--- a/x.py\n+++ b/x.py\n+# while I'm here, from scratch", "x.py"),
                Segment("PLAN", "Now."),
            ],
        ),
        (ThoughtShown(session="s", text="Hmm."), [Segment("PLAN", "Hmm.")]),
        (MessageSaid(session="s", text="```py\nx\n```"), []),
        (PromptGiven(session="s", text="rewrite it from scratch"), []),
        (TurnEnded(session="s"), []),
        (TodosUpdated(session="s", items=("one", "two")), [Segment("TODO", "one\ntwo")]),
        (TodosUpdated(session="s", items=()), []),
        (ToolProposed(session="s", call=BASH), [Segment("TOOL", "pytest -q")]),
        (
            ToolProposed(session="s", call=HEREDOC),
            [Segment("TOOL", HEREDOC.command), Segment("DIFF", "x = 1\n", "a.py")],
        ),
        (ToolProposed(session="s", call=READ), [Segment("TOOL", "Read", "src/a.py")]),
        (ToolProposed(session="s", call=GREP), [Segment("TOOL", "parse_token", "src")]),
        (ToolProposed(session="s", call=FETCH), [Segment("TOOL", "https://example.org")]),
        (ToolProposed(session="s", call=EDIT), [Segment("DIFF", "y\nq", "src/a.py")]),
        (ToolProposed(session="s", call=WRITE), [Segment("DIFF", "z = 1\n", "src/b.py")]),
        (ToolProposed(session="s", call=PATCH), [Segment("DIFF", "", "a.py"), Segment("DIFF", "", "b.py")]),
        (finished(BASH, "1 failed, 2 passed"), [Segment("ERROR", "1 failed, 2 passed")]),
        (finished(BASH, "3 passed"), []),
        (finished(READ, "Traceback (most recent call last):"), []),
        (finished(EDIT, "String not found", "failed"), [Segment("ERROR", "String not found")]),
        (finished(EDIT, "no", "denied"), []),
    ],
)
def test_an_event_gives_its_segments(event: Event, segments: list[Segment]) -> None:
    assert list(segments_of(event)) == segments


def test_a_mixed_turn_keeps_its_order() -> None:
    """SW-15."""
    said = (
        "I'll look at the parser.\n\nTraceback (most recent call last):\nValueError: bad\n"
        "Now I update src/parser.py:\n```python\ndef f(): pass\n```\n"
    )
    turn: tuple[Event, ...] = (
        MessageSaid(session="s", text=said),
        ToolProposed(session="s", call=READ),
        ToolProposed(session="s", call=EDIT),
        finished(BASH, "1 failed"),
        TodosUpdated(session="s", items=("write a test",)),
    )
    kinds = [segment.kind for event in turn for segment in segments_of(event)]
    assert kinds == ["PLAN", "ERROR", "PLAN", "DIFF", "TOOL", "DIFF", "ERROR", "TODO"]


@given(st.text(max_size=300))
def test_any_message_is_split(text: str) -> None:
    assert all(segment.text.strip() for segment in segments_of(MessageSaid(session="s", text=text)))
