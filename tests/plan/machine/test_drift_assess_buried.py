from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.truth import ABSENT, Divergence, EntryType
from leeboard.plan.machine.drift_assess import buried
from tests.plan.truth_world import NEEDS, TruthWorld, sha

Line = tuple[EntryType, str, str | None]
A: EntryType = "agent_write"
H: EntryType = "human_write"
K: EntryType = "baseline_acknowledged"
B: EntryType = "baseline_established"


def said(before: str, now: str, *lines: Line) -> Divergence:
    world = TruthWorld()
    world.edit(NEEDS, before)
    assert world.gate() is None
    for kind, what, over in lines:
        world.write(NEEDS, what, kind)
        world.log[-1] = replace(world.log[-1], before_sha=None if over is None else sha(over))
    world.edit(NEEDS, now)
    entry = world.baselines[""].get(NEEDS)
    return Divergence(path=NEEDS, scope="", entry=entry, file=world.file_at(NEEDS), log=tuple(world.log))


@pytest.mark.parametrize(
    ("before", "now", "lines", "lost"),
    [
        ("a", "a", (), ""),
        ("a", "a", ((A, "a", "b"),), "b"),
        ("a", "a", ((H, "a", "b"),), "b"),
        (ABSENT, ABSENT, ((A, ABSENT, "b"),), "b"),
        ("a", "a", ((A, "a", ABSENT),), ABSENT),
        ("a", "c", ((A, "a", "b"), (A, "c", "a")), "b"),
        ("a", "a", ((H, "b", "a"), (A, "a", "b")), "b"),
        # the last one that is not there again
        ("a", "a", ((A, "a", "b"), (A, "a", "c")), "c"),
        ("a", "c", ((A, "a", "b"), (A, "a", "c"), (A, "c", "a")), "b"),
        ("a", "b", ((A, "a", "b"), (A, "b", "a")), "b"),
        # the agent's own
        ("a", "a", ((A, "b", "a"), (A, "a", "b")), ""),
        ("a", "c", ((A, "b", "a"), (A, "c", "b")), ""),
        # calls side by side that looked at the same
        ("a", "d", ((A, "b", "a"), (A, "c", "b"), (A, "d", "b")), ""),
        # nobody looked, and nothing was written
        ("a", "a", ((A, "b", None), (A, "a", "b")), ""),
        ("a", "b", ((A, "b", "b"),), ""),
        # it is known
        ("a", "a", ((A, "a", "b"), (K, "a", None)), ""),
        ("a", "a", ((A, "a", "b"), (B, "", None)), ""),
        ("a", "a", ((K, "b", None), (A, "a", "b")), ""),
    ],
)
def test_what_was_written_over(before: str, now: str, lines: tuple[Line, ...], lost: str) -> None:
    assert buried(said(before, now, *lines)) == (sha(lost) if lost else "")


@pytest.mark.parametrize(
    ("lines", "lost"),
    [((), ""), (((A, "c", "a"),), "b"), (((A, "c", None), (A, "a", "c")), "b"), (((K, "a", None),), "")],
)
def test_a_change_that_was_shown_and_is_gone(lines: tuple[Line, ...], lost: str) -> None:
    """Whoever made it may undo it, as long as the agent wrote nothing there."""
    world = TruthWorld()
    world.edit(NEEDS, "a")
    assert world.gate() is None
    world.edit(NEEDS, "b")
    assert world.findings()
    found = said("a", "a", *lines)
    shown = replace(found, log=tuple(replace(line, tick_counter=2) for line in found.log))
    assert buried(shown, world.dispatch) == (sha(lost) if lost else "")
    earlier = replace(found, log=tuple(replace(line, tick_counter=1) for line in found.log))
    assert buried(earlier, world.dispatch) == ""
