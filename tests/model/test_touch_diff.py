from __future__ import annotations

from leeboard.model.touch import Diff

DIFF = Diff(path="a.py", after="a\nb\nc\nd\n", added=((2, 2), (4, 6)))


def test_a_line_was_written_where_a_span_holds_it() -> None:
    assert [line for line in range(1, 8) if DIFF.wrote(line)] == [2, 4, 5, 6]
    assert DIFF.wrote(3, 4)
    assert not DIFF.wrote(3, 3)


def test_lines_are_counted_over_all_spans() -> None:
    assert DIFF.added_count == 4
    assert Diff(path="a.py", after="").added_count == 0


def test_an_unknown_file_is_no_new_one() -> None:
    assert [Diff(path="a.py", after="", before=before).is_new for before in (None, "", "x")] == [False, True, False]
