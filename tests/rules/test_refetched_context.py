"""Something is fetched again that the agent has in its context."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import (
    ContextCompacted,
    Event,
    FilesChanged,
    Outcome,
    PromptGiven,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.outcome import Judged
from leeboard.rule import read_rule
from leeboard.rules import refetched_context
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

RULES = (read_rule(refetched_context),)
TEXT = "def verify(token):\n    return token"


def judged(*lines: str) -> list[Judged]:
    store = MemoryStore()
    play(("@ fix the login", *lines), store=store, rules=RULES)
    return list(store.signals(SESSION))


class Run:
    """A session told call by call: reads have lines and results here."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.number = 0
        self.tell(PromptGiven(session=SESSION, key="prompt:1", cwd=ROOT, text="fix the login"))

    def tell(self, event: Event) -> None:
        tell(event, self.store, rules=RULES)

    def call(self, call: ToolCall, output: str = TEXT, outcome: Outcome = "done", agent: str = "") -> Run:
        self.number += 1
        call = replace(call, id=f"t{self.number}")
        proposed = ToolProposed(session=SESSION, cwd=ROOT, agent=agent, key=f"call:{call.id}", call=call)
        self.tell(proposed)
        self.tell(
            ToolFinished(
                session=SESSION, cwd=ROOT, agent=agent, key=f"done:{call.id}", call=call, outcome=outcome, output=output
            )
        )
        self.tell(TurnEnded(session=SESSION, cwd=ROOT, agent=agent, calls=(call.id,)))
        return self

    def read(self, path: str, span: tuple[int, int] = (0, 0), output: str = TEXT, agent: str = "") -> Run:
        return self.call(ToolCall(id="", tool="Read", action="read", paths=(path,), span=span), output, agent=agent)

    def grep(self, query: str, flags: str = "", path: str = "src", output: str = TEXT) -> Run:
        call = ToolCall(id="", tool="Grep", action="read", paths=(path,), query=query, flags=flags)
        return self.call(call, output)

    def shell(self, command: str, output: str = "ok", outcome: Outcome = "done") -> Run:
        return self.call(ToolCall(id="", tool="Bash", action="bash", command=command), output, outcome)

    def others(self, count: int = 3) -> Run:
        for at in range(count):
            self.read(f"src/other{self.number}_{at}.py", output=f"other {self.number}")
        return self

    def found(self) -> list[Judged]:
        return list(self.store.signals(SESSION))


def alarms(run: Run) -> list[tuple[str, str, str]]:
    return [(signal.disposition, signal.urgency, signal.note) for signal in run.found()]


def test_the_same_file_three_turns_later() -> None:
    """P1, SW-83: one repeat is 1 x 0.5."""
    run = Run().others(4).read("src/a.py").others(2).read("src/a.py")
    assert alarms(run) == [("LOG", "0.5", "")]
    assert "src/a.py was read in turn 5" in run.found()[0].reason


def test_four_times_weigh_more() -> None:
    """P2, SW-88."""
    run = Run().others(4)
    for _ in range(4):
        run.read("src/a.py").others(1)
    assert alarms(run) == [("LOG", "0.5", ""), ("LOG", "0.7", "")]


FIRING = {
    "an identical search (P3, SW-84)": lambda run: run.grep("token").others(2).grep("token"),
    "the same search with its flags": lambda run: run.grep("token", "-i=True").others(1).grep("token", "-i=True"),
    "a page (SW-85)": lambda run: (
        run.call(ToolCall(id="", tool="WebFetch", action="other", query="https://example.org/a#top"))
        .others(1)
        .call(ToolCall(id="", tool="WebFetch", action="other", query="https://example.org/a#end"))
    ),
    "a page, though files changed": lambda run: (
        run.call(ToolCall(id="", tool="WebFetch", action="other", query="https://example.org/a"))
        .shell("sed -i s/a/b/ src/b.py")
        .call(ToolCall(id="", tool="WebFetch", action="other", query="https://example.org/a"))
    ),
    "the same lines": lambda run: run.read("src/a.py", (10, 20)).others(1).read("src/a.py", (10, 20)),
    "lines of what was read whole": lambda run: run.read("src/a.py").others(1).read("src/a.py", (10, 20), "part"),
    "lines within other lines": lambda run: run.read("src/a.py", (1, 50)).others(1).read("src/a.py", (5, 9), "part"),
    "cat after cat": lambda run: run.shell("cat src/a.py", TEXT).others(1).shell("cat src/a.py", TEXT),
    "cat after Read": lambda run: run.read("src/a.py").others(1).shell("cat src/a.py", TEXT),
    "sed -n twice": lambda run: run.shell("sed -n 3,9p src/a.py", TEXT).others(1).shell("sed -n '3,9p' src/a.py", TEXT),
    "rg twice": lambda run: run.shell("rg token src", TEXT).others(1).shell("rg  token src", TEXT),
    "another file changed": lambda run: run.read("src/a.py").shell("sed -i s/a/b/ src/b.py").read("src/a.py"),
    "the client says so": lambda run: (
        run.read("src/a.py").others(1).read("src/a.py", output="File unchanged since last read.")
    ),
    "ten turns back (SW-86)": lambda run: run.read("src/a.py").others(9).read("src/a.py"),
}


