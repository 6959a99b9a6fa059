from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from tests.flow_desk import SLUG, FlowDesk

STATE = f".haiku/intents/{SLUG}/stages/shape/state.json"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    return made


def tamper(desk: FlowDesk) -> None:
    page = desk.root / STATE
    page.write_text(page.read_text().replace('"visits": 1', '"visits": 7'))


def test_nothing_is_wrong(desk: FlowDesk) -> None:
    assert desk.ok("repair") == "nothing is wrong\n"
    assert desk.ok("repair", "--json") == ""


def test_it_shows_first_and_repairs_when_it_is_told_to(desk: FlowDesk) -> None:
    desk.repository.run("branch", f"haiku/{SLUG}/unit-01-shape")
    shown = desk.flow("repair")
    assert (shown.code, shown.out.splitlines()) == (
        1,
        [f"wrong     stray branch: haiku/{SLUG}/unit-01-shape: it is merged", "--apply repairs what can be"],
    )
    assert desk.ok("repair", "--apply").startswith("repaired  stray branch")
    assert desk.ok("repair", "--intent", SLUG) == "nothing is wrong\n"


def test_what_can_not_be_repaired_is_told(desk: FlowDesk) -> None:
    desk.repository.write(".haiku/intents/bare/x.md", "x\n")
    ran = desk.flow("repair", "--apply", "--json")
    assert ran.code == 1
    assert [(each["about"], each["fixable"], each["done"]) for each in ran.objects] == [("half-made intent", False, "")]


@pytest.mark.parametrize(("said", "code"), [(True, 0), (False, 1)])
def test_a_person_says_whether_a_change_by_hand_is_right(
    desk: FlowDesk,
    said: bool,  # noqa: FBT001 - a case
    code: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tamper(desk)
    assert desk("run_next")["code"] == "tampered"
    asked: list[str] = []

    def confirm(question: str, **_how: object) -> bool:
        asked.append(question)
        return said

    monkeypatch.setattr(click, "confirm", confirm)
    told = " ".join(desk.flow("repair").out.split())
    assert "--apply asks whether what was changed by hand is right, and takes it as it is." in told
    assert "put the lines back as they were" in told
    ran = desk.flow("repair", "--apply")
    assert ran.code == code
    assert "stages/shape/state.json" in asked[0]
    assert desk.plan_now.sealed == said


def test_programs_need_the_yes_and_agents_may_not_say_it(desk: FlowDesk) -> None:
    tamper(desk)
    assert desk.flow("repair", "--apply", "--json").code == 1
    assert not desk.plan_now.sealed
    desk.as_agent()
    assert "only a person" in desk.denied("repair", "--apply", "--yes", code=2)
    assert not desk.plan_now.sealed


def test_with_the_yes_it_is_taken_as_it_is(desk: FlowDesk) -> None:
    tamper(desk)
    assert [json.loads(line)["done"] for line in desk.ok("repair", "--apply", "--yes", "--json").splitlines()] == [
        "taken as it is"
    ]
    assert desk.plan_now.sealed


@pytest.mark.parametrize(
    ("path", "broken", "line"),
    [
        ("stages/shape/state.json", '{\n "status": "active",\n "phase" 1}\n', "line 3"),
        ("intent.md", "---\ntitle: [\n---\n", "line 3"),
        ("stages/shape/units/unit-01-shape.md", "---\ntitle: 'x\n---\n", "line 3"),
    ],
)
def test_a_file_that_can_not_be_read_is_brought_back_from_git(
    desk: FlowDesk, path: str, broken: str, line: str
) -> None:
    page = desk.root / f".haiku/intents/{SLUG}/{path}"
    good = page.read_text()
    page.write_text(broken)
    shown = desk.flow("repair")
    words = " ".join(shown.out.split())
    assert shown.code == 1
    assert f"can not be read: {page}" in words
    assert line in words
    assert f":.haiku/intents/{SLUG}/{path}` is the last version that can be" in words
    assert "--apply --restore brings back what git has" in words
    desk.flow("repair", "--apply", "--yes")
    assert page.read_text() == broken
    repaired = desk.flow("repair", "--apply", "--restore", "--yes").out
    assert "brought back from" in repaired
    assert "repaired  could not be read:" in repaired
    assert page.read_text() == good
    assert (desk.root / f".haiku/tmp/{SLUG}.unreadable/{page.name}").read_text() == broken
    assert desk.ok("repair") == "nothing is wrong\n"


def test_an_agent_brings_nothing_back(desk: FlowDesk) -> None:
    (desk.root / STATE).write_text("{")
    desk.as_agent()
    assert "only a person" in desk.denied("repair", "--apply", "--restore", code=2)
    assert (desk.root / STATE).read_text() == "{"


def test_files_that_somebody_changed_and_a_lost_baseline_are_told(desk: FlowDesk) -> None:
    desk.ok("next")
    desk.repository.write(f".haiku/intents/{SLUG}/knowledge/doc.md", "theirs\n")
    said = desk.ok("repair")
    assert "knowledge/doc.md" in said
    assert "leeboard flow classify" in said
    (desk.root / f".haiku/intents/{SLUG}/baseline.json").unlink()
    ran = desk.flow("repair")
    assert ran.code == 1
    assert f"leeboard flow baseline-reset {SLUG}" in ran.out
    assert ran.out.endswith("--apply repairs none of it: do what is said above\n")


def test_what_git_never_had_is_put_right_by_hand(desk: FlowDesk) -> None:
    desk.repository.write(f".haiku/intents/{SLUG}/stages/build/units/unit-01-x.md", "---\ntitle: [\n---\nx\n")
    said = " ".join(desk.flow("repair").out.split())
    assert "put it right with an editor, or remove it" in said
    assert said.endswith("--apply repairs none of it: do what is said above")


def test_a_slip_in_the_settings_is_noted(desk: FlowDesk) -> None:
    desk.repository.write(".haiku/settings.yml", "drift_detect: false\n")
    ran = desk.flow("repair")
    assert ran.code == 0
    assert "drift_detect" in ran.out
    assert any("drift_detect" in each for each in desk("repair", apply=False)["found"])
