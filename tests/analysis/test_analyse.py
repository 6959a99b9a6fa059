"""An event to what there is to know about it by itself."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.analyse import analyse, failure_digest, path_mentions, touches_of
from leeboard.analysis.occasion import word_term
from leeboard.model.event import (
    ContextCompacted,
    Event,
    FilesChanged,
    MessageSaid,
    Outcome,
    PromptGiven,
    Stopped,
    TextEdit,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.ledger import Met
from leeboard.model.touch import Touch
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis

PLACE = Workspace("/repo")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def met(analysis: Analysis) -> dict[str, int]:
    rows: dict[str, int] = {}
    for mention in analysis.mentions:
        rows[mention.term] = rows.get(mention.term, 0) | mention.met
    return rows


def proposed(call: ToolCall) -> Analysis:
    return analyse(ToolProposed(session="s", cwd="/repo/src", call=call), PLACE)


def finished(call: ToolCall, output: str = "", outcome: Outcome = "done") -> Analysis:
    return analyse(ToolFinished(session="s", cwd="/repo", call=call, outcome=outcome, output=output), PLACE)


def edit(old: str, new: str, path: str = "a.py") -> ToolCall:
    return ToolCall(id="t", tool="Edit", action="edit", paths=(path,), edits=(TextEdit(old, new),))


def test_paths_are_spelled_from_where_the_agent_is() -> None:
    assert proposed(edit("x", "y", "a.py")).touches == (Touch("src/a.py", "write"),)
    assert proposed(edit("x", "y", "/repo/b.py")).touches == (Touch("b.py", "write"),)


@pytest.mark.parametrize(
    ("call", "touches"),
    [
        (ToolCall(id="t", tool="Read", action="read", paths=("a.py",)), (Touch("a.py", "read"),)),
        (ToolCall(id="t", tool="Write", action="write", paths=("a.py",)), (Touch("a.py", "write"),)),
        (ToolCall(id="t", tool="Bash", action="bash", command="sed -i s/a/b/ a.py"), (Touch("a.py", "write"),)),
    ],
)
def test_edit_and_shell_line_are_told_the_same_way(call: ToolCall, touches: tuple[Touch, ...]) -> None:
    found, _effects = touches_of(call, PLACE, "/repo")
    assert set(touches) <= set(found)


def test_a_script_is_opaque() -> None:
    assert proposed(ToolCall(id="t", tool="Bash", action="bash", command="./generate.sh")).opaque


def test_changes_of_the_tree_are_writes() -> None:
    assert analyse(FilesChanged(session="s", paths=("gen/a.py",)), PLACE).modified == ("gen/a.py",)


def test_an_edit_and_the_one_that_takes_it_back_know_each_other() -> None:
    forth, back = proposed(edit("x = 1", "x = 2")), proposed(edit("x = 2", "x = 1"))
    assert forth.reverse == back.digest
    assert back.reverse == forth.digest
    assert forth.digest != back.digest
    assert proposed(edit("x  =  1", "x =\n2")).digest == forth.digest


def test_failures_are_equal_but_for_numbers_times_and_addresses() -> None:
    assert failure_digest("t", "E took 0.31s at 0x7f3a\nE x") == failure_digest("t ", "E took 2s at 0xdead\n\nE x\n")
    assert failure_digest("t", "E NameError") != failure_digest("t", "E TypeError")
    assert failure_digest("grep a", "Exit code 1") != failure_digest("grep b", "Exit code 1"), (
        "no match is no failure again"
    )
    assert failure_digest("t", " \n") == ""


def test_only_a_failing_shell_line_has_a_failure() -> None:
    run = ToolCall(id="t", tool="Bash", action="bash", command="pytest")
    assert finished(run, "E boom", "failed").digest
    assert not finished(run, "3 passed").digest
    assert not finished(edit("a", "b"), "String not found", "failed").digest


def test_a_read_file_is_met_with_its_folders_and_imports() -> None:
    rows = met(
        finished(
            ToolCall(id="t", tool="Read", action="read", paths=("src/auth/token.py",)), "from billing import Invoice\n"
        )
    )
    assert rows["src/auth/token.py"] & Met.READ
    assert rows["name:token.py"] & Met.READ
    assert rows["src/auth/"] & Met.READ
    assert any(flags & Met.IMPORTED for flags in rows.values())


def test_a_search_finds_and_a_listing_only_lists() -> None:
    grep = finished(ToolCall(id="t", tool="Grep", action="read", query="x"), "src/a.py:3: x = 1\n")
    glob = finished(ToolCall(id="t", tool="Glob", action="read", query="*.py"), "src/a.py\n")
    listing = finished(ToolCall(id="t", tool="Bash", action="bash", command="ls src/b"), "src/a.py\n")
    assert met(grep)["src/a.py"] == Met.FOUND | Met.PINNED
    assert met(glob)["src/a.py"] & Met.LISTED
    assert not met(glob)["src/a.py"] & Met.FOUND
    assert not met(listing).get("src/a.py", 0) & Met.FOUND


def test_a_denied_call_showed_nothing() -> None:
    grep = ToolCall(id="t", tool="Grep", action="read", query="x")
    assert finished(grep, "src/a.py:3: x", "denied").mentions == ()


def test_a_prompt_names_paths_and_words() -> None:
    analysis = analyse(PromptGiven(session="s", text="fix `parseInvoice` in src/billing/invoice.py"), PLACE)
    rows = met(analysis)
    assert analysis.intent is not None
    assert analysis.intent.scope == ("src/billing/invoice.py",)
    assert rows["src/billing/invoice.py"] & Met.NAMED
    assert rows[word_term("parseinvoice")] & Met.WORD


def test_a_wide_request_is_wide() -> None:
    intent = analyse(PromptGiven(session="s", text="rename Foo to Bar everywhere"), PLACE).intent
    assert intent is not None
    assert intent.wide


@pytest.mark.parametrize(
    "event",
    [
        MessageSaid(session="s", text="next is src/auth/token.py"),
        ThoughtShown(session="s", text="next is src/auth/token.py"),
        TodosUpdated(session="s", items=("change src/auth/token.py",)),
    ],
)
def test_what_the_agent_says_is_met_as_said(event: Event) -> None:
    """Text, thought and plan alike."""
    assert met(analyse(event, PLACE))["src/auth/token.py"] & Met.SAID


def test_a_summary_keeps_what_it_names_within_reach() -> None:
    assert met(analyse(ContextCompacted(session="s", summary="we changed src/a.py"), PLACE))["src/a.py"] & Met.FOUND


def test_paths_outside_the_tree_are_not_met() -> None:
    assert "/etc/hosts.py" not in met(analyse(MessageSaid(session="s", text="see /etc/hosts.py"), PLACE))


@pytest.mark.parametrize(
    "event",
    [
        MessageSaid(session="s", text=f"token {SECRET}"),
        Stopped(session="s", text=f"token {SECRET}"),
        PromptGiven(session="s", text=f"use {SECRET} in a.py"),
        ToolProposed(session="s", call=ToolCall(id="t", tool="Bash", action="bash", command=f"curl -H 'x: {SECRET}'")),
    ],
)
def test_kept_texts_are_redacted(event: Event) -> None:
    analysis = analyse(event, PLACE)
    kept = (analysis.text, analysis.command, analysis.intent.text if analysis.intent else "")
    assert SECRET not in "".join(kept)


def test_folders_of_a_path_are_bounded() -> None:
    deep = path_mentions("/".join("abcdefgh") + "/f.py", Met.READ)
    assert len(deep) == 6


def test_events_without_content_are_bare() -> None:
    event = TurnEnded(session="s")
    assert analyse(event, PLACE) == Analysis(event=event)


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_words_are_analysed_alike_each_time(text: str, path: str) -> None:
    call = ToolCall(id="t", tool="Edit", action="edit", paths=(path,), edits=(TextEdit(text, path),))
    for event in (
        PromptGiven(session="s", text=text),
        MessageSaid(session="s", text=text),
        ToolProposed(session="s", call=call),
        ToolFinished(
            session="s", call=ToolCall(id="t", tool="Bash", action="bash", command=text), outcome="failed", output=text
        ),
    ):
        assert analyse(event, PLACE) == analyse(event, PLACE)


def test_no_secret_gets_into_what_is_kept() -> None:
    """Words, paths and commands are kept; what they are taken from is redacted first, and cut only then."""
    secret = "hunter2" + "Passw0rdXyzzyQ"
    url = f"postgres://u:{secret}@db/x"
    filler = "a" * 245
    calls = (
        ToolCall(id="1", tool="Edit", action="edit", paths=("a.py",), edits=(TextEdit("x", f"url = '{url}'"),)),
        ToolCall(id="2", tool="Bash", action="bash", command=f"echo {filler} ; curl {url} > src/z.txt"),
    )
    events: list[Event] = [ToolProposed(session="s", call=call) for call in calls]
    events += [ToolFinished(session="s", call=calls[1], outcome="failed", output=f"cannot reach {url}/src/a.py")]
    events += [
        MessageSaid(session="s", text=f"I use {url} now"),
        ContextCompacted(session="s", summary=f"see {url}/b.py"),
    ]
    for event in events:
        found = analyse(event, Workspace("/repo"))
        kept = msgspec.structs.replace(found, event=MessageSaid(session="s", text=""))
        assert secret.lower() not in str(kept).lower(), type(event).__name__
