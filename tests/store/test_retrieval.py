from __future__ import annotations

import pytest

from leeboard.model.outcome import Outcome
from leeboard.store.database import Database
from leeboard.store.retrieval import BY_TERM, DECISIVE, STEP_AT, past_steps
from leeboard.store.rows import write_outcome
from tests.store_suite import a_session, a_step, a_verdict

EVERY_QUERY = [*(sql for pair in BY_TERM.values() for sql in pair), *DECISIVE, STEP_AT]


@pytest.mark.parametrize("sql", EVERY_QUERY)
def test_every_question_is_answered_by_an_index(sql: str, database: Database) -> None:
    """And in the order of the index: nothing is sorted."""
    plan = [row[-1] for row in database.all(f"EXPLAIN QUERY PLAN {sql}", ["x"] * sql.count("?"))]
    assert plan
    assert not [step for step in plan if "SCAN" in step or "TEMP B-TREE" in step], plan


def test_a_long_history_gives_its_newest(database: Database) -> None:
    steps = tuple(a_step(f"n{number}", files=(f"f{number % 2}.py",), keywords=("k",)) for number in range(400))
    write_outcome(database, Outcome(session=a_session(), verdict=a_verdict("v"), steps=steps), 1)
    found = past_steps(database, "s1", ["f0.py", "f1.py"], [], ["k"])
    assert [step.id for step in found] == ["n399", "n398", "n397", "n396", "n395"]


def test_order_is_the_order_of_commit_whatever_the_clock_says(database: Database) -> None:
    steps = (a_step("late", files=("a",), timestamp=9), a_step("early", files=("a",), timestamp=1))
    write_outcome(database, Outcome(session=a_session(), verdict=a_verdict("v"), steps=steps), 1)
    assert [step.id for step in past_steps(database, "s1", ["a"], [], [])] == ["early", "late"]


def test_a_step_that_is_gone_is_passed_over(database: Database) -> None:
    steps = (a_step("one", files=("a",)), a_step("two", files=("a",)))
    write_outcome(database, Outcome(session=a_session(), verdict=a_verdict("v"), steps=steps), 1)
    database.run("DELETE FROM steps WHERE id = 'two'")
    assert [step.id for step in past_steps(database, "s1", ["a"], [], [])] == ["one"]
