from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.model.plan import Clue
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.moves import archive
from leeboard.surfaces.cli.flow.place import CurrentFlow, tell_clue, tell_outcome, tell_refusal
from tests.flow_desk import SLUG, FlowDesk


def test_a_refusal_is_told_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    refusal = Refusal(
        code="wrong_phase", message="No. Call haiku_run_next.", details={"phase": "gate", "next_step": "x"}
    )
    assert tell_outcome(refusal, as_json=False, home="") == 1
    assert capsys.readouterr() == ("", "leeboard: No. Run `leeboard flow next`.\n")
    assert tell_refusal(refusal, as_json=True) == 1
    said = "No. Run `leeboard flow next`."
    assert json.loads(capsys.readouterr().out) == {"error": "wrong_phase", "message": said, "phase": "gate"}


@pytest.mark.parametrize(("is_error", "code"), [(False, 0), (True, 1)])
def test_a_clue_is_told(is_error: bool, code: int, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: FBT001 - a case
    clue = Clue(action="review", message="\x1b[31mLook.", payload={"stage": "build"}, is_error=is_error)
    assert tell_clue(clue, as_json=False, home="") == code
    assert capsys.readouterr().out == "review\n  \N{REPLACEMENT CHARACTER}[31mLook.\n"
    assert tell_outcome(clue, as_json=True, home="") == code
    told = json.loads(capsys.readouterr().out)
    assert (told["action"], told["stage"], told["waits"], told["is_error"]) == ("review", "build", False, is_error)


def test_the_intent_that_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match="No intent is active"):
        _ = CurrentFlow().slug
    desk.begin()
    assert (CurrentFlow().slug, CurrentFlow().is_named, CurrentFlow(SLUG).is_named) == (SLUG, False, True)
    assert CurrentFlow().look().intent.slug == SLUG
    with pytest.raises(ConfigError, match="no intent 'x'"):
        _ = CurrentFlow("x").slug


def test_what_a_person_wants_is_noted_and_no_clue_is_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.begin()
    assert CurrentFlow().note(archive) is None
    assert desk.plan_now.intent.archived
    ticks = desk.plan_now.tick
    refusal = CurrentFlow(SLUG).note(archive)
    assert refusal is not None
    assert (refusal.code, desk.plan_now.tick) == ("noop", ticks)


def test_without_a_terminal_a_question_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.begin()
    page = desk.root / f".haiku/intents/{SLUG}/intent.md"
    page.write_text(page.read_text().replace("status: active", "status: completed"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    ran = desk.flow("repair", "--apply")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        1,
        "leeboard: nobody is there to answer: look at what is named, then give --yes",
    )
    assert not desk.plan_now.sealed


@pytest.mark.parametrize(
    ("words", "error", "code"),
    [
        (("next",), "not_possible", 2),
        (("feedback", "list"), "not_possible", 2),
        (("next", "--intent", "x"), "not_possible", 2),
        (("review", "--no-such-option"), "wrong_use", 2),
        (("no-such-command",), "wrong_use", 2),
    ],
)
def test_a_program_is_told_of_a_failure_in_an_object(
    words: tuple[str, ...], error: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another branch than the intent's is checked out nobody can tell which one is meant."""
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.through_shape()
    desk.repository.run("checkout", "-q", "main")
    people, program = desk.flow(*words), desk.flow(*words, "--json")
    (told,) = program.objects
    assert (told["error"], program.code, program.err) == (error, code, "")
    assert (people.err, people.code, people.out) == (f"leeboard: {told['message']}\n", code, "")


def test_a_plan_nobody_can_read_is_told_in_an_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.begin()
    (desk.root / f".haiku/intents/{SLUG}/intent.md").write_bytes(b"\xff\xfe")
    program = desk.flow("next", "--json")
    assert program.objects[0]["message"]
    assert program.code != 0


@pytest.mark.parametrize("code", ["stage_unknown", "feedback_not_found", "studio_unknown", "path_unknown"])
def test_what_is_nowhere_is_wrong_use(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As for a program, which gets the object all the same."""
    refusal = Refusal(code=code, message="No such thing. Call haiku_run_next.")
    assert (tell_refusal(refusal, as_json=False), tell_refusal(refusal, as_json=True)) == (2, 2)
    assert json.loads(capsys.readouterr().out)["error"] == code
