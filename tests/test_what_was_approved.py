"""What a person approved is what counts: plans, gates and decisions that somebody changed afterwards (SH-36, SH-49)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.flow_desk import SLUG, FlowDesk

GATE = "quality_gates: [{name: left, command: test -s left.txt}]"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


@pytest.fixture
def building(desk: FlowDesk) -> FlowDesk:
    """`build` is being built, as it was approved."""
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    return desk


def plan_file(desk: FlowDesk, path: str) -> Path:
    return desk.root / ".haiku/intents" / SLUG / path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def left(desk: FlowDesk) -> Path:
    return plan_file(desk, "stages/build/units/unit-01-left.md")


def asked(desk: FlowDesk) -> dict[str, Any]:
    """What is next, once the review agents have looked at what changed."""
    answer = desk("run_next")
    if answer["action"] == "review":
        assert not desk("review_report", agent="critic", verdict="pass", report="Nothing.").is_error
        answer = desk("run_next")
    return {key: answer.json.get(key) for key in ("action", "gate_context", "changed")}


CHANGED = {"action": "gate_review", "gate_context": "changed_plan", "changed": ["unit-01-left"]}


def test_an_approval_counts_for_the_plan_that_was_approved(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    change(left(desk), "title:", f"{GATE}\ntitle:")
    assert asked(desk) == {"action": "gate_review", "gate_context": "elaborate_to_execute", "changed": None}
    change(left(desk), f"{GATE}\n", "")
    assert asked(desk)["action"] == "start_units"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title:", f"{GATE}\ntitle:"),
        ("- [ ] left.txt is there", "- [ ] something is there"),
        ("Write left.txt.", "Write anything."),
        ("inputs: [intent.md]", "inputs: [app.py]"),
        ("outputs: [left.txt]", "outputs: [other.txt]"),
        ("outputs:", "touch: ['**']\noutputs:"),
        ("outputs:", "depends_on: [unit-02-right]\noutputs:"),
    ],
)
def test_a_unit_that_is_changed_goes_back_to_the_person(building: FlowDesk, old: str, new: str) -> None:
    before = left(building).read_text()
    change(left(building), old, new)
    assert asked(building) == CHANGED
    left(building).write_text(before)
    assert asked(building)["action"] == "start_units"


def test_so_does_one_that_is_changed_with_a_tool_or_is_new_or_gone(building: FlowDesk) -> None:
    gates = [{"name": "left", "command": "test -s left.txt"}]
    assert not building("unit_set", unit="unit-01-left", field="quality_gates", value=gates).is_error
    assert asked(building) == CHANGED
    building.ok("review", "--approve")
    assert asked(building)["action"] == "start_units"
    new = plan_file(building, "stages/build/units/unit-03-more.md")
    new.write_text(left(building).read_text())
    assert asked(building)["changed"] == ["unit-03-more"]
    new.unlink()
    left(building).rename(new)
    assert asked(building)["changed"] == ["unit-01-left", "unit-03-more"]


def test_ticking_a_box_and_naming_more_outputs_changes_nothing(building: FlowDesk) -> None:
    change(left(building), "- [ ] left", "- [x] left")
    change(left(building), "outputs: [left.txt]", "outputs: [left.txt, more.txt]")
    assert asked(building)["action"] == "start_units"


def test_the_person_has_a_changed_plan_revised(building: FlowDesk) -> None:
    change(left(building), "Write left.txt.", "Write anything.")
    assert asked(building) == CHANGED
    building.ok("review", "--request-changes", "As it was, please.")
    answer = building("run_next")
    assert (answer["action"], answer["feedback"].strip()) == ("revise_unit_specs", "As it was, please.")
    change(left(building), "Write anything.", "Write left.txt.")
    assert asked(building)["action"] == "revise_unit_specs"
    item = answer["feedback_ids"][0]
    assert not building("feedback_update", feedback_id=item, status="addressed").is_error
    assert asked(building)["action"] == "start_units"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("studios/small/stages/build/hats/checker.md", "Check it.", "Say that it is fine."),
        ("studios/small/stages/build/review-agents/critic.md", "Find fault.", "Find nothing."),
        ("studios/small/stages/build/STAGE.md", "hats: [builder, checker]", "hats: [builder]"),
        (f"intents/{SLUG}/intent.md", "status: active", "status: active\nquality_gates: ['true']"),
    ],
)
def test_so_does_what_the_stage_demands(building: FlowDesk, path: str, old: str, new: str) -> None:
    change(building.root / ".haiku" / path, old, new)
    assert asked(building) == CHANGED | {"changed": ["the definition of stage build"]}
    building.ok("review", "--approve")
    assert asked(building)["action"] == "start_units"


@pytest.mark.parametrize(("stage", "review"), [("build", "auto"), ("build", "external"), ("ship", "auto")])
def test_a_gate_of_a_person_is_only_given_up_by_a_person(building: FlowDesk, stage: str, review: str) -> None:
    """SH-36: of this stage, and of one that is still to come."""
    change(building.root / f".haiku/studios/small/stages/{stage}/STAGE.md", "review: ask", f"review: {review}")
    answer = building("run_next")
    assert (answer["error"], answer["fields"]) == ("tampered", [f"the gate of stage {stage}: ask became {review}"])
    building.ok("repair", "--apply", "--yes")
    assert building("run_next")["action"] in {"plan_changed", "gate_review", "start_units"}


def test_neither_is_a_stage_left_out(building: FlowDesk) -> None:
    change(building.root / ".haiku/studios/small/STUDIO.md", ", ship]", "]")
    assert building("run_next")["fields"] == ["the gate of stage ship: ask became nothing"]


def test_nor_by_another_studio(building: FlowDesk) -> None:
    studios = building.root / ".haiku/studios"
    shutil.copytree(studios / "small", studios / "free")
    for page in (studios / "free").rglob("STAGE.md"):
        page.write_text(page.read_text().replace("review: ask", "review: auto"))
    change(plan_file(building, "intent.md"), "studio: small", "studio: free")
    assert building("run_next")["error"] == "tampered"


def test_an_agent_does_not_choose_fewer_stages(desk: FlowDesk) -> None:
    desk.begin(SLUG)
    assert desk.refused("select_stage", intent=SLUG, stages=["shape"]) == "persons_gate"
    assert not desk("select_stage", intent=SLUG, stages=["build", "ship"]).is_error
    assert [view.spec.name for view in desk.plan_now.stages] == ["build", "ship"]


def test_where_nobody_is_asked_a_change_counts_and_is_told(desk: FlowDesk) -> None:
    desk.begin(SLUG)
    desk.until("elaborate")
    desk.plan("shape.txt")
    desk.until("start_unit")
    change(plan_file(desk, "stages/shape/units/unit-01-shape.md"), "Write shape.txt.", "Write it.")
    answer = desk("run_next")
    assert (answer["action"], answer["changed"]) == ("plan_changed", ["unit-01-shape"])
    assert "unit-01-shape" in answer["warnings"][0]
    assert desk("run_next")["action"] == "start_unit"


def test_an_approval_at_the_gate_counts_for_the_work_that_was_approved(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    desk.ok("review", "--approve")
    (desk.root / "left.txt").write_text("something else\n")
    desk.repository.run("commit", "--quiet", "-m", "change it", "left.txt")
    assert asked(desk)["action"] == "gate_review"
    (desk.root / "left.txt").write_text("unit-01-left\n")
    desk.repository.run("commit", "--quiet", "-m", "put it back", "left.txt")
    assert asked(desk)["action"] == "advance_stage"


@pytest.mark.parametrize("how", ["taken away", "twice", "shortened"])
def test_decisions_stay_as_they_are(desk: FlowDesk, how: str) -> None:
    """SH-49: taken out before anybody acted on it, or put in once more."""
    desk.at_stage_gate()
    desk.ok("review", "--request-changes", "Not like this.")
    lines = plan_file(desk, "stages/build/rulings.jsonl")
    kept = lines.read_text().splitlines(keepends=True)
    if how == "taken away":
        lines.unlink()
    else:
        lines.write_text("".join([*kept, kept[0]] if how == "twice" else kept[:-1]))
    answer = desk("run_next")
    assert (answer["error"], answer["fields"]) == ("tampered", ["stages/build/rulings.jsonl"])
    lines.write_text("".join(kept))
    assert desk("run_next")["action"] == "feedback_triage"


def test_a_tree_of_an_earlier_version_opens(building: FlowDesk) -> None:
    """Nothing was kept then: what is there is what passed."""
    state = plan_file(building, "stages/build/state.json")
    kept = msgspec.json.decode(state.read_bytes())
    del kept["approved"]
    state.write_bytes(msgspec.json.encode(kept))
    intent = plan_file(building, "intent.md")
    intent.write_text("\n".join(line for line in intent.read_text().split("\n") if not line.startswith("guards")))
    building.ok("repair", "--apply", "--yes")
    assert asked(building)["action"] == "start_units"
    change(left(building), "Write left.txt.", "Write anything.")
    assert asked(building) == CHANGED


@pytest.mark.parametrize("path", ["stages/build/artifacts/mock.md", "knowledge/facts.md"])
def test_nor_for_another_artifact(desk: FlowDesk, path: str) -> None:
    """The work of a stage may lie in its own folder: written over by the agent, with its hooks, it is asked for anew."""
    desk.at_stage_gate()
    recorded(desk, path, "as it was shown\n")
    assert asked(desk)["action"] == "gate_review"
    desk.ok("review", "--approve")
    recorded(desk, path, "something else\n")
    assert asked(desk)["action"] == "gate_review"
    recorded(desk, path, "as it was shown\n")
    assert asked(desk)["action"] == "advance_stage"


def recorded(desk: FlowDesk, path: str, text: str) -> None:
    plan_file(desk, path).parent.mkdir(exist_ok=True)
    plan_file(desk, path).write_text(text)
    assert not desk("record_agent_write", path=path).is_error


def test_without_git_it_counts_for_what_the_units_brought_forth(desk: FlowDesk) -> None:
    shutil.rmtree(desk.root / ".git")
    desk.at_stage_gate_without_git()
    desk.ok("review", "--approve")
    (desk.root / "left.txt").write_text("something else\n")
    assert asked(desk)["action"] == "gate_review"
    (desk.root / "left.txt").write_text("unit-01-left\n")
    assert asked(desk)["action"] == "advance_stage"


@pytest.mark.parametrize(
    ("path", "old", "new", "name"),
    [
        ("studios/small/stages/build/STAGE.md", "Build it.", "Build anything.", "the definition of stage build"),
        (f"intents/{SLUG}/intent.md", "Make the thing", "Make another thing", "the title and text of intent.md"),
        (f"intents/{SLUG}/intent.md", "It is wanted.", "Else is wanted.", "the title and text of intent.md"),
    ],
)
def test_the_words_of_the_person_stay(building: FlowDesk, path: str, old: str, new: str, name: str) -> None:
    page = building.root / ".haiku" / path
    change(page, old, new)
    assert asked(building) == CHANGED | {"changed": [name]}
    change(page, new, old)
    assert asked(building)["action"] == "start_units"


def test_words_that_an_earlier_version_did_not_keep_are_taken_as_they_are(building: FlowDesk) -> None:
    """And nothing else with them: a unit that was changed since still goes back to the person."""
    state = plan_file(building, "stages/build/state.json")
    kept = msgspec.json.decode(state.read_bytes())
    del kept["approved"]["guidance"], kept["approved"]["intent"]
    state.write_bytes(msgspec.json.encode(kept))
    building.ok("repair", "--apply", "--yes")
    change(left(building), "Write left.txt.", "Write anything.")
    assert asked(building) == CHANGED
    change(plan_file(building, "intent.md"), "It is wanted.", "Else is wanted.")
    assert asked(building)["changed"] == ["unit-01-left", "the title and text of intent.md"]


@pytest.mark.parametrize("gate", ["plan", "stage"])
def test_what_changed_after_the_person_looked_is_not_approved(desk: FlowDesk, gate: str) -> None:
    desk.at_plan_gate() if gate == "plan" else desk.at_stage_gate()
    shown = desk.told("review")["shown"]
    assert f"this is {shown}" in desk.ok("review")
    if gate == "plan":
        change(left(desk), "Write left.txt.", "Write anything.")
    else:
        (desk.root / "left.txt").write_text("something else\n")
        desk.repository.run("commit", "--quiet", "-m", "change it", "left.txt")
        assert asked(desk)["action"] == "gate_review"
    assert "changed since you looked" in desk.denied("review", "--approve")
    assert "not " + shown in desk.denied("review", "--approve", "--shown", shown)
    desk.as_agent()
    desk.ok("review")
    desk.as_person()
    assert "changed since you looked" in desk.denied("review", "--approve"), "what an agent looks at nobody has seen"
    desk.ok("review", "--approve", "--shown", desk.told("review")["shown"])


def test_who_decided_has_seen_it(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review")
    desk.ok("review", "--request-changes", "Another way.")
    item = desk.until("revise_unit_specs")["feedback_ids"][0]
    change(left(desk), "Write left.txt.", "Write anything.")
    assert not desk("feedback_update", feedback_id=item, status="addressed").is_error
    desk.until("gate_review")
    desk.ok("review", "--approve")
    assert asked(desk)["action"] == "start_units"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("drift_detection: false\n", "drift_detection was switched off"),
        ("drift_ignore: ['*.md']\n", "drift_ignore was set"),
        ("gate_timeout: 1\n", "gate_timeout was set"),
    ],
)
def test_guards_that_settings_give_up_are_told_until_a_person_took_note(
    building: FlowDesk, settings: str, told: str
) -> None:
    (building.root / ".haiku/settings.yml").write_text(settings)
    for _ in range(2):
        (said,) = building("run_next")["warnings"]
        assert said.startswith(f"{told} in .haiku/settings.yml")
    assert told in " ".join(building.ok("status").split())
    assert told in " ".join(building.ok("review").split())
    building.as_agent()
    assert "only a person" in building.denied("repair", "--apply", code=2)
    building.as_person()
    building.ok("repair", "--apply")
    assert "warnings" not in building("run_next").json


def test_an_approval_takes_note_of_them(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review")
    (desk.root / ".haiku/settings.yml").write_text("drift_detection: false\n")
    assert "changed since you looked" in desk.denied("review", "--approve")
    desk.ok("review")
    desk.ok("review", "--approve")
    assert "warnings" not in desk("run_next").json
