"""Orders in English, each with exactly what is to be checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.contract import Constraint
from leeboard.speech.limits.clause import limits
from leeboard.speech.limits.constraint import find_constraints

SCHEMA = (
    "**/schema.*",
    "**/schema/**",
    "**/schemas/**",
    "**/*.sql",
    "**/*.prisma",
    "**/migrations/**",
    "**/*_schema.*",
    "**/*.schema.*",
)
MIGRATIONS = ("**/migrations/**", "**/migrate/**", "**/alembic/**")
LOCKS = ("**/*.lock", "**/package-lock.json", "**/pnpm-lock.yaml", "**/go.sum")
STYLES = ("**/*.css", "**/*.scss", "**/*.sass", "**/*.less")
DOCS = ("**/*.md", "**/docs/**", "**/*.rst")


def forbid(
    text: str, *, patterns: tuple[str, ...] = (), areas: tuple[str, ...] = (), programs: tuple[str, ...] = ()
) -> Constraint:
    return Constraint(text=f"DO NOT {text}", kind="forbid", patterns=patterns, areas=areas, programs=programs)


def only(text: str, *, patterns: tuple[str, ...] = ()) -> Constraint:
    return Constraint(text=text, kind="only", patterns=patterns)


def must(text: str) -> Constraint:
    return Constraint(text=text, kind="must")


ORDERS = [
    ("Fix login. Don't modify the schema.", [forbid("modify the schema", patterns=SCHEMA)]),
    ("Only edit src/auth/ please", [only("ONLY change src/auth/", patterns=("**/src/auth/**",))]),
    ("Fix it, but do not touch tests/", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("Fix login. Never push.", [forbid("push", programs=("git push",))]),
    (
        "do not touch tests/ and never commit",
        [forbid("touch tests/", patterns=("**/tests/**",)), forbid("commit", programs=("git commit", "git push"))],
    ),
    (
        "don't change src/a.py, src/b.py or the schema",
        [forbid("change src/a.py, src/b.py or the schema", patterns=("**/src/a.py", "**/src/b.py", *SCHEMA))],
    ),
    (
        "- don't touch tests/\n- never commit\n1. do not edit package.json",
        [
            forbid("touch tests/", patterns=("**/tests/**",)),
            forbid("commit", programs=("git commit", "git push")),
            forbid("edit package.json", patterns=("**/package.json",)),
        ],
    ),
    ("IMPORTANT: do not modify package.json", [forbid("modify package.json", patterns=("**/package.json",))]),
    ("Please make sure you don't touch src/legacy/", [forbid("touch src/legacy/", patterns=("**/src/legacy/**",))]),
    ("refactor it without changing tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("leave package.json alone", [forbid("change package.json", patterns=("**/package.json",))]),
    ("Leave the tests as they are", [forbid("change the tests", areas=("tests",))]),
    (
        "Fix the bug in src/a.py but leave package.json alone",
        [forbid("change package.json", patterns=("**/package.json",))],
    ),
    ("fix the login\ndon't touch tests/", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("no new dependencies", [forbid("add new dependencies", programs=("add-dependency",))]),
    ("don't add any dependencies", [forbid("add any dependencies", programs=("add-dependency",))]),
    ("Avoid touching src/core", [forbid("touch src/core", patterns=("**/src/core/**",))]),
    ("Refrain from editing the lock file", [forbid("edit the lock file", patterns=LOCKS)]),
    ("hands off tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("stay out of src/legacy", [forbid("change src/legacy", patterns=("**/src/legacy/**",))]),
    ("No changes to package.json please", [forbid("change package.json", patterns=("**/package.json",))]),
    ("tests/ is off limits", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("package.json must not be changed", [forbid("change package.json", patterns=("**/package.json",))]),
    ("You must not edit docs/", [forbid("edit docs/", patterns=("**/docs/**",))]),
    ("don't touch anything outside src/auth/", [only("ONLY change src/auth/", patterns=("**/src/auth/**",))]),
    ("Don't change any files except src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    (
        "Limit your changes to src/auth and tests/auth",
        [only("ONLY change src/auth and tests/auth", patterns=("**/src/auth/**", "**/tests/auth/**"))],
    ),
    ("edit only src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("Edit src/a.py only", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("**Do not** touch `tests/`", [forbid("touch `tests/`", patterns=("**/tests/**",))]),
    ("can you fix the login without touching tests/?", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("make the tests pass without modifying the tests", [forbid("modify the tests", areas=("tests",))]),
    ("Don't commit or push", [forbid("commit or push", programs=("git commit", "git push"))]),
    ("don't open a PR", [forbid("open a PR", programs=("pull-request",))]),
    ("never run git push", [forbid("run git push", programs=("git push",))]),
    ("don't use lodash", [forbid("use lodash")]),
    ("You must keep the API stable", [must("MUST keep the API stable")]),
    ("I don't want you to touch src/a.py", [forbid("touch src/a.py", patterns=("**/src/a.py",))]),
    (
        "Do not edit `src/my file.py` because it's generated",
        [forbid("edit `src/my file.py`", patterns=("**/src/my file.py",))],
    ),
    ("do not modify or delete tests/", [forbid("modify or delete tests/", patterns=("**/tests/**",))]),
    ("Don't touch tests/, it's generated", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("don't touch tests/ and run the linter", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("Please do not touch src/a.py or I'll be sad", [forbid("touch src/a.py", patterns=("**/src/a.py",))]),
    ("keep src/a.py unchanged", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("stop editing tests/", [forbid("edit tests/", patterns=("**/tests/**",))]),
    (
        "Never ever modify src/core/engine.rs",
        [forbid("modify src/core/engine.rs", patterns=("**/src/core/engine.rs",))],
    ),
    (
        "Please don't edit docs/ or README.md",
        [forbid("edit docs/ or README.md", patterns=("**/docs/**", "**/README.md"))],
    ),
    (
        "Under no circumstances touch infra/terraform/",
        [forbid("touch infra/terraform/", patterns=("**/infra/terraform/**",))],
    ),
    ("You must never change src/billing/", [forbid("change src/billing/", patterns=("**/src/billing/**",))]),
    ("You are not allowed to edit tests/", [forbid("edit tests/", patterns=("**/tests/**",))]),
    ("NOTE: don't modify the migrations", [forbid("modify the migrations", patterns=MIGRATIONS)]),
    ("Rules: do not touch the lock file", [forbid("touch the lock file", patterns=LOCKS)]),
    ("Also, don't change the CSS", [forbid("change the CSS", patterns=STYLES)]),
    ("be careful not to touch src/a.py", [forbid("touch src/a.py", patterns=("**/src/a.py",))]),
    ("Ensure that you do not modify the database schema", [forbid("modify the database schema", patterns=SCHEMA)]),
    ("Try not to touch src/legacy/", [forbid("touch src/legacy/", patterns=("**/src/legacy/**",))]),
    ("Fix the parser; don't touch the docs", [forbid("touch the docs", patterns=DOCS)]),
    ("Fix the parser - do not touch src/lexer.py", [forbid("touch src/lexer.py", patterns=("**/src/lexer.py",))]),
    ("Fix the typo (don't touch tests/)", [forbid("touch tests/", patterns=("**/tests/**",))]),
    ("Rename the class, but keep src/api.ts unchanged", [forbid("change src/api.ts", patterns=("**/src/api.ts",))]),
    ("Only touch files in src/auth/", [only("ONLY change files in src/auth/", patterns=("**/src/auth/**",))]),
    (
        "You may only edit src/a.py and src/b.py",
        [only("ONLY change src/a.py and src/b.py", patterns=("**/src/a.py", "**/src/b.py"))],
    ),
    ("Stay within packages/web/", [only("ONLY change packages/web/", patterns=("**/packages/web/**",))]),
    (
        "Restrict all changes to `app/(shop)/cart/page.tsx`",
        [only("ONLY change `app/(shop)/cart/page.tsx`", patterns=("**/app/(shop)/cart/page.tsx",))],
    ),
    ("Work only in apps/mobile/", [only("ONLY change apps/mobile/", patterns=("**/apps/mobile/**",))]),
    ("Do not modify any files outside of src/", [only("ONLY change src/", patterns=("**/src/**",))]),
    ("don't touch anything but src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("Edit src/a.py and nothing else", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    (
        "Don't modify *.lock or src/**/*.gen.ts",
        [forbid("modify *.lock or src/**/*.gen.ts", patterns=("**/*.lock", "**/src/**/*.gen.ts"))],
    ),
    ("do not touch the legacy folder", [forbid("touch the legacy folder", patterns=("**/legacy/**",))]),
    ('Don\'t edit "src/my notes.md"', [forbid('edit "src/my notes.md"', patterns=("**/src/my notes.md",))]),
    ("never touch .env", [forbid("touch .env", patterns=("**/.env",))]),
    ("don't touch app/[id]/page.tsx", [forbid("touch app/[id]/page.tsx", patterns=("**/app/[id]/page.tsx",))]),
    ("Do not modify C:\\proj\\src\\a.py", [forbid("modify C:\\proj\\src\\a.py", patterns=("C:/proj/src/a.py",))]),
    ("Don't touch ./scripts/deploy.sh", [forbid("touch ./scripts/deploy.sh", patterns=("**/scripts/deploy.sh",))]),
    ("please do not commit anything", [forbid("commit anything", programs=("git commit", "git push"))]),
    ("Don't push.", [forbid("push", programs=("git push",))]),
    ("do not git push", [forbid("git push", programs=("git push",))]),
    ("no commits please", [forbid("commit", programs=("git commit", "git push"))]),
    ("No commits, no pushes", [forbid("commit or push", programs=("git commit", "git push"))]),
    ("Don't install new packages", [forbid("install new packages", programs=("add-dependency",))]),
    ("do not add third-party libraries", [forbid("add third-party libraries", programs=("add-dependency",))]),
    ("without adding new dependencies, fix the build", [forbid("add new dependencies", programs=("add-dependency",))]),
    (
        "Refactor the parser without touching tests/ or docs/",
        [forbid("touch tests/ or docs/", patterns=("**/tests/**", "**/docs/**"))],
    ),
    (
        "I need you to fix the crash without modifying src/api.ts",
        [forbid("modify src/api.ts", patterns=("**/src/api.ts",))],
    ),
    ("Let's clean this up without changing the tests", [forbid("change the tests", areas=("tests",))]),
    ("Could you speed up the query without touching the schema?", [forbid("touch the schema", patterns=SCHEMA)]),
    ("Do not create a pull request", [forbid("create a pull request", programs=("pull-request",))]),
    ("Don't mess with the migrations", [forbid("mess with the migrations", patterns=MIGRATIONS)]),
    ("ne modifiez pas le fichier src/a.py", [forbid("change le fichier src/a.py", patterns=("**/src/a.py",))]),
]


@pytest.mark.parametrize(("text", "expected"), ORDERS)
def test_an_order_is_a_constraint(text: str, expected: list[Constraint]) -> None:
    assert list(find_constraints(text)) == expected


def test_places_are_those_of_the_sentence() -> None:
    sentence = "Fix src/a.py, but don't touch tests/ because they are slow"
    (limit,) = limits(sentence)
    assert sentence[limit.start : limit.end] == ", but don't touch tests/"
    assert limit.what.strip() == "tests/"


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("don't worry about the schema", "the schema"),
        ("never mind the docs", "the docs"),
        ("No need to touch package.json", "package.json"),
        ("You don't have to update tests/", "tests/"),
    ],
)
def test_what_is_set_aside_is_known_as_such(sentence: str, what: str) -> None:
    (limit,) = limits(sentence)
    assert (limit.form, limit.what.strip()) == ("waived", what)


@given(st.text(max_size=300))
def test_any_sentence_is_read(sentence: str) -> None:
    for limit in limits(sentence):
        assert 0 <= limit.start <= limit.end <= len(sentence)
