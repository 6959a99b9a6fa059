"""The truth of files over a real MCP client: the scenario of the seed, and each row of its tables."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import COMMANDS
from tests.drift_stand import SLUG, DriftStand, play, sha

REQUIREMENTS = "stages/shape/knowledge/requirements.md"
PICTURE = "stages/shape/artifacts/mock-up.png"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(200))


@pytest.fixture(autouse=True)
def _flow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")


def test_a_product_owner_drops_a_document_and_a_designer_replaces_a_picture(tmp_path: Path) -> None:
    """FD-01, FD-02, FD-03, FD-08, FD-09, FD-39: both are found at the next tick, as nobody's own."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put(PICTURE, PNG)
        await at.done("record_agent_write", path=PICTURE)
        assert (await at.tick())["action"] == "elaborate"
        at.put(REQUIREMENTS, "It shall be blue.\n")
        at.put(PICTURE, PNG + b"more")
        found = await at.found()
        assert {path: (each["change_kind"], each["author_class"]) for path, each in found.items()} == {
            REQUIREMENTS: ("new-file-detected", "human-implicit"),
            PICTURE: ("modified", "human-implicit"),
        }
        assert found[PICTURE] | {"is_binary": True, "diff_unified": None} == found[PICTURE]
        assert (found[PICTURE]["before_sha256"], found[PICTURE]["after_sha256"]) == (sha(PNG), sha(PNG + b"more"))
        assert "+It shall be blue." in found[REQUIREMENTS]["diff_unified"]
        assert found[REQUIREMENTS]["before_sha256"] is None

    play(tmp_path, scene)


def test_nothing_goes_on_until_every_finding_is_classified(tmp_path: Path) -> None:
    """FD-05, FD-11, FD-12: before triage; the same assessment is repeated, with a count and never a halt."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        assert at.person.flow("feedback", "add", "It is too short")[0] == 0
        at.put("knowledge/one.md", "1\n")
        at.put("knowledge/two.md", "2\n")
        told = [await at.assessed() for _ in range(6)]
        assert len({each["tick_id"] for each in told}) == 1
        first = told[0]
        half = [{"path": "knowledge/one.md", "outcome": "ignore"}]
        code = await at.refused(
            "classify_drift", tick_id=first["tick_id"], classifications=half, agent_rationale="one of two"
        )
        assert code == "classifications_count_mismatch"
        assert not (await at.classify(first, "ignore")).is_error
        assert (await at.tick())["action"] == "feedback_triage"

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("place", "path", "kind", "stage"),
    [
        ("stages/shape/artifacts/a.txt", "stages/shape/artifacts/a.txt", "stage-output", "shape"),
        ("stages/shape/outputs/a.txt", "stages/shape/artifacts/a.txt", "stage-output", "shape"),
        ("stages/shape/knowledge/deep/a.txt", "stages/shape/knowledge/deep/a.txt", "knowledge", "shape"),
        ("stages/shape/discovery/a.txt", "stages/shape/discovery/a.txt", "knowledge", "shape"),
        ("knowledge/intent.md", "knowledge/intent.md", "knowledge", None),
    ],
)
def test_each_surface_is_watched(tmp_path: Path, place: str, path: str, kind: str, stage: str | None) -> None:
    """FD-04, FD-14 to FD-18, FD-24, FD-25, FD-10: new, changed and removed; classified once, then silent."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        for content in (b"one\n", b"two\n", None):
            if content is None:
                (at.top / place).unlink()
            else:
                at.put(place, content)
            told = await at.assessed()
            (found,) = told["findings"]
            shown = place if content else path
            assert (found["path"], found["tracking_class"], found["stage"]) == (shown, kind, stage)
            assert found["after_sha256"] == (sha(content) if content else None)
            assert not (await at.classify(told, "ignore")).is_error
            kept = at.baseline(stage or "").get(path)
            assert (kept and kept["sha256"]) == (sha(content) if content else None)
            assert await at.found() == {}

    play(tmp_path, scene)


