from __future__ import annotations

from leeboard.analysis.proof.run import code_changes, failing, is_code
from leeboard.model.lookup import Around, Tree
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

FAILS = "$! pytest -q -> FAILED tests/test_a.py::test_x - no\n1 failed in 0.1s"
PASSES = "$ pytest -q -> 3 passed in 0.1s"
EDIT = "edit src/a.py | x = 1 => x = 2"


def past(*lines: str) -> Around:
    store = MemoryStore()
    play(("@ fix a.py", *lines), store=store)
    return Around(store, SESSION, Tree())


def test_a_test_fails_until_it_is_seen_to_pass() -> None:
    assert failing(past(FAILS), "tests/test_a.py", "test_x") is not None
    assert failing(past(FAILS, EDIT, PASSES), "tests/test_a.py", "test_x") is None
    assert failing(past(PASSES), "tests/test_a.py", "test_x") is None


def test_another_test_that_fails_says_nothing_of_this_one() -> None:
    assert failing(past(FAILS), "tests/test_b.py", "test_y") is None
    assert failing(past(FAILS), "tests/test_a.py", "test_other") is not None


def test_whether_it_failed_before_the_session_changed_code() -> None:
    before, after = failing(past(FAILS, EDIT), "tests/test_a.py", "test_x"), failing(past(EDIT, FAILS), "a", "test_x")
    assert before is not None
    assert before.untouched
    assert after is not None
    assert not after.untouched


def test_tests_and_documents_are_no_code() -> None:
    assert [is_code(path) for path in ("src/a.py", "tests/test_a.py", "README.md", "a.json")] == [
        True,
        False,
        False,
        False,
    ]
    assert [change.path for change in code_changes(past(EDIT, "edit tests/test_a.py | a => b"))] == ["src/a.py"]
