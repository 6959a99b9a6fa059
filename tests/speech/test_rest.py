"""Words that mark a rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.rest import is_done_text, is_pause_text


@pytest.mark.parametrize(
    "text",
    [
        "That completes the parser.",
        "That finishes the migration; now the views.",
        "Step 2 is done.",
        "Task 3 is now complete. Next the tests.",
        "The login form is now working.",
        "I've finished the reader.",
        "I have completed the schema changes.",
        "Done. Next: the docs.",
        "All tests pass.",
        "Moving on to the next item.",
        "I'm done with the adapters, on to the next one.",
    ],
)
def test_a_part_is_done(text: str) -> None:
    """SW-139."""
    assert is_pause_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "The task is complete.",
        "Everything is done.",
        "The implementation is now complete. Here's a summary:",
        "I've completed the task.",
        "All changes have been completed.",
        "That completes the work you asked for.",
        "It is ready for review.",
        "Nothing left to do.",
    ],
)
def test_all_of_it_is_done(text: str) -> None:
    """SW-150: and the end is a pause as well."""
    assert is_done_text(text)
    assert is_pause_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let me look at the parser.",
        "Once the task is complete I will push.",
        "The task is not complete.",
        "The build is not done yet.",
        "> The task is complete.",
        'The user said "the task is complete".',
        "When step 2 is done, we continue.",
        "The fix is not finished.",
        "I will finish the parser next.",
        "`Done` is printed at the end",
        "If everything is done, say so",
    ],
)
def test_no_rest(text: str) -> None:
    assert not is_pause_text(text)
    assert not is_done_text(text)


def test_a_part_is_not_the_whole() -> None:
    assert not is_done_text("That completes the parser.")


def test_the_end_of_a_long_message_counts() -> None:
    assert is_done_text("word " * 2_000 + "The task is complete.")


@given(st.text(max_size=400))
def test_any_text_is_fine(text: str) -> None:
    assert is_pause_text(text) or not is_done_text(text)
