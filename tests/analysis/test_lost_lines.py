from __future__ import annotations

from leeboard.analysis.lost_lines import beside_lost, goes_past, has_lost
from leeboard.analysis.patch import compare
from leeboard.model.touch import Diff

BEFORE = "a\nb\nc\nd\ne\n"


def diff_to(after: str, before: str = BEFORE) -> Diff:
    added, removed = compare(before, after)
    return Diff(path="a.py", before=before, after=after, added=added, removed=removed)


def test_lines_that_were_taken_out_lie_between_those_beside_them() -> None:
    diff = diff_to("a\nb\nd\ne\n")
    assert (diff.added, beside_lost(diff)) == ((), ((2, 3),))
    assert [goes_past(diff, *lines) for lines in ((1, 2), (2, 3), (1, 4), (3, 4))] == [False, True, True, False]


def test_a_line_that_stands_elsewhere_now_was_lost_where_it_stood() -> None:
    diff = diff_to("a\nc\nd\nb\ne\n")
    assert (diff.added, diff.removed) == ((), "")
    assert has_lost(diff)
    assert goes_past(diff, 1, 2)
    assert goes_past(diff, 4, 4)


def test_what_only_grew_or_is_new_lost_nothing() -> None:
    for diff in (diff_to(f"{BEFORE}f\n"), diff_to(BEFORE), diff_to(BEFORE, before="")):
        assert not has_lost(diff)
        assert beside_lost(diff) == ()
        assert not goes_past(diff, 1, 9)


def test_a_file_that_is_another_one_is_one_run_of_lines() -> None:
    before, after = "".join(f"a{n}\n" for n in range(2100)), "".join(f"b{n}\n" for n in range(2000))
    assert beside_lost(diff_to(after, before)) == ((1, 2000),)
