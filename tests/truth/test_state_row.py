from __future__ import annotations

from leeboard.model.event import PromptGiven
from leeboard.model.known import FileState, Stamp
from leeboard.truth.state import MOST_RANGES, row_of
from tests.known_world import BEGAN, ROOT, HeldDisk

EVENT = PromptGiven(session="s", agent="a", text="", time=BEGAN)
NOW = FileState(digest="d", plain="p", lines=b"x" * 16, count=2)


class UnsettledDisk(HeldDisk):
    def settled(self, stamp: Stamp) -> bool:
        return not stamp


def test_a_row_is_the_state_and_what_was_seen_of_it() -> None:
    disk = HeldDisk({"a.py": ("x\n", BEGAN - 9)})
    row = row_of(EVENT, disk, "a.py", NOW, ((1, 2),), wrote=True)
    assert (row.session, row.agent, row.path, row.root, row.time) == ("s", "a", "a.py", ROOT, BEGAN)
    assert (row.digest, row.plain, row.lines, row.count) == (NOW.digest, NOW.plain, NOW.lines, NOW.count)
    assert (row.seen, row.wrote, row.stamp) == (((1, 2),), True, disk.look("a.py"))


def test_a_look_that_can_not_be_trusted_is_not_kept() -> None:
    disk = UnsettledDisk({"a.py": ("x\n", BEGAN)})
    assert row_of(EVENT, disk, "a.py", NOW, (), wrote=False).stamp == ()


def test_there_is_an_end_to_the_ranges() -> None:
    many = tuple((at, at) for at in range(1, 500, 2))
    assert len(row_of(EVENT, HeldDisk({}), "a.py", NOW, many, wrote=False).seen) == MOST_RANGES