def test_every_stage_up_to_the_active_one_is_looked_at(tmp_path: Path) -> None:
    """FD-19: an earlier stage's output, and what was dropped into this one before it began; not a later one's."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("stages/build/knowledge/early.md", "for later\n")
        assert await at.found() == {}
        told = await at.shape()
        assert [each["path"] for each in told["findings"]] == ["stages/build/knowledge/early.md"]
        at.put("stages/shape/artifacts/plan.md", "another plan\n")
        at.put("stages/ship/knowledge/much-later.md", "x\n")
        found = await at.found()
        assert {path: each["stage"] for path, each in found.items()} == {
            "stages/shape/artifacts/plan.md": "shape",
            "stages/build/knowledge/early.md": "build",
        }

    play(tmp_path, scene)


def test_what_the_engine_manages_and_what_editors_leave_is_no_drift(tmp_path: Path) -> None:
    """FD-20, FD-21, FD-57, FD-07: neither are times and modes."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("knowledge/doc.md", "text\n")
        await at.classify(await at.assessed(), "ignore")
        await at.done("unit_write", unit="unit-01-a", content="---\ntitle: A\ninputs: [intent.md]\n---\nDo it.\n")
        await at.done("feedback", title="Short", body="all", origin="agent")
        for name in (".doc.md.swp", "doc.md~", ".#doc.md", "4913", ".DS_Store"):
            at.put(f"knowledge/{name}", "x")
        (at.top / "knowledge/doc.md").chmod(0o600)
        os.utime(at.top / "knowledge/doc.md", (1, 1))
        assert await at.found() == {}

    play(tmp_path, scene)


def test_a_restored_time_hides_nothing(tmp_path: Path) -> None:
    """FD-06."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("knowledge/doc.md", "one\n")
        await at.classify(await at.assessed(), "ignore")
        before = (at.top / "knowledge/doc.md").stat()
        at.put("knowledge/doc.md", "two\n")
        os.utime(at.top / "knowledge/doc.md", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert [*await at.found()] == ["knowledge/doc.md"]

    play(tmp_path, scene)


def test_what_was_there_before_the_first_tick_is_recorded_and_not_reported(tmp_path: Path) -> None:
    """FD-13, FD-35, FD-39."""

    async def scene(at: DriftStand) -> None:
        await at.done("intent_create", title="Make it", description="x", slug=SLUG, studio="small", context="Said so.")
        at.put("knowledge/old.md", "old\n")
        at.put("stages/shape/discovery/seen.md", "seen\n")
        assert (await at.tick())["action"] == "start_stage"
        known = at.baseline() | at.baseline("shape")
        assert {path: (each["author_class"], each["acknowledged_via"]) for path, each in known.items()} == {
            "knowledge/CONVERSATION-CONTEXT.md": ("agent", "baseline-init"),
            "knowledge/old.md": ("human-implicit", "baseline-init"),
            "stages/shape/discovery/seen.md": ("human-implicit", "baseline-init"),
        }
        assert known["knowledge/old.md"]["sha256"] == sha("old\n")
        assert (await at.tick())["action"] == "elaborate"

    play(tmp_path, scene)


def test_four_outcomes_and_no_fifth(tmp_path: Path) -> None:
    """FD-22, FD-23: for every finding, and the action says when each fits."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("knowledge/doc.md", "one\n")
        told = await at.assessed()
        four = ["ignore", "inline-fix", "surface-as-feedback", "trigger-revisit"]
        assert told["legal_outcomes"] == {"knowledge/doc.md": four}
        assert all(f"- {outcome}: " in told["instructions"] for outcome in four)
        assert (await at.classify(told, "accept")).json["code"] == "illegal_outcome"

    play(tmp_path, scene)


