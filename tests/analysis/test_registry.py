"""What an event adds to the context registry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.analyse import analyse
from leeboard.analysis.patch import diffs_of
from leeboard.analysis.registry import entries_of, looks_of
from leeboard.model.event import (
    ActionType,
    ContextCompacted,
    Event,
    FilesChanged,
    MessageSaid,
    Outcome,
    PromptGiven,
    SessionStarted,
    TextEdit,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.ledger import Entry
from leeboard.model.touch import Diffs
from leeboard.model.workspace import Workspace

PLACE = Workspace("/repo")
SECRET = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"


def entries(event: Event, diffs: Diffs = ()) -> tuple[Entry, ...]:
    return entries_of(analyse(event, PLACE), diffs, 7)


def finished(call: ToolCall, output: str = "", outcome: Outcome = "done") -> ToolFinished:
    return ToolFinished(session="s", agent="sub", cwd="/repo", call=call, outcome=outcome, output=output)


def done(call: ToolCall, output: str = "", outcome: Outcome = "done") -> tuple[Entry, ...]:
    diffs = diffs_of(call, lambda path: PLACE.spell(path, "/repo"), lambda _path: None, done=True)
    return entries(finished(call, output, outcome), diffs if outcome == "done" else ())


def read(span: tuple[int, int] = (0, 0)) -> ToolCall:
    return ToolCall(id="t1", tool="Read", action="read", paths=("/repo/a.py",), span=span)


def shell(command: str) -> ToolCall:
    return ToolCall(id="t1", tool="Bash", action="bash", command=command)


def kinds(found: tuple[Entry, ...]) -> list[str]:
    return [entry.kind for entry in found]


def test_a_read_keeps_its_lines_and_a_digest() -> None:
    (entry,) = done(read(span=(3, 9)), "text")
    assert (entry.kind, entry.key, entry.line, entry.amount, entry.data) == ("read", "a.py", 3, 9, "")
    assert (entry.turn, entry.agent, entry.call) == (7, "sub", "t1")
    (same,), (other,) = done(read(span=(3, 9)), "text"), done(read(span=(3, 9)), "texts")
    assert entry.digest == same.digest != other.digest


@pytest.mark.parametrize(
    ("output", "data"),
    [
        ("text", ""),
        ("x\n... [200 lines truncated] ...", "truncated"),
        ("File unchanged since last read. The content is current.", "unchanged"),
        ("x" * 200_000, "truncated"),
    ],
)
def test_what_came_back_of_a_read(output: str, data: str) -> None:
    assert done(read(), output)[0].data == data


@pytest.mark.parametrize(
    ("call", "key"),
    [
        (
            ToolCall(id="1", tool="Grep", action="read", paths=("src",), query="a b", flags="-i=True"),
            "grep src -i=True a b",
        ),
        (ToolCall(id="1", tool="Glob", action="read", query="**/*.py"), "glob **/*.py"),
        (ToolCall(id="1", tool="WebFetch", action="other", query="https://x.org/a#b"), "https://x.org/a"),
        (ToolCall(id="1", tool="WebSearch", action="other", query="lee  board"), "web: lee board"),
        (shell("rg -n  token src"), "rg -n token src"),
        (shell("curl -s https://x.org/a#b"), "https://x.org/a"),
        (shell("git log --oneline | head"), "$ git log --oneline | head"),
    ],
)
def test_what_was_fetched(call: ToolCall, key: str) -> None:
    (entry,) = done(call, "out")
    assert (entry.kind, entry.key) == ("fetched", key)


@pytest.mark.parametrize(
    ("command", "span"),
    [("cat a.py", (0, 0)), ("sed -n '3,9p' a.py", (3, 9)), ("head -n 5 a.py", (1, 5)), ("sed -n '3,$p' a.py", (3, 0))],
)
def test_a_shell_line_that_reads(command: str, span: tuple[int, int]) -> None:
    (entry,) = done(shell(command), "out")
    assert (entry.kind, entry.key, (entry.line, entry.amount)) == ("read", "a.py", span)


def test_a_denied_call_gives_nothing_and_a_failed_one_its_failure() -> None:
    assert done(read(), "x", "denied") == ()
    run, entry = done(shell("pytest"), "E assert 1 == 2", "failed")
    assert (run.kind, run.key) == ("run", "tests")
    assert (entry.kind, entry.text) == ("error", "E assert 1 == 2")
    assert entry.key


def test_a_failing_run_that_ends_well_is_an_error_too() -> None:
    assert kinds(done(shell("pytest"), "Traceback (most recent call last)\n  x\nValueError: y")) == [
        "run",
        "error",
        "research",
    ]
    assert kinds(done(shell("cat a.py"), "raise ValueError: y")) == ["read"]


def test_a_write_is_a_change_and_what_it_builds() -> None:
    body = (
        "def slugify(text):\n    parts = text.lower().split()\n    return '-'.join(p for p in parts if p.isalnum())\n"
    )
    call = ToolCall(id="t1", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", body),))
    change, built = done(call)
    assert (change.kind, change.key, change.amount) == ("change", "a.py", 3)
    assert (built.kind, built.key, built.line, built.text) == ("built", "slugify", 1, "def slugify(text):")
    assert built.digest


def test_a_changed_function_is_not_built() -> None:
    edit = TextEdit("def f(a):\n    return a", "def f(a, b):\n    return a + b")
    call = ToolCall(id="t1", tool="Edit", action="edit", paths=("a.py",), edits=(edit,))
    assert kinds(done(call)) == ["change"]


def test_lines_that_change_places_are_changed_lines() -> None:
    call = ToolCall(id="t1", tool="Edit", action="edit", paths=("a.py",), edits=(TextEdit("b\na", "a\nb"),))
    assert done(call)[0].amount == 2


def test_a_new_feature_is_kept() -> None:
    edit = TextEdit("pass", "parser.add_argument('--json')")
    found = done(ToolCall(id="t1", tool="Edit", action="edit", paths=("cli.py",), edits=(edit,)))
    assert [(entry.text, entry.data) for entry in found if entry.kind == "feature"] == [("json", "flag")]


def test_what_nobody_saw_written_is_a_change_without_lines() -> None:
    found = done(shell("sed -i s/a/b/ src/x.py"))
    assert (found[0].kind, found[0].key, found[0].amount) == ("change", "src/x.py", 0)


@pytest.mark.parametrize(("command", "data"), [("make gen", "opaque"), ("git checkout a.py", "opaque")])
def test_a_program_that_ran(command: str, data: str) -> None:
    assert [(entry.key, entry.data) for entry in done(shell(command)) if entry.kind == "research"] == [("ran", data)]


def test_words_give_plans_flags_and_decisions() -> None:
    text = "I'll use REST instead of GraphQL for the API. While I'm here, I'll clean up the imports of the mailer."
    found = entries(MessageSaid(session="s", text=text))
    assert kinds(found) == ["plan", "plan", "flag", "decided"]
    assert found[2].key == "RF-D1"
    assert (found[3].text, found[3].data) == ("rest", "")


def test_at_most_forty_sentences_of_a_message() -> None:
    text = " ".join(f"Sentence number {number} talks about lighthouse {number}." for number in range(99))
    assert len(entries(MessageSaid(session="s", text=text))) == 40


def test_marks_of_other_events() -> None:
    assert [entry.key for entry in entries(PromptGiven(session="s", text="hi"))] == ["asked"]
    assert [entry.key for entry in entries(ContextCompacted(session="s"))] == ["forgot"]
    assert [entry.key for entry in entries(SessionStarted(session="s", reason="resume"))] == ["forgot"]
    assert entries(SessionStarted(session="s")) == ()
    assert [entry.key for entry in entries(MessageSaid(session="s", text="That completes the parser."))][-1] == "rested"
    (entry,) = entries(FilesChanged(session="s", cwd="/repo", paths=("a.py",)))
    assert (entry.kind, entry.key, entry.data) == ("change", "a.py", "found")


def test_todos() -> None:
    (entry,) = entries(TodosUpdated(session="s", items=("Write the parser tests",)))
    assert (entry.kind, entry.text) == ("todo", "Write the parser tests")


def test_a_proposal_gives_nothing() -> None:
    assert entries(ToolProposed(session="s", call=read())) == ()


def test_looks_alone() -> None:
    assert kinds(looks_of(analyse(finished(read(), "x"), PLACE), 1)) == ["read"]
    assert looks_of(analyse(finished(read(), "x", "failed"), PLACE), 1) == ()
    assert looks_of(analyse(PromptGiven(session="s", text="x"), PLACE), 1) == ()


def test_no_secret_is_kept() -> None:
    said = f"For now, I'll hardcode the key {SECRET} in the client. I'll use {SECRET} instead of the vault."
    everything = (
        *entries(MessageSaid(session="s", text=said)),
        *entries(TodosUpdated(session="s", items=(f"rotate {SECRET}",))),
        *done(shell(f"curl -s https://x.org/?k={SECRET}"), SECRET),
        *done(shell("pytest"), f"E key {SECRET}", "failed"),
        *done(shell(f"rg {SECRET} src"), SECRET),
        *done(
            ToolCall(id="t", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", f"k = '{SECRET}'"),))
        ),
    )
    assert everything
    assert SECRET not in repr(everything)


ACTIONS: dict[str, ActionType] = {"Read": "read", "Bash": "bash", "Write": "write", "Grep": "read"}


@given(st.text(max_size=200), st.sampled_from(sorted(ACTIONS)))
def test_any_text_is_fine(text: str, tool: str) -> None:
    action = ACTIONS[tool]
    call = ToolCall(
        id="t",
        tool=tool,
        action=action,
        paths=("a.py",),
        command=text,
        query=text,
        edits=(TextEdit("", text),),
    )
    assert all(entry.turn == 7 for entry in done(call, text))
    assert all(entry.turn == 7 for entry in entries(MessageSaid(session="s", text=text)))
