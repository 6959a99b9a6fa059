"""A run of doubtful changes."""

from __future__ import annotations

import pytest

from leeboard.analysis.ties.doubt import doubts_after, evidence_of, in_doubt
from leeboard.model.session import DOUBT_WINDOW, Doubt


def test_several_doubts_weigh_more_than_one_and_less_than_their_sum() -> None:
    one, two = (Doubt("a.py", 1.0),), (Doubt("a.py", 1.0), Doubt("b.py", 1.0))
    assert evidence_of(()) == 0
    assert evidence_of(one) < evidence_of(two) < 2


def run(*doubts: tuple[str, float]) -> tuple[Doubt, ...]:
    return tuple(Doubt(path, weight) for path, weight in doubts)


def after(before: tuple[Doubt, ...], *weighed: tuple[str, float], speak: float = 2.0) -> tuple[Doubt, ...]:
    return doubts_after(before, run(*weighed), speak)


def test_what_belongs_lets_doubts_fade() -> None:
    kept = after(run(("a.py", 2.0)), ("b.py", -1.0))
    assert kept[0].weight < 2.0


def test_the_same_file_again_adds_a_little() -> None:
    kept = after(run(("a.py", 2.0)), ("a.py", 1.0))
    assert [doubt.weight for doubt in kept] == [pytest.approx(2.25)]


def test_what_turns_out_to_belong_is_no_doubt_any_more() -> None:
    assert after(run(("a.py", 2.0)), ("a.py", -2.0)) == ()
    assert after(run(("a.py", 2.0)), ("a.py", 0.0)), "the next small edit says little"


def test_one_change_alone_is_not_spoken_of_unless_it_weighs_a_lot() -> None:
    assert evidence_of(after((), ("a.py", 2.3))) < 2.0
    assert evidence_of(after(after((), ("a.py", 2.3)), ("a.py", 2.3))) >= 2.0, "twice is no accident"
    assert evidence_of(after((), ("a.py", 3.0))) >= 2.0


def test_a_file_that_only_just_belongs_is_kept_in_mind_and_is_no_evidence() -> None:
    kept = after((), ("a.py", 0.4))
    assert [doubt.path for doubt in kept] == ["a.py"]
    assert evidence_of(kept) == 0
    assert in_doubt(after(kept, ("a.py", 1.5))) == {"a.py"}, "its next change is weighed again"
    assert after(kept, ("a.py", -1.0)) == ()


def test_the_run_is_bounded() -> None:
    kept = after((), *((f"{n}.py", 3.0 * (n % 2)) for n in range(80)))
    assert len(kept) == 2 * DOUBT_WINDOW