def test_inline_fix_moves_the_baseline_and_files_nothing(tmp_path: Path) -> None:
    """FD-26, FD-55, FD-56: and the decision is on record."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put(REQUIREMENTS, "It shall be blue.\n")
        told = await at.assessed()
        answer = await at.classify(told, "inline-fix")
        assert answer["assessment_id"] == "AS-01"
        kept = at.baseline("shape")[REQUIREMENTS]
        assert (kept["sha256"], kept["acknowledged_via"]) == (sha("It shall be blue.\n"), "classification-terminal")
        assert (at.feedback("shape"), at.markers()) == ([], [])
        (record,) = (at.top / "stages/shape/drift-assessments").iterdir()
        written = json.loads(record.read_bytes())
        assert (record.name, written["id"], written["tick_id"]) == ("DA-01.json", "AS-01", told["tick_id"])
        assert [{**each, "place": ""} for each in told["findings"]] == written["findings"]
        assert [each["outcome"] for each in written["classifications"]] == ["inline-fix"]
        again = await at.classify(told, "inline-fix")
        assert (again.is_error, again["assessment_id"]) == (False, "AS-01"), "the same call has the same answer"
        assert (await at.classify(told, "ignore")).json["code"] == "tick_id_stale"

    play(tmp_path, scene)


def test_a_surfaced_change_waits_for_its_feedback(tmp_path: Path) -> None:
    """FD-27, FD-28, FD-29, FD-32, FD-49, FD-50, FD-52: ten ticks silent; closed, it is accepted as it was shown."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put(REQUIREMENTS, "It shall be blue.\n")
        told = await at.assessed()
        before = (at.top / "stages/shape/baseline.json").read_bytes()
        assert (await at.classify(told, "surface-as-feedback")).json["code"] == "missing_link"
        create = {"for_classification_path": REQUIREMENTS, "title": "It is blue now", "body": "Paint it."}
        answer = await at.classify(told, "surface-as-feedback", feedback_creates=[create])
        assert answer["feedback_created"] == ["FB-01"]
        assert (at.top / "stages/shape/baseline.json").read_bytes() == before
        assert len(at.feedback("shape")) == 1
        (marker,) = at.markers()
        assert (marker["path"], marker["baseline_sha_at_creation"]) == (REQUIREMENTS, sha("It shall be blue.\n"))
        assert (marker["linked_feedback_id"], marker["outcome"]) == ("FB-01", "surface-as-feedback")
        assert [await at.found() for _ in range(10)] == [{}] * 10
        assert at.person.flow("feedback", "close", "FB-01")[0] == 0
        assert await at.found() == {}
        assert at.baseline("shape")[REQUIREMENTS]["sha256"] == sha("It shall be blue.\n")
        assert at.markers()[0]["cleared_at"]
        at.put(REQUIREMENTS, "It shall be red.\n")
        assert [*await at.found()] == [REQUIREMENTS]

    play(tmp_path, scene)


def test_a_second_edit_makes_the_marker_stale(tmp_path: Path) -> None:
    """FD-51: also for a file that was removed and comes back."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        for content in ("one\n", "two\n"):
            at.put("knowledge/doc.md", content)
            told = await at.assessed()
            create = {"for_classification_path": "knowledge/doc.md", "title": f"See {content}", "body": "Look."}
            assert not (await at.classify(told, "surface-as-feedback", feedback_creates=[create])).is_error
            assert await at.found() == {}
        assert [each["baseline_sha_at_creation"] for each in at.markers()] == [sha("two\n")]
        (at.top / "knowledge/doc.md").unlink()
        assert await at.found() == {}, "what was never acknowledged and is gone again is as it was"
        assert [each for each in at.markers() if not each["cleared_at"]] == []

    play(tmp_path, scene)


def test_a_revisit_goes_back_and_never_forward(tmp_path: Path) -> None:
    """FD-30, FD-31, FD-33, FD-34."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        await at.shape()
        at.put("stages/shape/artifacts/plan.md", "another plan\n")
        told = await at.assessed()
        before = (at.top / "stages/shape/baseline.json").read_bytes()
        for target in ({}, {"linked_revisit_target_stage": "ship"}, {"linked_revisit_target_stage": "nowhere"}):
            assert (await at.classify(told, "trigger-revisit", **target)).json["code"] == "revisit_target_invalid"
        answer = await at.classify(told, "trigger-revisit", linked_revisit_target_stage="shape")
        assert answer["next_tick_will"] == "dispatch_revisit_to_shape"
        (marker,) = at.markers()
        assert (marker["outcome"], marker["linked_revisit_target_stage"]) == ("trigger-revisit", "shape")
        assert (at.top / "stages/shape/baseline.json").read_bytes() == before
        back = await at.tick()
        assert (back["action"], back["target_stage"]) == ("revisited", "shape")

    play(tmp_path, scene)


