from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.workspace import Workspace
from leeboard.speech.prompt import GOAL_LIMIT, SCOPE_LIMIT, find_scope, understand_prompt

ROOT = Path(__file__).resolve().parents[2]
TREE = Workspace("/home/me/proj")


def test_a_prompt_gives_goal_scope_limits_words_and_areas() -> None:
    """AD-10, AD-52, AD-53."""
    intent = understand_prompt("Fix the auth token bug in src/auth/token.ts. Don't modify the schema.", workspace=TREE)
    assert intent.text == "Fix the auth token bug in src/auth/token.ts. Don't modify the schema."
    assert intent.scope == ("src/auth/token.ts",)
    assert [limit.text for limit in intent.constraints] == ["DO NOT modify the schema"]
    assert intent.keywords == ("auth", "token", "bug", "src")
    assert intent.areas == ("auth",)
    assert intent.steers


@pytest.mark.parametrize("text", ["looks good", "好的，继续", "", "  \n "])
def test_a_nod_steers_nothing(text: str) -> None:
    """AD-12."""
    assert not understand_prompt(text).steers


@pytest.mark.parametrize(
    "text",
    ["no, that's wrong", "perfect. now commit", "no, don't touch the tests", "why did you change the profile page?"],
)
def test_a_remark_steers_nothing(text: str) -> None:
    assert not understand_prompt(text).steers


@pytest.mark.parametrize(
    "text",
    ["add dark mode", "no, that's wrong: src/a.py", "still broken\n```\nTypeError: x in src/b.py\n```", "run src/a.py"],
)
def test_new_work_and_places_steer(text: str) -> None:
    assert understand_prompt(text).steers


def test_a_remark_still_lifts_and_limits() -> None:
    assert "git commit" in understand_prompt("perfect. now commit").lifts
    assert understand_prompt("no, don't touch the tests").constraints[0].areas == ("tests",)


def test_a_command_always_steers() -> None:
    intent = understand_prompt("ok", "/review")
    assert intent.steers
    assert intent.text == "/review ok"


@pytest.mark.parametrize(
    "text",
    [
        "Fix login, leave package.json alone",
        "Fix login. Do not touch the schema or package.json.",
        "Fix login without changing package.json or the schema",
        "Fix login, don't worry about the schema in package.json",
        "Fix login, package.json is off limits. Never mind the schema.",
        "Behebe login, ändere package.json nicht",
        "Arregla login, no toques package.json",
        "修复 login，不要修改 package.json",
    ],
)
def test_what_is_forbidden_is_neither_scope_nor_subject(text: str) -> None:
    intent = understand_prompt(text)
    assert intent.scope == ()
    assert "schema" not in intent.keywords
    assert "package" not in intent.keywords
    assert intent.areas == ("auth",)
    assert "package.json" in intent.text or "schema" in intent.text


def test_an_only_is_scope() -> None:
    assert understand_prompt("Only edit src/auth/ please").scope == ("src/auth/",)


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("@src/foo.py fix src/foo.py please", ("src/foo.py",)),
        ("see /home/me/proj/src/a.py", ("src/a.py",)),
        ("see ./src/a.py and src/b/", ("src/a.py", "src/b/")),
        ("look at /tmp/x/err.txt and ~/notes.md", ()),
        ("look at ../other/a.py", ()),
        ("read TODO.md and implement phase 2 as described in `docs/plan.md`", ()),
        ("fix the typo in docs/plan.md", ("docs/plan.md",)),
        ("fix the client/server and/or CI/CD", ()),
        ('Crash:\n  File "/home/me/proj/src/b.py", line 3, in run\n', ("src/b.py",)),
        ('Crash:\n  File "/usr/lib/python3.11/json/decoder.py", line 3\n', ()),
        ("Apply:\n```diff\n--- a/src/x.py\n+++ b/src/x.py\n```", ("src/x.py",)),
        ("Crash:\n    at run (node_modules/lib/index.js:3:4)\n    at main (src/main.js:1:2)", ("src/main.js",)),
        ("fix src/a.py\n```\nsrc/z.py fails\n```", ("src/a.py", "src/z.py")),
    ],
)
def test_scope_is_what_the_text_asks_for(text: str, scope: tuple[str, ...]) -> None:
    assert find_scope(text, TREE) == scope


def test_without_a_known_tree_paths_stay_as_written() -> None:
    assert find_scope("fix ~/x/a.py and /opt/app/b.py", Workspace()) == ("~/x/a.py", "/opt/app/b.py")


def test_scope_and_goal_are_bounded() -> None:
    intent = understand_prompt(" ".join(f"src/file{number}.py" for number in range(200)))
    assert len(intent.scope) == SCOPE_LIMIT
    assert len(intent.text) <= GOAL_LIMIT


def test_the_humans_own_words_come_before_pasted_ones() -> None:
    log = "\n".join(f"2024-01-02 12:00:00 INFO worker{chr(97 + n % 26)}{chr(97 + n // 26)} started" for n in range(300))
    intent = understand_prompt(f"{log}\n\nWhy does the invoice export hang?")
    assert intent.keywords[:3] == ("invoice", "export", "hang")
    assert len(intent.keywords) <= 160


def test_limits_name_paths_of_the_tree_by_their_short_name() -> None:
    intent = understand_prompt("Do not touch /home/me/proj/src/a.py", workspace=TREE)
    assert intent.constraints[0].patterns == ("**/src/a.py",)


def test_secrets_do_not_get_into_the_goal() -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    intent = understand_prompt(f"use {secret} to fix login")
    assert secret not in intent.text
    assert secret.lower() not in " ".join(intent.keywords)


@given(st.text(max_size=400), st.sampled_from(["", "/", "/home/me/proj"]))
def test_any_text_is_understood(text: str, root: str) -> None:
    intent = understand_prompt(text, workspace=Workspace(root))
    assert len(intent.text) <= GOAL_LIMIT


_HOSTILE = r"""
from leeboard.speech.prompt import understand_prompt
from leeboard.model.workspace import Workspace
seeds = (".", "a/", "`", '"', "'", "(", "[", "@a/", "*", "don't ", "ok ", "\n", "```\n", "> ", "- ", "://", "文", "src/a.py ")
for seed in seeds:
    understand_prompt((seed * 200_000)[:200_000], workspace=Workspace("/r"))
"""


def test_hostile_text_takes_linear_time() -> None:
    subprocess.run([sys.executable, "-c", _HOSTILE], check=True, timeout=60, cwd=ROOT)


@pytest.mark.parametrize("command", ["/commit", "/git:commit", "/commit-push-pr"])
def test_a_command_asks_for_what_it_is_called(command: str) -> None:
    assert "git commit" in understand_prompt("", command).lifts
    assert not understand_prompt("", "/compact").lifts
