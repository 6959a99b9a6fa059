"""A person drives a whole stage without an agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_a_stage_is_gone_through_by_hand(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    begun = desk.told("next")
    assert (begun["action"], begun["units"]) == ("start_units", ["unit-01-left", "unit-02-right"])
    for unit, output in (("unit-01-left", "left.txt"), ("unit-02-right", "right.txt")):
        tree = GitRepository(desk.told("unit", unit, "--start")["worktree"])
        tree.write(output, "done\n")
        tree.commit(f"Write {output}")
        page = Path(desk.told("unit", unit)["path"])
        page.write_text(page.read_text().replace("- [ ]", "- [x]"))
        assert desk.told("unit", unit, "--bolt")["bolt"] == 2
        assert desk.told("unit", unit, "--advance")["hat"] == "checker"
        assert desk.told("unit", unit, "--reject", "Once more.")["rejected_for"] == "Once more."
        again = desk.denied("unit", unit, "--advance")
        assert f"Nothing has changed in {tree.path} since {unit} was sent back: Once more." in again
        assert f"`leeboard flow unit {unit} --advance --because WHY`" in again
        tree.write(output, "done once more\n")
        desk.ok("unit", unit, "--advance")
        desk.ok("unit", unit, "--advance")
    assert "review" in desk.ok("next")
    assert "has no review agent nobody" in desk.denied("report", "nobody", "--text", "x", code=2)
    assert "FB-09" in desk.denied("report", "critic", "--text", "x", "--finding", "FB-09", code=2)
    assert desk.told("report", "critic", "--text", "Nothing to say.")["action"] == "gate_review"


def test_units_are_shown(desk: FlowDesk) -> None:
    desk.through_shape()
    desk.until("elaborate")
    assert desk.ok("units") == "stage build has no units yet\n"
    desk.plan("left.txt", "right.txt")
    assert "wave 0  [ ] unit-01-left   planned" in desk.ok("units")
    told = [json.loads(line)["unit"] for line in desk.ok("units", "--json").splitlines()]
    assert told == ["unit-01-left", "unit-02-right"]
    assert "[x] unit-01-shape" in desk.ok("units", "--stage", "shape")
    whole = desk.told("unit", "unit-01-left")
    assert (whole["inputs"], whole["outputs"], whole["closes"]) == (["intent.md"], ["left.txt"], [])
    text = desk.ok("unit", "unit-01-left")
    assert "must hold" in text
    assert "left.txt is there" in text


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("units", "--stage", "x"), "there is no stage 'x'; there are shape, build, ship", 2),
        (("unit", "x"), "stage shape has no unit 'x'; it has none", 2),
        (("unit", "x", "--start"), "Beginning a unit belongs to the phase execute", 1),
        (("unit", "x", "--start", "--bolt"), "give one", 2),
        (("report", "x", "--text", "x"), "belongs to the phase review", 1),
        (("next", "--external-review-url", "x"), "no web address", 2),
        (("unit", "x", "--because", "no"), "--because goes with --advance", 2),
        (("unit", "x", "--reject", "why", "--because", "no"), "--because goes with --advance", 2),
        (("unit", "x", "--start", "--stage", "shape"), "--stage is for looking", 2),
    ],
)
def test_what_is_refused(desk: FlowDesk, words: tuple[str, ...], said: str, code: int) -> None:
    """SH-12, SH-13."""
    desk.begin()
    desk.until("elaborate")
    assert said in desk.denied(*words, code=code)


def test_where_a_stage_is_reviewed_is_kept(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    desk.ok("next", "--external-review-url", "https://example.invalid/7")
    assert desk.plan_now.stages[0].state.external_review_url == "https://example.invalid/7"


def test_what_can_not_be_read_ends_with_four(desk: FlowDesk) -> None:
    """SH-13: as the table of exit codes says."""
    desk.begin()
    (desk.root / ".haiku/intents/thing/intent.md").write_text("---\ntitle: [\n---\n")
    ran = desk.flow("next")
    assert (ran.code, ran.out.split()[0]) == (4, "error")
    assert desk.flow("next", "--json").code == 4
    assert "there are no stages" in desk.denied("units", code=2)


def test_a_unit_that_can_not_be_read_ends_with_four(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    page = Path(desk.told("unit", "unit-01-left")["path"])
    page.write_text("---\ntitle: [\n---\n")
    assert desk.flow("next").code == 4


def test_a_state_that_can_not_be_read_is_named_once(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    (desk.root / ".haiku/intents/thing/stages/shape/state.json").write_text("{")
    ran = desk.flow("next", "--json")
    assert (ran.code, ran.objects[0]["message"].count("state.json")) == (4, 1)


def test_a_switch_of_the_branch_is_told(desk: FlowDesk) -> None:
    desk.begin()
    before = desk.repository.run("branch", "--show-current").strip()
    shown = " ".join(desk.ok("next").split())
    assert f"was switched from {before} to haiku/thing/main, the branch of thing." in shown
    assert "was switched" not in desk.ok("next"), "once"
