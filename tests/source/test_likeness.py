"""How alike fingerprints are: symmetric, between nought and one, by structure and by names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.model.symbol import Fingerprint
from leeboard.source.fingerprint import candidates_key
from leeboard.source.likeness import SAME, cover, similarities, similarity, weight

numbers = st.lists(st.integers(0, 2**32 - 1), max_size=40, unique=True).map(lambda items: tuple(sorted(items)))
prints = st.builds(
    Fingerprint,
    shingles=numbers,
    anchors=numbers,
    flow=st.text("v=(),.\nab\u1234\u2345", min_size=1, max_size=60),
    size=st.integers(26, 400),
    language=st.sampled_from(["python", "go"]),
)


def of(flow: str, shingles: range, anchors: range, language: str = "python") -> Fingerprint:
    """Anchors that tell much, shingles that are runs."""
    return Fingerprint(
        shingles=tuple(2 * item for item in shingles),
        anchors=tuple(4 * item + 2 for item in anchors),
        flow=flow,
        size=100,
        language=language,
    )


def lines(names: str) -> str:
    """A statement for each name: a call of it."""
    return "\n".join(f"v={name}(v,v)" for name in names)


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


KNOWN = lines("abcdefghij")


def test_same_flow_in_another_domain_is_not_the_same() -> None:
    """The same statements, each about something else."""
    assert similarity(of(KNOWN, range(60), range(10)), of(lines("klmnopqrst"), range(60), range(10, 20))) < SAME + 0.1
    assert similarity(of(KNOWN, range(60), range(10)), of(lines("klmnopqrst"), range(20, 80), range(10, 20))) < SAME


def test_same_flow_with_a_renamed_helper_is() -> None:
    assert similarity(of(KNOWN, range(60), range(8)), of(lines("abcdefxyij"), range(60), range(4, 12))) > SAME


def test_a_statement_less_and_another_more_is() -> None:
    edited = lines("abxcdfghij")
    assert similarity(of(KNOWN, range(60), range(8)), of(edited, range(6, 66), range(8))) > SAME


def test_the_same_statements_count_in_any_order() -> None:
    """Of two flows that are equally far apart the one that kept whole statements is closer."""
    moved, other = lines("fghijabcde"), lines("abcdeklmno")
    whole = of(KNOWN, range(60), range(8))
    assert similarity(whole, of(moved, range(60), range(8))) > similarity(whole, of(other, range(30, 90), range(8)))


def test_a_small_function_has_to_agree_in_more() -> None:
    def of_size(size: int) -> float:
        one, other = of(KNOWN, range(60), range(8)), of(lines("abcdxyzuvw"), range(10, 70), range(4, 12))
        return similarity(replace(one, size=size), replace(other, size=size))

    assert of_size(18) < SAME < of_size(200)


def test_what_many_functions_say_tells_little() -> None:
    """Half of its statements make it a copy, but not where every other function of the project has those."""
    new, known = of(lines("abcdefklmn"), range(40), range(8)), of(KNOWN, range(20, 60), range(8, 16))
    others = [of(lines(f"abcdef{name * 4}"), range(100, 140), range(20, 28)) for name in "opqrstuw"]
    assert similarities(new, [known])[0] > SAME
    assert similarities(new, [known, *others])[0] < SAME


def test_copies_of_one_another_are_one_function() -> None:
    """A function that stands in ten places of a project is not ordinary for that."""
    new, known = of(lines("abcdefklmn"), range(40), range(8)), of(KNOWN, range(20, 60), range(8, 16))
    assert similarities(new, [known] * 10) == similarities(new, [known]) * 10


def test_what_names_the_same_things_in_another_flow_is_written_anew() -> None:
    """No statement is left, but all that is called, in much the same order."""
    calls = [chr(0x1002 + 4 * item) for item in range(12)]
    known = of("\n".join(f"v={call}(v,v)" for call in calls), range(60), range(12))
    pairs = zip(calls[::2], calls[1::2], strict=True)
    anew = of("\n".join(f"v={one}({other}(v,v),v)" for one, other in pairs), range(24, 84), range(12))
    named = of(
        "\n".join(f"v={chr(0x3002 + 4 * at)}({chr(0x3402 + 4 * at)}(v,v),v)" for at in range(6)),
        range(24, 84),
        range(12),
    )
    assert similarities(anew, [known])[0] > SAME
    assert similarities(named, [known])[0] == 0


def test_a_copy_is_one_whatever_many_functions_say() -> None:
    whole = of(KNOWN, range(60), range(8))
    assert similarities(whole, [whole] * 9) == [1.0] * 9
    assert similarities(whole, []) == []


def test_two_languages_are_never_alike() -> None:
    one = of(KNOWN, range(60), range(8))
    assert similarity(one, of(KNOWN, range(60), range(8), "go")) == 0
    typed = of(KNOWN, range(60), range(8), "typescript")
    assert similarity(typed, of(KNOWN, range(60), range(8), "javascript")) > SAME


def test_cover_is_the_share_of_the_part() -> None:
    part = of("", range(40), range(8))
    assert cover(part, (of("", range(20), range(8)), of("", range(20, 90), range(2)))) == 1.0
    assert cover(part, ()) == 0.0


def test_common_names_weigh_less() -> None:
    assert weight((4,)) < weight((5,)) < weight((6,))
