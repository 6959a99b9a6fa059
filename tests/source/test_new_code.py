"""Which functions of a changed file are new."""

from __future__ import annotations

from leeboard.model.touch import Diff
from leeboard.source.new_code import defines, may_be_old, new_functions, whole_file

ONE = "def first(a, b):\n    total = a.price * b.rate\n    if total > a.limit:\n        raise TooMuch(total, a.name)\n    return round(total + b.fee)\n"
TWO = ONE.replace("first", "second")
BOTH = f"{ONE}\n\n{TWO}"


def names(diff: Diff) -> list[str]:
    return [new.name for new in new_functions(diff)]


def test_only_what_was_written() -> None:
    assert names(Diff(path="a.py", before=ONE, after=BOTH, added=((6, 12),))) == ["second"]


def test_a_changed_head_makes_no_new_function() -> None:
    assert names(Diff(path="a.py", before=TWO, after=ONE, added=((1, 1),), removed="def second(a, b):\n")) == []


def test_what_was_there_is_not_new() -> None:
    assert names(Diff(path="a.py", before=ONE, after=ONE.replace("price", "cost"), added=((1, 5),))) == []
    assert names(Diff(path="a.py", after=ONE, added=((1, 5),), removed=ONE)) == []


def test_new_file() -> None:
    assert names(Diff(path="a.py", before="", after=BOTH, added=((1, 12),))) == ["first", "second"]


def test_unreadable_files_have_none() -> None:
    assert names(Diff(path="a.txt", before="", after=BOTH, added=((1, 12),))) == []
    assert names(Diff(path="a.py", before="", after="\0" * 50, added=((1, 1),))) == []
    assert names(Diff(path="vendor/a.py", before="", after=BOTH, added=((1, 12),))) == []


def test_defines() -> None:
    assert defines(ONE, "first", "python")
    assert not defines("first(1, 2)\n", "first", "python")
    assert not defines(ONE, "fir", "python")
    assert not defines(ONE, "", "python")


def test_may_be_old() -> None:
    assert may_be_old(Diff(path="a.py", after=ONE, added=((1, 5),)))
    assert not may_be_old(Diff(path="a.py", after=ONE, added=((2, 3),)))
    assert not may_be_old(Diff(path="a.py", before="", after=ONE, added=((1, 5),)))


def test_whole_file_is_all_new() -> None:
    text = "def one(a):\n    return a\n"
    diff = whole_file("a.py", text)
    assert diff.wrote(1, 2)
    assert may_be_old(diff)


def test_new_functions_have_their_text() -> None:
    text = "def one(rows):\n    kept = [row for row in rows if row.price > 3]\n    kept.sort()\n    return total(kept) + 1\n"
    (found,) = new_functions(Diff(path="a.py", after=text, before="", added=((1, 4),)))
    assert found.text == text.rstrip("\n")
