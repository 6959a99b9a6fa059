from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.event import ActionType
from leeboard.store.history import (
    PER_QUERY,
    TOP,
    about,
    distinct,
    judged,
    may_decide,
    modifies,
    newest,
    top,
)
from tests.store_suite import a_step

places = st.lists(st.integers(0, 50))


@pytest.mark.parametrize(
    ("action", "score", "may"), [("edit", 9, True), ("write", 10, True), ("edit", 8, False), ("bash", 10, False)]
)
def test_only_a_good_change_may_decide(action: ActionType, score: int, may: bool) -> None:  # noqa: FBT001 - a column of the table above
    assert may_decide(a_step("s", score, action_type=action)) is may


def test_what_already_says_so_need_not_be_found_out() -> None:
    assert not may_decide(a_step("s", 10, action_type="edit", is_key_decision=True))


def test_a_judged_step_is_the_same_where_nothing_changes() -> None:
    step = a_step("s", 5)
    assert judged(step, first=False) is step
    assert judged(step, first=True).is_key_decision
    assert not judged(a_step("s", 4), first=False).is_validated


def test_reading_is_no_change() -> None:
    assert not modifies(a_step("s", action_type="read"))
    assert modifies(a_step("s", action_type="write"))


@given(places, places)
def test_the_own_come_first_each_newest_first(own: list[int], others: list[int]) -> None:
    found = newest(own, others)
    mine = sorted(set(own), reverse=True)[:PER_QUERY]
    assert found[: len(mine)] == mine
    assert found[len(mine) :] == sorted(set(others) - set(own), reverse=True)[: PER_QUERY - len(mine)]


@given(st.lists(places, max_size=4))
def test_the_top_holds_each_place_once_in_the_order_of_answers(answers: list[list[int]]) -> None:
    found = top(*answers)
    everything = [place for answer in answers for place in answer]
    assert len(found) == len(set(found)) == min(len(set(everything)), TOP)
    assert [everything.index(place) for place in found] == sorted(everything.index(place) for place in found)


def test_terms_are_asked_for_once_and_not_without_end() -> None:
    assert distinct(["b", "a", "b"]) == ("b", "a")
    assert len(distinct(str(number) for number in range(1000))) < 100


def test_decisions_about_a_question_come_before_its_other_answers() -> None:
    assert about(([1, 2], [2, 3], [4]), {4, 2}) == [2, 4, 1, 3]
    assert len(about((range(20),), set())) == 10
