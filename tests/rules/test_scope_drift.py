"""A change to a file that nothing in the session led to: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.event import FilesChanged
from leeboard.model.verdict import Action
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

AUTH = ("@ fix the auth bug", "edit src/auth/token.ts")


def evidence(*lines: str) -> list[str]:
    """The trace lines in which the rule takes something from the last action."""
    return [line for line in play(lines).proposed()[-1].trace if line.startswith("scope_drift -")]


def score(*lines: str) -> int:
    return play(lines).proposed()[-1].score


def test_inside_the_scope_is_10_and_outside_is_drift() -> None:
    """AD-03, AD-16, AD-31."""
    prompt = "@ fix the bug in src/auth/"
    assert score(prompt, "edit src/auth/token.ts") == 10
    assert score(prompt, "edit src/auth/token.ts", "edit src/billing/invoice.ts") < 8


def test_the_files_of_a_workflow_are_for_its_own_rules_to_judge() -> None:
    prompt = "@ fix the bug in src/auth/"
    assert not evidence(prompt, "edit src/auth/token.ts", "edit .haiku/intents/x/stages/build/units/unit-01-a.md")


def test_a_prefix_of_letters_is_not_a_folder() -> None:
    """AD-29."""
    assert evidence("@ fix the bug in src/auth/", "edit src/auth/token.ts", "edit src/author.ts")


def test_the_nearer_the_milder() -> None:
    """The same folder, another folder of the module, nothing shared."""
    start = ("@ fix the crash in app/core/engine/pump.py", "edit app/core/engine/pump.py")
    scores = [
        score(*start, f"edit {path}")
        for path in ("app/core/engine/zebra.py", "app/core/quagga/zebra.py", "lib/okapi/zebra.py")
    ]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]


def test_the_first_edit_is_not_judged_where_no_place_was_named() -> None:
    assert not evidence("@ fix the bug", "edit src/anything/at/all.py")


def test_it_is_where_one_was_named() -> None:
    assert evidence("@ fix src/auth/token.ts", "edit lib/okapi/zebra.py")


@pytest.mark.parametrize(
    "line",
    [
        "$ sed -i s/a/b/ src/billing/invoice.ts",
        "$ echo x > src/billing/invoice.ts",
        "$ rm src/billing/invoice.ts",
        "write src/billing/invoice.ts | x",
    ],
)
def test_the_shell_and_whole_files_are_judged_like_an_edit(line: str) -> None:
    """AD-01: one model of touches."""
    assert evidence(*AUTH, line)


@pytest.mark.parametrize(
    "line",
    [
        "read src/billing/invoice.ts",
        "$ cat src/billing/invoice.ts",
        "$ git checkout src/billing/invoice.ts",
        "$ ls src",
    ],
)
def test_looking_and_giving_back_are_free(line: str) -> None:
    assert not evidence(*AUTH, line, "edit src/auth/token.ts | a => b")
    assert not play((*AUTH, line)).spoken()


def test_files_outside_the_tree_are_left_alone() -> None:
    assert not evidence(*AUTH, "edit /tmp/scratch.py")


def test_what_a_failing_run_names_was_led_to() -> None:
    named = "$! pytest -> src/billing/invoice.ts:7: TypeError"
    assert not evidence(*AUTH, named, "read src/billing/invoice.ts", "edit src/billing/invoice.ts")


def test_every_stray_path_of_a_line_is_named() -> None:
    line = "$ sed -i s/a/b/ src/billing/invoice.ts src/shipping/label.ts"
    found = evidence(*AUTH, line)
    assert len(found) == 2


def test_changes_of_the_tree_are_judged_but_a_mass_of_them_is_no_choice() -> None:
    store = MemoryStore()
    play(AUTH, store=store)
    few = tell(FilesChanged(session=SESSION, cwd=ROOT, paths=("src/billing/invoice.ts",)), store)
    assert few is not None
    assert few.rules == ("scope_drift",)
    many = tell(FilesChanged(session=SESSION, cwd=ROOT, paths=tuple(f"gen/{n}/okapi.ts" for n in range(9))), store)
    assert many is not None
    assert "scope_drift" not in many.rules


def test_the_remedy_leads_back() -> None:
    message = play((*AUTH, "edit src/billing/invoice.ts")).spoken()[0].message
    steps = message.partition("Next steps:")[2]
    assert "src/billing/invoice.ts" in steps
    assert "src/auth/token.ts" in steps


def test_taking_back_is_the_way_back() -> None:
    """An edit undone by its reverse, or a file made by mistake removed again, is on course."""
    undone = play((*AUTH, "edit src/styles/theme.css | black => navy", "edit src/styles/theme.css | navy => black"))
    assert undone.proposed()[-1].score == 10
    removed = play((*AUTH, "write src/styles/fancy.css | x", "$ rm src/styles/fancy.css"))
    assert removed.proposed()[-1].score == 10
    assert removed.session.agent("").last_good == "src/auth/token.ts"


def test_the_way_back_is_a_place_of_the_work() -> None:
    scratch = play((*AUTH, "$ echo 1 > /tmp/scratch.txt", "edit src/styles/theme.css"))
    assert scratch.session.agent("").last_good == "src/auth/token.ts"
    moved = play((*AUTH, "$ git mv src/auth/token.ts src/auth/tokens.ts"))
    assert moved.session.agent("").last_good == "src/auth/tokens.ts"


def test_the_way_back_is_the_file_that_the_user_named() -> None:
    prompt = "@ Fix the login in src/auth/token.py"
    strayed = play((prompt, "write docs/y.md | # y", "edit src/users/profile.py"))
    assert "return to the goal in src/auth/token.py" in strayed.spoken()[-1].message
    deeper = play(("@ Fix the login in src/auth/", "edit src/auth/token.py", "edit src/billing/invoice.py"))
    assert "return to the goal in src/auth/token.py" in deeper.spoken()[-1].message


def test_the_folder_that_the_work_lies_in_is_not_outside_of_it() -> None:
    """Whether it may be deleted is another question: `lost_work` asks what would be gone."""
    work = ("@ Fix the discount: it is applied twice", "read app/cart.py", "edit app/cart.py")
    assert play((*work, "$ rm -rf app")).proposed()[-1].score == 10
    assert "scope_drift" in play((*work, "$ rm -rf web")).proposed()[-1].rules


def test_a_document_is_not_where_the_goal_lies_unless_it_speaks_of_one() -> None:
    strays = ("read README.md", "edit README.md", "write infra/deploy.tf | x", "write web/theme.css | a {}")
    said = "".join(one.message for one in play(("@ Fix the discount: it is applied twice", *strays)).spoken())
    assert "Goal: Fix the discount" in said
    assert "README.md" not in said
    said = "".join(one.message for one in play(("@ Mention the discount in the readme", *strays)).spoken())
    assert "return to the goal in README.md" in said


def test_what_is_refused_is_not_said_to_have_been_changed() -> None:
    prompt = "@ Fix the session lifetime in src/auth/token.py. Don't touch db/."
    refused = play((prompt, "read src/auth/token.py", "edit src/auth/token.py", "edit db/schema.sql")).proposed()[-1]
    assert refused.action is Action.DENY
    assert "it had not been read before" in "\n".join(refused.trace)
    assert "was changed" not in "\n".join((refused.message, *refused.trace))


def test_what_was_refused_is_not_named_again_with_what_came_after_it() -> None:
    prompt = "@ Fix the session lifetime in src/auth/token.py. Don't touch db/schema.sql."
    start = (prompt, "read src/auth/token.py", "edit src/auth/token.py", "edit db/schema.sql")
    _refusal, told = play((*start, "edit src/auth/zebra.py", "$ make")).spoken()
    assert "scope_drift: src/auth/zebra.py" in told.message
    assert "Also outside the goal" not in told.message
