from __future__ import annotations

import re

import pytest

from leeboard.speech.limits.clause import CHANGING, GERUND, IMPERATIVES, PLAIN, base_forms


@pytest.mark.parametrize(
    ("verbs", "bases"),
    [
        ("changing", ("change",)),
        ("Modifying", ("modify",)),
        ("committing or pushing", ("commit", "push")),
        ("touch, edit or move", ("touch", "edit", "move")),
        ("writing  to", ("write to",)),
        ("git committing", ("git commit",)),
        ("cleaning up", ("clean up",)),
        ("nonsense", ()),
    ],
)
def test_every_verb_has_its_base_form(verbs: str, bases: tuple[str, ...]) -> None:
    assert base_forms(verbs) == bases


def test_both_forms_are_matched() -> None:
    assert re.fullmatch(PLAIN, "modify or delete")
    assert re.fullmatch(GERUND, "modifying, deleting")
    assert not re.fullmatch(PLAIN, "modified")
    assert not re.match(PLAIN, "set-up")


def test_deleting_and_renaming_leave_edits_free() -> None:
    assert not CHANGING & {"delete", "rename", "move", "create"}


def test_orders_begin_with_lower_case_verbs() -> None:
    assert all(verb.isalpha() and verb.islower() for verb in IMPERATIVES)
