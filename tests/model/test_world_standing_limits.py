"""What the user says right after something was flagged: it may stand, or is to be taken back."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Action, Verdict
from leeboard.testing.scenario import play

FLAGGED = ("@ fix the bug in src/auth/token.ts", "edit src/auth/token.ts", "edit src/styles/theme.css | a => b")


def last(*lines: str) -> Verdict:
    return play(lines).proposed()[-1]


@pytest.mark.parametrize("word", ["That's fine", "yes, keep it", "fine by me", "yes please keep that change"])
def test_a_yes_covers_what_was_just_flagged(word: str) -> None:
    assert last(*FLAGGED).rules
    assert not last(*FLAGGED, f"@ {word}", "edit src/styles/theme.css | b => c").rules


@pytest.mark.parametrize("word", ["undo that", "no, revert it", "roll it back please", "take that back"])
@pytest.mark.parametrize(
    "way_back",
    [
        "edit src/styles/theme.css | b => a",
        "edit src/styles/theme.css | b => nearly a",
        "$ git checkout -- src/styles/theme.css",
        "$ git restore src/styles/theme.css",
        "$ rm src/styles/new.css",
    ],
)
def test_the_way_back_is_never_met_by_an_old_goal(word: str, way_back: str) -> None:
    made = (*FLAGGED, "write src/styles/new.css | x")
    assert last(*made, f"@ {word}", way_back).action in {Action.ALLOW, Action.LOG}


@pytest.mark.parametrize(
    ("prompt", "refused", "beside"),
    [
        ("Fix src/a.py. Never push.", "$ git push", None),
        ("Fix src/a.py. Don't touch the tests.", "edit tests/test_a.py", "edit tests/test_b.py"),
        ("Only edit src/a.py.", "edit src/b.py", "edit src/c.py"),
        ("Fix src/a.py. Don't modify the schema.", "edit db/schema.sql", "edit db/migrations/1.sql"),
    ],
)
def test_a_yes_to_a_refusal_frees_that_and_no_more(prompt: str, refused: str, beside: str | None) -> None:
    before = (f"@ {prompt}", "edit src/a.py", refused)
    assert last(*before).action is Action.DENY
    assert last(*before, "@ yes, go ahead", refused).action is not Action.DENY
    assert last(*before, "@ thanks", refused).action is Action.DENY
    assert beside is None or last(*before, "@ yes, go ahead", beside).action is Action.DENY


def test_what_waits_for_a_word_goes_with_it_and_not_with_a_question() -> None:
    first = ("@ Don't change anything yet, show me a plan.",)
    assert last(*first, "edit src/a.py").action is Action.DENY
    assert last(*first, "@ why src/a.py?", "edit src/a.py").action is Action.DENY
    assert last(*first, "@ looks good, go ahead", "edit src/a.py").action is not Action.DENY


def test_undoing_a_forbidden_change_is_let_pass() -> None:
    changed = ("@ Fix src/a.py. Don't touch the tests.", "edit src/a.py", "found tests/test_a.py", "$ true")
    assert last(*changed, "edit tests/test_a.py | x => y").action is Action.DENY
    assert last(*changed, "@ undo that", "edit tests/test_a.py | x => y").action is not Action.DENY
