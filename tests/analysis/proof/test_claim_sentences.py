from __future__ import annotations

import pytest

from leeboard.analysis.proof.claim import claims_of, tells_of_failure


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("All tests pass.", ["tests"]),
        ("Done! All 12 tests are passing and the lint is clean.", ["tests", "lint"]),
        ("Fixed. `pytest` passes.", ["fixed", "tests"]),
        ("- ✅ All tests pass\n- ✅ Build succeeds", ["tests", "build"]),
        ("Tests: 14 passed, 0 failed.", ["tests"]),
        ("Everything is green.", ["checks"]),
        ("I've committed the changes.", ["commit"]),
        ("The change is committed and pushed.", ["commit", "push"]),
        ("Verified that the login works.", ["verified"]),
        ("The issue is now fixed.", ["fixed"]),
        ("No type errors. The project compiles.", ["types", "build"]),
    ],
)
def test_what_is_claimed(text: str, kinds: list[str]) -> None:
    assert [claim.kind for claim in claims_of(text)] == kinds


@pytest.mark.parametrize(
    "text",
    [
        "The tests should pass now.",
        "I fixed the bug, but I could not run the tests.",
        "I haven't run the suite yet. Fixed the import.",
        "The tests pass once you set FOO.",
        "Do the tests pass?",
        "Run `pytest` to make sure all tests pass.",
        "> All tests pass.",
        "```\nAll tests pass\n```",
        "I will make sure that all tests pass before I commit.",
        "I am committed to doing this well.",
        "The test passes a list to the parser, which should be fixed.",
        "CI will tell whether the tests pass.",
        "",
    ],
)
def test_what_is_no_claim(text: str) -> None:
    assert claims_of(text) == ()


def test_a_message_that_tells_of_failure_hides_nothing() -> None:
    assert tells_of_failure("All new tests pass; two old ones were failing before.")
    assert not tells_of_failure("All tests pass.")
