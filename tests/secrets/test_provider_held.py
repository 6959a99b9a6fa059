from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.detection import lower
from leeboard.secrets.hit import STEMS
from leeboard.secrets.provider import held, occurrences

WORDS = st.sampled_from(("pass", "Key", "\u212aey", "s\u0130d", "secRET", "-", "_", "\u00e9", " ", "\n", "tok", "en"))


@given(st.lists(WORDS, max_size=12), st.sampled_from((0, 3_000)))
def test_as_a_look_through_the_text(words: list[str], more: int) -> None:
    text = "".join(words) + "." * more
    lowered = lower(text)
    assert held(STEMS, text, lowered) == tuple(stem for stem in STEMS if stem in lowered)


def test_each_place_of_each_stem() -> None:
    assert sorted(occurrences("key a keykey", ("key", "a"))) == [(0, 3), (4, 1), (6, 3), (9, 3)]