def test_a_revisit_of_the_active_stage_is_no_forward_one(tmp_path: Path) -> None:
    """FD-34."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put(REQUIREMENTS, "All is new.\n")
        answer = await at.classify(await at.assessed(), "trigger-revisit", linked_revisit_target_stage="shape")
        assert answer["next_tick_will"] == "dispatch_revisit_to_shape"

    play(tmp_path, scene)


def test_who_wrote_it(tmp_path: Path) -> None:
    """FD-36, FD-37, FD-39, FD-40, FD-47, FD-48: the agent's own is silent, the same text by others is not."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        for name in ("agent", "person", "editor"):
            at.put(f"knowledge/{name}.md", "old\n")
        await at.classify(await at.assessed(), "ignore")
        for name in ("agent", "editor"):
            at.put(f"knowledge/{name}.md", "new\n")
        await at.done("record_agent_write", path="knowledge/agent.md")
        await at.done("human_write", path="knowledge/person.md", content="new\n", claimed_author_id="kim")
        told = await at.assessed()
        assert {each["path"]: each["author_class"] for each in told["findings"]} == {
            "knowledge/person.md": "human-via-mcp",
            "knowledge/editor.md": "human-implicit",
        }
        assert (
            at.baseline()["knowledge/agent.md"] | {"acknowledged_via": "agent-write"}
            == (at.baseline()["knowledge/agent.md"])
        )
        await at.classify(told, "ignore")
        assert {path: each["author_class"] for path, each in at.baseline().items()} == {
            "knowledge/agent.md": "agent",
            "knowledge/person.md": "human-via-mcp",
            "knowledge/editor.md": "human-implicit",
        }

    play(tmp_path, scene)


