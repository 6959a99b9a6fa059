"""What limits nothing, what ends a limit, and what is left of a message without its limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.contract import ADD_DEPENDENCY
from leeboard.speech.limits.constraint import CONSTRAINT_LIMIT, TEXT_LIMIT, find_constraints, find_lifts, without_limits

ROOT = Path(__file__).resolve().parents[3]

INNOCENT = [
    "I don't understand why tests/test_a.py fails",
    "I don't see why src/a.py changes package.json",
    "don't forget to update tests/",
    "Don't forget to edit package.json",
    "don't worry about the schema",
    "Don't worry about changing the tests",
    "why don't you edit tests/a.py",
    "Why don't we change package.json?",
    "doesn't it change package.json?",
    "it should not change the file when src/a.py is empty",
    "users must not edit others' posts",
    "Users should not modify the schema",
    "the button must not be clickable",
    "the API should not modify the database",
    "make sure the migration does not touch the users table",
    "make sure the script never edits package.json",
    "Make sure that users don't edit package.json",
    "never mind the docs",
    "Never mind tests/, fix src/a.py",
    "not only src/a.py but also src/b.py",
    "if it's only in src/a.py",
    "only show the tests that fail",
    "Only run the tests in tests/unit",
    "```\ndo not touch tests/\n```",
    "~~~\nnever commit\n~~~",
    "> do not modify package.json",
    "    do not edit src/a.py",
    "+ do not edit src/a.py",
    "@@ -1,3 +1,3 @@\n- do not edit src/a.py\n+ edit src/a.py",
    "2024-01-02 12:00:00 WARN do not edit src/a.py",
    "[12:00:01] do not modify package.json",
    "ERROR: do not modify package.json",
    "# do not edit src/a.py",
    "// do not edit src/a.py",
    "/* do not edit src/a.py */",
    '{"rule": "do not touch tests/"}',
    '"message": "do not touch tests/",',
    "The error says: do not modify package.json",
    'The linter prints "do not edit src/a.py" and exits',
    "The comment says do not edit src/generated.py",
    "It complains that I must not change tests/",
    "He told me not to touch src/a.py but that was wrong",
    "The hooks run but don't modify package.json",
    "Scripts in bin/ run and never update package.json",
    "They say the tests never change src/a.py",
    "We never commit secrets",
    "We never touch src/legacy and that is a problem",
    "The watcher should never write to config.json",
    "Add a command that runs without modifying package.json",
    "Allow users to rename files without touching the schema",
    "The build works without changing package.json",
    "Is it possible to do this without touching tests/?",
    "Can it run without editing package.json?",
    "It should work without modifying package.json",
    "Implement a read-only mode where edits don't change src/a.py",
    "do not edit package.json unless needed",
    "If the flag is set, do not modify config.json",
    "When the cache is warm, never touch data.json",
    "don't change the signature of foo in src/a.py",
    "Do not touch the helper in src/a.py",
    "Don't break the tests",
    "don't just edit the tests",
    "I haven't changed package.json",
    "You didn't edit src/a.py",
    "Why did you not touch tests/?",
    "You can't edit package.json from the UI",
    "I only changed src/a.py",
    "The bug is only in src/a.py",
    "We only edit src/a.py on Fridays",
    "Only change src/a.py if needed",
    "only change the colour in src/a.css",
    "Leave a comment in src/a.py",
    "Leave src/a.py for later",
    "The job should leave package.json alone",
    "Keep src/a.py in sync with src/b.py",
    "Keep tests/ green",
    "Do you not touch tests/ when refactoring?",
    "never commit secrets",
    "do not commit node_modules",
    "Don't add a button to src/a.tsx",
    "package.json should not be changed by the script",
    "No changes to package.json were needed",
    "No new dependencies were added by the last run",
    "No commits were found in the log",
    "Is tests/ off limits?",
    "config.json is read-only so saving fails",
    "A viewer must not change docs/",
    "Add a check so that agents must not edit tests/",
    "The form does not update the schema",
    "As a guest I must not edit package.json",
    "Requirements:\n- must not modify the database\n- must not change the schema",
    'Traceback (most recent call last):\n  File "src/a.py", line 3\nValueError: do not edit tests/',
    "TypeError: do not change src/a.py",
    "do not change src/a.py to use tabs",
    "I think we shouldn't change package.json?",
    "Should we not touch the schema?",
    "Users of the API\ndon't modify package.json",
    "From: bob@x.org\nSubject: do not touch tests/",
    "It is important that users do not edit the schema",
    "stop the server from editing package.json",
    "Document why we never edit the schema",
    "Explain when not to touch tests/",
    "Test that guests do not edit docs/",
    "Write a test that checks we never modify package.json",
    "Add a rule: agents never touch tests/",
    "Rename the flag --do-not-touch to --keep tests/",
    'fix the text "Do not edit package.json"',
    'change the label to "never push"',
    "Replace 'do not touch tests/' with 'hands off'",
    "do not touch users table",
    "Don't let users edit the schema",
    "never let the cron job touch package.json",
    "The docs say never edit package-lock.json",
    "Explain why one should never edit package-lock.json",
    "What happens if I don't update package.json?",
    "I'd rather not touch the schema, what do you think?",
    "Maybe don't change the schema?",
    "Do not hesitate to change src/a.py",
    "don't be afraid to edit tests/",
    "Don't stop until tests/ pass",
    "The README says: only edit src/a.py",
    'put "generated, do not edit tests/" at the top of each page',
    "the banner reads “hidden, never push” now",
]


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_words_are_never_enforced(text: str) -> None:
    assert not [constraint for constraint in find_constraints(text) if constraint.checkable]


@pytest.mark.parametrize(
    ("text", "remembered"),
    [
        ("Do not touch the helper in src/a.py", "DO NOT touch the helper in src/a.py"),
        ("don't touch tests/ until the build is green", "DO NOT touch tests/ until the build is green"),
        ("don't delete the helper in src/a.py", "DO NOT delete the helper in src/a.py"),
        ("Don't change the behaviour of the parser", "DO NOT change the behaviour of the parser"),
        ("Only change src/a.py if needed", "ONLY change src/a.py if needed"),
        ("only use the standard library", "ONLY use the standard library"),
        ("You must support Python 3.11", "MUST support Python 3.11"),
        ("Avoid using global state", "DO NOT use global state"),
    ],
)
def test_limits_that_can_not_be_checked_are_remembered(text: str, remembered: str) -> None:
    (constraint,) = find_constraints(text)
    assert constraint.text == remembered
    assert not constraint.checkable


@pytest.mark.parametrize(
    ("text", "lifts"),
    [
        ("now commit it", ("git commit",)),
        ("commit and push", ("git commit", "git push")),
        ("the last commit broke the build", ()),
        ("fix the push notifications", ()),
        ("don't commit", ()),
        ("install lodash", (ADD_DEPENDENCY,)),
        ("you can add a dependency for this", (ADD_DEPENDENCY,)),
        ("update the tests too", ("tests",)),
        ("run the tests", ("run-tests",)),
        ("fix the parser so that the tests pass", ()),
        ("add a function to the auth module", ()),
        ("fix the bug without changing tests/", ()),
        ("open a PR", ("pull-request",)),
        ("```\ngit push\n```", ()),
    ],
)
def test_asking_for_the_forbidden_lifts_it(text: str, lifts: tuple[str, ...]) -> None:
    known = {"git commit", "git push", ADD_DEPENDENCY, "tests", "pull-request", "run-tests"}
    assert tuple(lift for lift in find_lifts(text) if lift in known) == lifts


@pytest.mark.parametrize(
    ("text", "gone", "stays"),
    [
        ("Fix auth. Don't modify the schema.", "schema", "auth"),
        ("Fix src/a.py, leave package.json alone", "package.json", "src/a.py"),
        ("Fix login without touching tests/", "tests/", "login"),
        ("Fix the button, don't worry about the database", "database", "button"),
        ("do not touch docs/ and fix src/a.py", "docs/", "src/a.py"),
        ("Only edit src/auth/", "nothing", "src/auth/"),
        ("Don't touch anything outside src/auth/", "nothing", "src/auth/"),
    ],
)
def test_what_is_forbidden_is_not_asked_for(text: str, gone: str, stays: str) -> None:
    asked = without_limits(text)
    assert gone not in asked
    assert stays in asked


def test_equal_limits_count_once_and_their_number_is_bounded() -> None:
    assert len(find_constraints("don't touch tests/. Don't touch tests/.")) == 1
    many = "\n".join(f"- don't touch src/file{number}.py" for number in range(100))
    assert len(find_constraints(many)) == CONSTRAINT_LIMIT


def test_a_long_limit_is_cut() -> None:
    (constraint,) = find_constraints("don't use " + "very " * 100 + "long names")
    assert len(constraint.text) == TEXT_LIMIT


_PIECES = st.sampled_from(
    ["don't ", "touch ", "tests/", "src/a.py", "and ", "never ", "commit", ", ", ". ", "\n", "- ", "only ", "without ",
     "changing ", "leave ", "alone", "`", '"', "(", ")", "**", "不要修改", "nicht ", "ne ", "pas ", "if ", "\x00", "```\n", "> "]
)  # fmt: skip


@given(st.one_of(st.text(max_size=400), st.lists(_PIECES, max_size=40).map("".join)))
def test_any_text_is_read(text: str) -> None:
    for constraint in find_constraints(text):
        assert constraint.text.startswith({"forbid": "DO NOT ", "only": "ONLY ", "must": "MUST "}[constraint.kind])
        assert len(constraint.text) <= TEXT_LIMIT
    find_lifts(text)
    without_limits(text)


_HOSTILE = r"""
from leeboard.speech.limits.constraint import find_constraints, find_lifts
seeds = (
    ".", "`", '"', "(", "[", "- ", "**", "don't ", "don't touch a/b.py, ", "never ", "without changing ", "only edit ",
    "please ", "and never ", "leave a ", "no ", "must not ", "不要修改", "nicht ", "ne ", "://", "\n", " ", "```\n",
)
for seed in seeds:
    text = (seed * 200_000)[:200_000]
    find_constraints(text)
    sentence = (seed.replace("\n", " ").replace(".", ",") * 1_100)[:1_100]
    find_constraints((sentence + ".\n\n") * 40)
    find_lifts((sentence + " schema.\n\n") * 16)
for seed in (", and the schema ", "please tests, ", "the tests is now, ", "you may edit ", "the rule on docs ", "more so so "):
    find_lifts((seed * 20_000)[:20_000])
    find_lifts(((seed * 300)[:1_100] + ".\n\n") * 16)
find_lifts("don't commit, " * 14_000)
"""


def test_hostile_text_takes_linear_time() -> None:
    subprocess.run([sys.executable, "-c", _HOSTILE], check=True, timeout=60, cwd=ROOT)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("don't edit src/f1.py, now do src/g1.py", "DO NOT edit src/f1.py"),
        ("now do src/g1.py but don't edit src/f1.py", "DO NOT edit src/f1.py"),
        ("don't edit src/f1.py, but src/g1.py is fine", "DO NOT edit src/f1.py"),
    ],
)
def test_a_limit_ends_where_the_next_order_begins(text: str, limit: str) -> None:
    (found,) = find_constraints(text)
    assert (found.text, found.patterns) == (limit, ("**/src/f1.py",))
    assert "src/g1.py" in without_limits(text)
