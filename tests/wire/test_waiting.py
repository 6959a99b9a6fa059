"""What waits comes back as it was put in, in its order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire.docket import Docket
from leeboard.wire.seam import RELEASE, WireCall
from leeboard.wire.waiting import FrameRun, PiecedText, WaitingFrames


def frame(number: int, padding: int = 0) -> bytes:
    return b"event: e%d\r\ndata: %s\r\n\r\n" % (number, b"x" * padding)


@given(st.lists(st.integers(0, 70_000), max_size=12))
def test_a_run_gives_back_each_frame(paddings: list[int]) -> None:
    frames = [frame(number, padding) for number, padding in enumerate(paddings)]
    run = FrameRun(None)
    for part in frames:
        run.add(part)
    assert list(run) == frames
    assert run.size == sum(map(len, frames))


def test_a_long_run_takes_little_room() -> None:
    run = FrameRun(None)
    for number in range(20_000):
        run.add(frame(number))
    assert run.size > 400_000
    assert sum(map(len, run._folded)) + run._loose < 250_000


def test_runs_go_up_to_the_first_that_may_not() -> None:
    docket = Docket()
    first, second = docket.open(), docket.open()
    queue = WaitingFrames()
    for number, part in enumerate((first, first, None, second, None)):
        queue.add(frame(number), part)
    assert list(queue.take_ready()) == []
    docket.complete(first, WireCall(id="a", name="", input={}, input_text="{}", index=0))
    docket.rule("a", RELEASE)
    assert [list(run) for run in queue.take_ready()] == [[frame(0), frame(1)], [frame(2)]]
    assert queue.size == len(frame(3)) + len(frame(4))
    assert [list(run) for run in queue.take_all()] == [[frame(3)], [frame(4)]]
    assert not queue
    assert queue.size == 0


@given(st.lists(st.text(max_size=3)), st.integers(1, 3000))
def test_a_text_in_pieces(pieces: list[str], times: int) -> None:
    text = PiecedText()
    for piece in pieces * times:
        text.add(piece)
    assert str(text) == "".join(pieces) * times