def test_writing_for_a_person(tmp_path: Path) -> None:
    """FD-41 to FD-47: whole, logged at this tick, audited; the baseline stays, and the next tick asks."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        before = (at.top / "baseline.json").read_bytes()
        answer = await at.done(
            "human_write",
            path="knowledge/config.yml",
            content="a: 1\n",
            rationale="asked for",
            user_instruction_excerpt="save this config to knowledge/",
        )
        tick = json.loads((at.top / "intent-tick.json").read_bytes())["tick"]
        (line,) = [each for each in at.lines("action-log.jsonl") if each["entry_type"] == "human_write"]
        assert (line["entry_id"], line["tick_counter"]) == (answer["action_log_entry_id"], tick)
        assert (line["author_class"], line["sha"]) == ("human-via-mcp", sha("a: 1\n"))
        (audit,) = at.lines("write-audit.jsonl")
        assert (audit["entry_id"], audit["rationale"]) == (line["entry_id"], "asked for")
        assert (at.top / "baseline.json").read_bytes() == before
        assert [each["author_class"] for each in (await at.assessed())["findings"]] == ["human-via-mcp"]

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../other/knowledge/a.md", "path_outside_tracked_surface"),
        ("/etc/passwd", "path_outside_tracked_surface"),
        ("intent.md", "path_outside_tracked_surface"),
        ("baseline.json", "path_outside_tracked_surface"),
        ("stages/shape/units/unit-01-a.md", "path_outside_tracked_surface"),
        ("stages/nowhere/knowledge/a.md", "path_outside_tracked_surface"),
        ("knowledge/link/a.md", "path_outside_tracked_surface"),
        ("src/app.py", "path_outside_tracked_surface"),
    ],
)
def test_no_path_leads_out(tmp_path: Path, path: str, code: str) -> None:
    async def scene(at: DriftStand) -> None:
        await at.begin()
        outside = at.root.parent / "outside"
        outside.mkdir()
        (at.top / "knowledge").mkdir(exist_ok=True)
        (at.top / "knowledge/link").symlink_to(outside)
        assert await at.refused("human_write", path=path, content="x") == code
        assert [*outside.iterdir()] == []

    play(tmp_path, scene)


def test_the_switch_is_complete(tmp_path: Path) -> None:
    """FD-45, FD-53, FD-54: no baseline is read, however broken; human_write is still audited."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        (at.root / ".haiku/settings.yml").write_text("drift_detection: false\n")
        (at.top / "baseline.json").write_bytes(b"{broken")
        at.put("knowledge/doc.md", "one\n")
        assert (await at.tick())["action"] == "elaborate"
        await at.done("human_write", path="knowledge/said.md", content="x")
        assert len(at.lines("write-audit.jsonl")) == 1
        assert (at.top / "baseline.json").read_bytes() == b"{broken"

    play(tmp_path, scene)


def test_many_changes_stay_many_and_take_one_call(tmp_path: Path) -> None:
    async def scene(at: DriftStand) -> None:
        await at.begin()
        for number in range(40):
            at.put(f"knowledge/{number:02}.md", f"{number}\n")
        told = await at.assessed()
        assert (len(told["findings"]), told["mass_change"]) == (40, True)
        answer = await at(
            "classify_drift",
            tick_id=told["tick_id"],
            agent_rationale="A whole folder was dropped.",
            classifications=[
                {"path": "knowledge/07.md", "outcome": "inline-fix", "rationale_excerpt": "this one counts"},
                {"path": "*", "outcome": "ignore"},
            ],
        )
        assert answer["baselines_updated"] == 40
        assert (await at.tick())["action"] == "elaborate"

    play(tmp_path, scene)


def test_what_changed_since_it_was_shown_is_shown_again(tmp_path: Path) -> None:
    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("knowledge/doc.md", "one\n")
        told = await at.assessed()
        at.put("knowledge/doc.md", "two\n")
        assert (await at.classify(told, "ignore")).json["code"] == "finding_changed"
        assert "knowledge/doc.md" not in at.baseline()
        new = await at.assessed()
        assert new["tick_id"] != told["tick_id"]
        assert not (await at.classify(new, "ignore")).is_error

    play(tmp_path, scene)


def test_an_agent_can_not_claim_or_bury_what_was_shown(tmp_path: Path) -> None:
    """Neither by claiming it, nor by beginning a baseline anew, nor by losing the one there is."""

    async def scene(at: DriftStand) -> None:
        await at.begin()
        at.put("knowledge/doc.md", "theirs\n")
        await at.assessed()
        assert await at.refused("record_agent_write", path="knowledge/doc.md") == "finding_open"
        assert (await at.done("baseline_init"))["baselines_created"] == 0
        (at.top / "baseline.json").unlink()
        answer = await at("run_next")
        assert (answer.is_error, answer["code"]) == (True, "baseline_corrupt")
        assert (await at.done("baseline_init"))["baselines_created"] == 0
        assert (await at("run_next")).json["code"] == "baseline_corrupt"
        entry = at.baseline("shape") | {"knowledge/doc.md": {"sha256": sha("theirs\n")}}
        (at.top / "baseline.json").write_text(json.dumps(entry))
        assert (await at("run_next")).json["code"] == "baseline_corrupt"

    play(tmp_path, scene)
