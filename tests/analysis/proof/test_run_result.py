from __future__ import annotations

import pytest

from leeboard.analysis.proof.run import failed_names, summary_of

SUMMARIES = [
    ("==== 2 failed, 3 passed in 0.12s ====", (False, 3, 2)),
    ("....\n5 passed in 0.03s", (True, 5, 0)),
    ("==== 1 error in 0.1s ====", (False, 0, 1)),
    ("=== 3 passed, 1 skipped, 2 warnings in 1.20s ===", (True, 3, 0)),
    ("Tests:       1 failed, 3 passed, 4 total", (False, 3, 1)),
    ("      Tests  1 failed | 4 passed (5)", (False, 4, 1)),
    ("  3 passing (12ms)\n  1 failing", (False, 3, 1)),
    ("--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.org/x\t0.1s", (False, 0, 0)),
    ("ok  \texample.org/x\t0.1s", (True, 0, 0)),
    ("test result: FAILED. 1 passed; 2 failed; 0 ignored", (False, 1, 2)),
    ("[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", (False, 4, 1)),
    ("5 tests completed, 1 failed\nBUILD FAILED in 3s", (False, 5, 1)),
    ("3 examples, 1 failure", (False, 3, 1)),
    ("OK (3 tests, 4 assertions)", (True, 3, 0)),
    ("FAILURES!\nTests: 3, Assertions: 3, Failures: 1.", (False, 3, 1)),
    ("Failed!  - Failed:     1, Passed:     3, Skipped:     0", (False, 3, 1)),
    ("Passed!  - Failed:     0, Passed:     3", (True, 3, 0)),
    ("Passed: 254, Failed: 0\nWall clock: 51.5s", (True, 254, 0)),
    ("67% tests passed, 1 tests failed out of 3", (False, 3, 1)),
    ("Ran 3 tests in 0.001s\n\nOK", (True, 3, 0)),
    ("Ran 3 tests in 0.001s\n\nFAILED (failures=1)", (False, 0, 1)),
    ("# tests 3\n# pass 2\n# fail 1", (False, 0, 1)),
    ("12 runs, 20 assertions, 0 failures, 1 errors, 0 skips", (False, 12, 1)),
]


@pytest.mark.parametrize(("output", "expected"), SUMMARIES, ids=[output[:24] for output, _ in SUMMARIES])
def test_the_summary_of_any_runner_is_read(output: str, expected: tuple[bool, int, int]) -> None:
    found = summary_of(output, "tests")
    assert found is not None
    assert (found.well, found.passed, found.failed) == expected


@pytest.mark.parametrize("output", ["", "hello", "in 3s", "we passed 3 failed exams"])
def test_other_words_are_no_summary(output: str) -> None:
    assert summary_of(output, "tests") is None


def test_a_linter_and_a_type_check_are_told_apart() -> None:
    output = "Found 3 errors.\nSuccess: no issues found in 9 source files"
    lint, types = summary_of(output, "lint"), summary_of(output, "types")
    assert lint is not None
    assert types is not None
    assert (lint.well, types.well) == (False, True)


def test_the_names_of_what_failed_are_read() -> None:
    output = (
        "FAILED tests/test_a.py::test_x - assert\n--- FAIL: TestY (0.0s)\n  ✕ adds numbers (3 ms)\n FAIL  src/a.test.ts"
    )
    assert failed_names(output) == ("tests/test_a.py::test_x", "TestY", "src/a.test.ts", "adds numbers")


@pytest.mark.parametrize(
    "output",
    [
        "bash: line 1: pytest: command not found",
        "/bin/sh: 1: pytest: not found",
        "/usr/bin/python3: No module named pytest",
        'npm error Missing script: "test"',
    ],
)
def test_a_runner_that_is_not_there_checked_nothing(output: str) -> None:
    summary = summary_of(output, "tests")
    assert summary is not None
    assert summary.nothing
