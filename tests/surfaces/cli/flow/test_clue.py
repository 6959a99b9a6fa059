"""The next action as a person reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest

from leeboard.model.plan import Clue
from leeboard.surfaces.cli.flow.clue import MOST_OUTPUT, MOST_WORDS, show_clue
from leeboard.surfaces.cli.terminal import Console


def shown(payload: dict[str, Any], message: str = "Do it.", action: str = "go") -> str:
    console = Console(file=io.StringIO(), width=120)
    show_clue(Clue(action=action, message=message, payload=payload), console, "/home")
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def test_a_failing_gate_is_shown_with_its_command_and_output() -> None:
    failure = {"name": "tests", "command": "pytest -q", "dir": "web", "exit_code": 1, "output": "1 failed\n"}
    lines = shown({"failures": [failure]}).splitlines()
    assert [line.split(maxsplit=1) for line in lines[2:]] == [
        ["gate", "tests: exit 1"],
        ["runs", "pytest -q (in web)"],
        ["1", "failed"],
    ]
    long = {**failure, "dir": "", "exit_code": None, "output": "".join(f"line {at}\n" for at in range(99))}
    said = shown({"failures": [long]})
    assert "out of time" in said
    assert said.count("line ") == MOST_OUTPUT


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"worktree": "/a/b"}, "work tree  /a/b"),
        ({"worktree": None, "worktrees": {"unit-01-a": "/a", "unit-02-b": None}}, "work tree  /a"),
        ({"units": [{"unit": "unit-01-a", "worktree": "/a"}]}, "work tree  /a"),
        ({"units": ["unit-01-a"]}, ""),
        (
            {"required_outputs": [{"name": "CODE", "location": "src/"}]},
            "brings     CODE: src/, in the work tree of the unit that writes it",
        ),
        ({"required_outputs": [{"name": "CODE", "location": "(the tree)"}]}, "brings     CODE: (the tree)"),
        ({"missing": [{"name": "USERS", "location": "a/U.md"}]}, "missing    USERS: /home/a/U.md"),
        ({"missing": [{"unit": "unit-01-a", "input": "x"}]}, ""),
        ({"outputs": ["/tree/a.txt"]}, "makes      /tree/a.txt"),
        ({"outputs": ["a.txt"]}, "makes      /home/a.txt"),
        ({"criteria_unmet": ["it works"]}, "must hold  [ ] it works"),
        ({"also": [{"problem": "x", "message": "Call haiku_run_next."}]}, "also       x: Run `leeboard flow next`."),
        ({"warnings": ["stage a: slip"]}, "note       stage a: slip"),
    ],
)
def test_what_belongs_to_it_is_shown(payload: dict[str, Any], words: str) -> None:
    assert shown(payload).splitlines()[2:] == ([f"  {words}"] if words else [])


def test_a_plan_is_asked_for_with_all_it_takes() -> None:
    payload = {
        "intent": "thing",
        "stage": "build",
        "unit_types": ["code", "test"],
        "discovery": [{"name": "USERS", "location": ".haiku/intents/thing/knowledge/USERS.md"}],
        "stage_metadata": {"description": "d", "body": "# Build\nOne change\nfor each.\n\n- small\n- whole\n"},
    }
    place = ".haiku/intents/thing/stages/build/units/unit-NN-name.md"
    assert shown(payload, action="elaborate").splitlines()[2:] == [
        f"  units      /home/{place}; `leeboard flow unit unit-01-NAME --draft`",
        "             begins one",
        "  types      code, test",
        "  find out   USERS: /home/.haiku/intents/thing/knowledge/USERS.md",
        "  mind       what you write there with an editor is asked about once:",
        "             `leeboard flow classify --all --as ignore --why TEXT` says that it is yours",
        "  stage build",
        "    # Build",
        "    One change for each.",
        "    - small",
        "    - whole",
        "  unit       one work item of a stage: a file that says what is to be done and when it is done",
    ]


def test_words_are_explained_where_they_first_appear() -> None:
    begun = shown({"unit": "unit-01-a"}, action="start_unit")
    assert "  hat        the role that is worn while working on a unit" in begun
    assert "  bolt       one round of the hats over a unit" in begun
    assert "  wave " not in begun
    assert "  wave       units that depend on nothing unfinished" in shown({}, action="start_units")
    assert "  hat " not in shown({"unit": "unit-01-a"}, action="continue_unit")


def test_mandates_are_shown_and_bounded() -> None:
    worn = shown({"units": [{"hat": "builder", "mandate": "Build it."}]})
    assert worn.splitlines()[2:] == ["  hat builder", "    Build it."]
    long = shown({"agents": [{"name": "critic", "mandate": "Find fault.\n\n" * 999}]})
    assert "  review agent critic\n    Find fault.\n" in long
    assert long.endswith("    ... (--json has all of it)\n")
    assert len(long) < 2 * MOST_WORDS
    assert len(shown({"agents": [{"name": "critic", "mandate": "x" * 99_999}]})) < 2 * MOST_WORDS


def test_the_message_names_commands() -> None:
    assert "`leeboard flow unit unit-01-a --start`" in shown({"unit": "unit-01-a"}, "Begin with haiku_unit_start.")
