from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import ConfigError
from leeboard.settings.decisions.baseline import AcceptedFinding, Matched, described, match, parse, render

ENTRY = st.builds(AcceptedFinding, st.text(), st.sampled_from(["injection", "credential"]), st.text())


def entry(path: str, what: str = "f:sql:execute", rule: str = "injection") -> AcceptedFinding:
    return AcceptedFinding(path=path, rule=rule, what=what)


def matched(
    entries: list[AcceptedFinding],
    found: list[AcceptedFinding],
    *,
    gone: tuple[str, ...] = (),
    unseen: tuple[str, ...] = (),
) -> Matched:
    return match(entries, found, looked_at=lambda path: path not in unseen, is_there=lambda path: path not in gone)


@given(st.lists(ENTRY))
def test_what_is_written_is_read_again(entries: list[AcceptedFinding]) -> None:
    assert parse(render(entries)) == tuple(sorted(set(entries)))


def test_one_entry_stands_on_one_line() -> None:
    assert render([entry("b.py"), entry("a.py")]).splitlines()[3:5] == [
        '    {"path":"a.py","rule":"injection","what":"f:sql:execute"},',
        '    {"path":"b.py","rule":"injection","what":"f:sql:execute"}',
    ]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', '{"version": 1, "findings": [{"path": 1}]}'])
def test_what_is_no_baseline_is_said(text: str) -> None:
    with pytest.raises(ConfigError, match=r"leeboard-baseline.json"):
        parse(text)


def test_a_file_that_moved_takes_its_entry_along() -> None:
    moved = matched([entry("old.py")], [entry("new.py")], gone=("old.py",))
    assert (set(moved.known), moved.stale) == ({entry("new.py")}, ())


def test_the_same_in_another_file_is_another_one() -> None:
    copied = matched([entry("old.py")], [entry("old.py"), entry("new.py")])
    assert (set(copied.known), copied.stale) == ({entry("old.py")}, ())
    replaced = matched([entry("old.py")], [entry("new.py")])
    assert (replaced.known, replaced.stale) == (frozenset(), (entry("old.py"),))


def test_one_entry_moves_to_one_place() -> None:
    assert len(matched([entry("old.py")], [entry("a.py"), entry("b.py")], gone=("old.py",)).known) == 1


def test_what_nobody_looked_at_is_not_stale() -> None:
    assert matched([entry("a.py")], [], unseen=("a.py",)).stale == ()
    assert matched([entry("a.py")], [], gone=("a.py",)).stale == (entry("a.py"),)


def test_people_read_the_code_of_the_rule() -> None:
    assert described(entry("a.py")) == "a.py: LB-B201 f:sql:execute"
