"""Short stable digests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import digest


def test_it_is_the_same_in_every_process() -> None:
    """Ids are stored: another implementation must give what this one gave."""
    assert digest("fix auth bug", 6) == "808a0a40b4b0"


@given(st.text(), st.integers(1, 16))
def test_two_letters_for_each_byte(text: str, size: int) -> None:
    assert len(digest(text, size)) == 2 * size
    assert digest(text, size) == digest(text, size)


def test_half_a_surrogate_pair_is_as_good_as_any_letter() -> None:
    assert digest("a\ud800") != digest("a\ud801")


def test_a_text_and_its_bytes_are_the_same() -> None:
    assert digest("naïve") == digest("naïve".encode())