@pytest.mark.parametrize("name", list(FIRING))
def test_a_repeat_is_logged(name: str) -> None:
    assert alarms(FIRING[name](Run().others(4))) == [("LOG", "0.5", "")]


def test_eleven_turns_back_are_only_noted() -> None:
    """N2, SW-86."""
    run = Run().others(4).read("src/a.py").others(10).read("src/a.py")
    assert alarms(run) == [("LOG", "0.5", "fetched more than 10 turns ago")]


SILENT = {
    "edited in between (N1, SW-87)": lambda run: run.read("src/a.py").shell("sed -i s/a/b/ src/a.py").read("src/a.py"),
    "other lines (N3)": lambda run: run.read("src/a.py", (1, 9)).others(1).read("src/a.py", (10, 20)),
    "more lines": lambda run: run.read("src/a.py", (10, 20)).others(1).read("src/a.py", (10, 30)),
    "the whole after a part": lambda run: run.read("src/a.py", (10, 20)).others(1).read("src/a.py"),
    "another text came back": lambda run: run.read("src/a.py").others(1).read("src/a.py", output="changed"),
    "a log (N5)": lambda run: run.shell("cat app.log", TEXT).others(1).shell("cat app.log", TEXT),
    "tail of a log": lambda run: run.shell("tail -20 x.txt", TEXT).others(1).shell("tail -20 x.txt", TEXT).others(0),
    "after a program nobody knows": lambda run: run.read("src/a.py").shell("make gen").read("src/a.py"),
    "after a checkout": lambda run: run.read("src/a.py").shell("git checkout src/a.py").read("src/a.py"),
    "the first was cut": lambda run: (
        run.read("src/a.py", output="x\n[truncated]").others(1).read("src/a.py", output="x\n[truncated]")
    ),
    "the first failed": lambda run: (
        run.shell("cat src/a.py", "No such file", "failed").others(1).shell("cat src/a.py", TEXT)
    ),
    "an edit of it failed": lambda run: (
        run.read("src/a.py").shell("sed -i s/a/b/ src/a.py", "sed: error", "failed").read("src/a.py")
    ),
    "another search": lambda run: run.grep("token").others(1).grep("tokens"),
    "another place": lambda run: run.grep("token").others(1).grep("token", path="lib"),
    "other flags": lambda run: run.grep("token").others(1).grep("token", "-i=True"),
    "a search after a change": lambda run: run.grep("token").shell("sed -i s/a/b/ src/b.py").grep("token"),
    "another agent read it": lambda run: run.read("src/a.py", agent="sub").others(1).read("src/a.py"),
    "git status": lambda run: run.shell("git commit -m x", "").shell("ls", "a").others(1),
    "nothing came back": lambda run: run.read("src/a.py", output="").others(1).read("src/a.py", output=""),
}


@pytest.mark.parametrize("name", list(SILENT))
def test_no_repeat(name: str) -> None:
    assert alarms(SILENT[name](Run().others(4))) == []


def test_after_a_compaction_nothing_is_in_the_context() -> None:
    """N4."""
    run = Run().others(4).read("src/a.py")
    run.tell(ContextCompacted(session=SESSION, cwd=ROOT))
    assert alarms(run.read("src/a.py")) == []


def test_a_foreign_change_is_a_reason() -> None:
    """SW-87."""
    run = Run().others(4).read("src/a.py")
    run.tell(FilesChanged(session=SESSION, cwd=ROOT, paths=("src/a.py",)))
    assert alarms(run.read("src/a.py")) == []


def test_within_one_turn_it_is_no_repeat() -> None:
    assert judged("read x.py", "read y.py", "read z.py", "grep a -> b", "& grep a -> b") == []


def test_the_words_are_told_too() -> None:
    lines = ("read x.py", "read y.py", "grep a -> b", "read z.py", "~ Let me check that file again.", "grep a -> b")
    (found,) = judged(*lines)
    assert any("RF-C1" in line for line in found.trace)
    assert len(found.message.split()) < 40
