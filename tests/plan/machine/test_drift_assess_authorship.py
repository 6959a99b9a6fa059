from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.truth import ABSENT, Divergence, EntryType, LogEntry
from leeboard.plan.machine.drift_assess import explain
from tests.plan.truth_world import NEEDS, TruthWorld, as_entry, sha

Line = tuple[str, str, str | None]
"""Who, what, over what."""
_KINDS: dict[str, EntryType] = {"A": "agent_write", "H": "human_write", "K": "baseline_acknowledged"}


def lines(*said: Line, tick: int = 5) -> tuple[LogEntry, ...]:
    return tuple(
        LogEntry(
            entry_type=_KINDS[who],
            path=NEEDS,
            sha=sha(what),
            author_class="agent" if who == "A" else "human-via-mcp" if who == "H" else "human-implicit",
            timestamp="t",
            tick_counter=tick,
            before_sha=None if over is None else sha(over),
        )
        for who, what, over in said
    )


def divergence(before: str, after: str, *said: Line, tick: int = 5) -> Divergence:
    world = TruthWorld()
    world.edit(NEEDS, before)
    old = world.file_at(NEEDS)
    world.edit(NEEDS, after)
    return Divergence(
        path=NEEDS,
        scope="",
        entry=as_entry(old, tick=5) if old else None,
        file=world.file_at(NEEDS),
        log=lines(*said, tick=tick),
    )


@pytest.mark.parametrize(
    ("before", "after", "said", "author", "absorbed"),
    [
        ("a", "b", (), "human-implicit", False),
        ("a", "b", (("A", "b", "a"),), "agent", True),
        ("a", "b", (("A", "b", None),), "agent", True),
        ("a", "c", (("A", "b", "a"), ("A", "c", "b")), "agent", True),
        (ABSENT, "b", (("A", "b", ABSENT),), "agent", True),
        ("a", ABSENT, (("A", ABSENT, "a"),), "agent", True),
        # somebody's change lies beneath
        ("a", "c", (("A", "c", "b"),), "agent", False),
        ("a", "d", (("A", "b", "a"), ("A", "d", "c")), "agent", False),
        (ABSENT, "c", (("A", "c", "b"),), "agent", False),
        # somebody put back what the agent wrote earlier
        ("a", "b", (("A", "b", "a"), ("A", "c", "b")), "agent", False),
        # the agent wrote something else than what is there
        ("a", "c", (("A", "b", "a"),), "human-implicit", False),
        # a write that changed nothing claims nothing
        ("a", "b", (("A", "b", "b"),), "human-implicit", False),
        ("a", "b", (("H", "b", "a"),), "human-via-mcp", False),
        ("a", "b", (("H", "b", "a"), ("A", "b", None)), "human-via-mcp", False),
        ("a", "b", (("A", "b", "a"), ("H", "b", "b")), "human-via-mcp", False),
        ("a", "c", (("H", "b", "a"), ("A", "c", "b")), "agent", False),
        ("a", "c", (("H", "b", "a"),), "human-implicit", False),
        # what was written before the state that is known explains nothing
        ("a", "b", (("A", "b", "a"), ("A", "a", "b")), "human-implicit", False),
        (ABSENT, "b", (("A", "b", ABSENT), ("K", ABSENT, None)), "human-implicit", False),
        ("a", "c", (("H", "b", "a"), ("A", "c", "a")), "agent", True),
    ],
)
def test_who_made_it(before: str, after: str, said: tuple[Line, ...], author: str, absorbed: bool) -> None:  # noqa: FBT001 - a column of the table
    """FD-36 FD-37 FD-39 FD-48"""
    found = explain(divergence(before, after, *said), {sha(before)})
    assert (found.author, found.absorbed) == (author, absorbed)
    assert found.written_over == (author == "agent" and not absorbed)


def test_lines_of_earlier_ticks_explain_nothing() -> None:
    assert explain(divergence("a", "b", ("A", "b", None), tick=4), {sha("a")}).author == "human-implicit"


def test_the_state_of_a_marker_is_a_start_too() -> None:
    found = divergence("a", "c", ("A", "c", "b"))
    assert explain(found, {sha("a"), sha("b")}).absorbed


def test_over_what_was_buried_no_chain_is_whole() -> None:
    found = replace(divergence("a", "b", ("A", "a", "c"), ("A", "b", "a")), buried=sha("c"))
    assert explain(found, {sha("a")}).written_over


def test_what_was_only_put_back_is_not_the_agents() -> None:
    found = replace(divergence("a", "b", ("A", "a", "b"), ("A", "b", "a")), buried=sha("b"))
    assert explain(found, {sha("a")}).author == "human-implicit"


@pytest.mark.parametrize(("who", "author"), [("A", "agent"), ("H", "human-via-mcp")])
def test_who_put_the_old_text_back(who: str, author: str) -> None:
    found = replace(divergence("a", "a", (who, "a", "b")), buried=sha("b"))
    assert explain(found, {sha("a")}).author == author
    handled = replace(divergence("a", "c", (who, "c", "b")), buried=sha("b"))
    assert explain(handled, {sha("a"), sha("c")}).author == author, "or what is being handled"
