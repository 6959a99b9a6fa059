from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.segment import error_in, starts_error


@pytest.mark.parametrize(
    "output",
    [
        'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x',
        "collected 3 items\nFAILED tests/test_a.py::test_b - assert 1 == 2",
        "===== 1 failed, 2 passed in 0.1s =====",
        "Tests:       2 failed, 5 passed, 7 total",
        "  3 passing\n  1 failing",
        "--- FAIL: TestA (0.00s)",
        "test result: FAILED. 1 passed; 1 failed",
        "src/a.ts(3,5): error TS2345: Argument of type",
        "src/a.c:3:5: error: expected ';'",
        "error[E0382]: borrow of moved value",
        "npm ERR! code ELIFECYCLE",
        "thread 'main' panicked at src/main.rs:2:5",
        "bash: foo: command not found",
        "fatal: not a git repository",
        "make: *** [Makefile:3: test] Error 2",
        "Tests run: 4, Failures: 1, Errors: 0",
    ],
)
def test_errors_are_found(output: str) -> None:
    assert error_in(f"some lines before\n{output}\n")


@pytest.mark.parametrize(
    "output",
    [
        "3 passed in 0.1s",
        "0 errors, 0 warnings",
        "Found 0 errors. Watching for file changes.",
        "Success: no issues found in 3 source files",
        "src/errors.py\nsrc/error_handler.py",
        "def handle(error): ...",
        "The word failed may stand in a text.",
        "",
    ],
)
def test_good_news_is_none(output: str) -> None:
    assert error_in(output) == ""


def test_an_error_begins_where_it_is_said() -> None:
    assert error_in("a\nb\nFAILED tests/a.py\nrest\n") == "FAILED tests/a.py\nrest"


def test_an_error_at_the_end_of_a_long_output_is_found() -> None:
    assert error_in("fine\n" * 100_000 + "FAILED tests/a.py\n") == "FAILED tests/a.py"


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("Traceback (most recent call last):", True),
        ("  src/a.c:3:5: error: x", True),
        ("KeyError: 'a'", True),
        ("I saw 3 errors: all of them old", False),
        ("The build has 2 failed tests", False),
        ("Error handling comes next.", False),
    ],
)
def test_prose_about_errors_is_none(line: str, *, starts: bool) -> None:
    assert starts_error(line) == starts


@given(st.text(max_size=300))
def test_any_output_is_taken(output: str) -> None:
    assert isinstance(error_in(output), str)
