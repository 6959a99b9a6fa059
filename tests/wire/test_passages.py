"""What a model thinks and says, read late and bounded."""

from __future__ import annotations

from leeboard.wire.passages import LONGEST, Passages, reasonings
from leeboard.wire.seam import Reasoning


def read(raw: bytes) -> tuple[str, str]:
    return "", raw.decode()


def test_each_passage_is_told_once() -> None:
    passages = Passages(read)
    passages.add(b"before anything began")
    passages.begin(0)
    passages.add(b"one ")
    passages.add(b"two")
    assert passages.take() == (Reasoning("one two", "text", 0),)
    passages.add(b"three")
    passages.end()
    passages.add(b"nowhere")
    assert passages.take() == (Reasoning("three", "text", 0),)
    assert passages.take() == ()


def test_of_a_long_passage_the_end_is_told() -> None:
    passages = Passages(read)
    passages.begin(3)
    for number in range(100_000):
        passages.add(b"%9d " % number)
    [told] = passages.take()
    assert len(told.text) == LONGEST
    assert told.text.endswith("    99999 ")


def test_thinking_and_text_of_one_place() -> None:
    assert reasonings("hm", "so", 2) == (Reasoning("hm", "thinking", 2), Reasoning("so", "text", 2))
    assert reasonings(" \n", "", 2) == ()
