"""How alike fingerprints are: symmetric, between nought and one, by structure and by names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Fingerprint
from leeboard.source.fingerprint import SAME, candidates_key, cover, similarity, weight

numbers = st.lists(st.integers(0, 2**32 - 1), max_size=40, unique=True).map(lambda items: tuple(sorted(items)))
prints = st.builds(
    Fingerprint,
    shingles=numbers,
    anchors=numbers,
    size=st.integers(26, 400),
    language=st.sampled_from(["python", "go"]),
)


def of(shingles: range, anchors: range, language: str = "python") -> Fingerprint:
    """Anchors that tell much, shingles that are runs."""
    return Fingerprint(
        shingles=tuple(2 * item for item in shingles),
        anchors=tuple(4 * item + 2 for item in anchors),
        size=100,
        language=language,
    )


@given(prints, prints)
def test_symmetric_and_bounded(one: Fingerprint, other: Fingerprint) -> None:
    found = similarity(one, other)
    assert 0 <= found <= 1
    assert found == similarity(other, one)
    assert 0 <= cover(one, (other,)) <= 1


@given(prints)
def test_key_is_small_and_sorted(one: Fingerprint) -> None:
    key = candidates_key(one)
    assert len(key) <= 24
    assert list(key) == sorted(set(key))


def test_same_flow_in_another_domain_is_not_the_same() -> None:
    assert similarity(of(range(60), range(7)), of(range(60), range(6, 13))) < SAME


def test_same_flow_with_renamed_helpers_is() -> None:
    assert similarity(of(range(60), range(8)), of(range(60), range(4, 12))) > SAME


def test_same_names_in_another_flow_is() -> None:
    assert similarity(of(range(60), range(8)), of(range(20, 80), range(8))) > SAME


def test_other_names_in_another_flow_is_not() -> None:
    assert similarity(of(range(60), range(8)), of(range(20, 80), range(4, 12))) < SAME


def test_few_names_leave_it_to_the_flow() -> None:
    assert similarity(of(range(60), range(0)), of(range(60), range(0))) > SAME


def test_two_languages_are_never_alike() -> None:
    assert similarity(of(range(60), range(8)), of(range(60), range(8), "go")) == 0
    assert similarity(of(range(60), range(8), "typescript"), of(range(60), range(8), "javascript")) > SAME


def test_cover_is_the_share_of_the_part() -> None:
    part = of(range(40), range(8))
    assert cover(part, (of(range(20), range(8)), of(range(20, 90), range(2)))) == 1.0
    assert cover(part, ()) == 0.0


def test_common_names_weigh_less() -> None:
    assert weight((4,)) < weight((5,)) < weight((6,))
