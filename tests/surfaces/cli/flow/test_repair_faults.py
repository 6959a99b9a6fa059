"""What is wrong is found, and put right without losing anybody's work."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.views.guard import DoctorCheck
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.perform import Due, note_step
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import WriteIntent
from leeboard.surfaces.cli.flow.repair import TAMPERED, UNREADABLE, faults_around, faults_of
from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def found(desk: FlowDesk) -> list[DoctorCheck]:
    engine = Engine(str(desk.root))
    return [
        *(fault for slug in engine.slugs(archived=True) for fault in faults_of(engine, slug)),
        *faults_around(engine),
    ]


def mended(desk: FlowDesk) -> list[str]:
    return [fault.repair() for fault in found(desk) if fault.repair]


def test_a_work_in_progress_has_no_faults(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    assert found(desk) == []
    desk.repository.run("stash", "--all", "--quiet")
    desk.repository.run("switch", "--quiet", "main")
    (note,) = found(desk)
    assert (note.state, note.repair) == ("note", None), "the intent is on its branch"
    assert f"git switch haiku/{SLUG}/main" in note.detail


def test_a_studio_that_git_would_leave_out_is_told(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.repository.write(".gitignore", "build/\n")
    desk.repository.write(".haiku/studios/shop/stages/build/STAGE.md", "# Build\n")
    (note,) = (each for each in found(desk) if each.about == "hidden from git")
    assert (note.state, note.repair) == ("note", None)
    assert "git add -f .haiku/studios/shop/stages/build/STAGE.md" in note.detail


def test_a_branch_that_was_set_back_is_told_with_the_way_back(desk: FlowDesk) -> None:
    """What had begun is committed, so nothing of it is lost."""
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    assert not desk("unit_start", unit="unit-01-left").is_error
    tip = desk.repository.head[:12]
    desk.repository.run("reset", "--quiet", "--hard", "main")
    assert tip in desk("run_next")["message"]
    (fault,) = (each for each in found(desk) if each.about == "intent not here")
    assert (fault.state, fault.repair) == ("failed", None)
    assert tip in desk.flow("repair").out
    desk.repository.run("reset", "--quiet", "--keep", tip)
    unit = desk.plan_now.stages[1].unit("unit-01-left")
    assert unit is not None
    assert (unit.status, desk("run_next")["action"]) == ("active", "start_unit")


def test_trees_that_no_unit_needs_go_and_their_work_stays(desk: FlowDesk) -> None:
    desk.through_shape()
    top = desk.root / ".haiku" / "worktrees" / SLUG
    for name in ("unit-01-shape", "unit-77-nobody"):
        desk.repository.run("worktree", "add", "-q", "-b", f"haiku/{SLUG}/{name}", str(top / name))
    GitRepository(top / "unit-77-nobody").write("kept.txt", "kept\n")
    assert [(fault.about, fault.detail.rpartition(": ")[2]) for fault in found(desk)] == [
        ("stray work tree", "its unit is not worked on"),
        ("stray work tree", "belongs to no unit"),
    ]
    assert mended(desk) == ["removed", f"removed; haiku/{SLUG}/unit-77-nobody keeps its work"]
    assert desk.repository.run("show", f"haiku/{SLUG}/unit-77-nobody:kept.txt") == "kept"
    assert not top.exists()
    assert found(desk) == []


def with_a_tree(desk: FlowDesk) -> Path:
    """The work tree of a unit that is worked on."""
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    return Path(desk("unit_start", unit="unit-01-left")["worktree"])


@pytest.mark.parametrize(
    ("text", "about"),
    [("", UNREADABLE), ("---\ntitle: [\n---\n", UNREADABLE), ("---\ntitle: No studio\n---\n", TAMPERED)],
)
def test_a_plan_whose_units_are_not_known_makes_no_tree_a_stray(desk: FlowDesk, text: str, about: str) -> None:
    tree = with_a_tree(desk)
    desk.repository.write(f".haiku/intents/{SLUG}/intent.md", text)
    assert {fault.about for fault in found(desk)} == {about}
    desk.flow("repair", "--apply", "--yes")
    assert tree.is_dir()


def test_of_an_emptied_intent_nothing_else_is_called_changed(desk: FlowDesk) -> None:
    with_a_tree(desk)
    desk.repository.write(f".haiku/intents/{SLUG}/intent.md", "")
    (said,) = desk.told("status")["blocks"]
    assert said.startswith("intent.md: ")
    assert all(text.startswith("intent.md: ") for text in desk("repair", apply=False)["found"])
    assert "tampered" not in desk.refused("unit_start", unit="unit-02-right")


def test_an_intent_that_can_be_brought_back_is_told_once(desk: FlowDesk) -> None:
    """Neither half made nor gone: its trees stay."""
    tree = with_a_tree(desk)
    tip = desk.repository.head
    desk.repository.run("switch", "--quiet", "main")
    desk.repository.run("branch", "--quiet", "-D", f"haiku/{SLUG}/main")
    (fault,) = found(desk)
    assert (fault.about, fault.repair) == ("intent not here", None)
    assert f"git switch -C haiku/{SLUG}/main {tip[:12]}" in fault.detail
    assert desk.flow("repair", "--apply").code == 1
    assert tree.is_dir()


def test_a_folder_that_is_no_work_tree_is_left_alone(desk: FlowDesk) -> None:
    desk.through_shape()
    own = desk.repository.write(f".haiku/worktrees/{SLUG}/mine/notes.txt", "mine\n")
    (fault,) = found(desk)
    assert fault.repair is None
    assert own.exists()


def test_merged_branches_go(desk: FlowDesk) -> None:
    desk.through_shape()
    desk.repository.run("branch", f"haiku/{SLUG}/unit-01-shape")
    (fault,) = found(desk)
    assert (fault.about, fault.detail) == ("stray branch", f"haiku/{SLUG}/unit-01-shape: it is merged")
    assert mended(desk) == ["removed"]
    assert found(desk) == []


def test_trees_of_an_intent_that_is_gone(desk: FlowDesk) -> None:
    tree = desk.root / ".haiku" / "worktrees" / "gone" / "unit-01-x"
    desk.repository.run("worktree", "add", "-q", "-b", "haiku/gone/unit-01-x", str(tree))
    (fault,) = found(desk)
    assert fault.detail.endswith("its intent is gone")
    assert mended(desk) == ["removed; haiku/gone/unit-01-x keeps its work"]


def test_intents_that_were_never_made_to_their_end(desk: FlowDesk) -> None:
    half = desk.repository.write(".haiku/tmp/other.new/intent.md", "---\n")
    bare = desk.repository.write(".haiku/intents/bare/knowledge/x.md", "x\n")
    assert [(fault.about, fault.repair is not None) for fault in found(desk)] == [
        ("half-made intent", True),
        ("half-made intent", False),
    ]
    assert mended(desk) == ["removed"]
    assert (half.parent.exists(), bare.exists()) == (False, True)


def test_a_step_that_was_left_is_done_to_its_end(desk: FlowDesk) -> None:
    desk.through_shape()
    due = Due(now="2026-01-01T00:00:00Z", effects=(WriteIntent(fields={"mode": "discrete"}),), message="haiku: a step")
    folder = PlanFolder(str(desk.root))
    look_at(folder, SLUG).seal.expect((), note_step(folder, SLUG, due))
    assert [fault.about for fault in found(desk)] == ["left half done"]
    assert mended(desk) == ["done to its end"]
    assert desk.plan_now.intent.mode == "discrete"
    assert desk.repository.run("log", "-1", "--format=%s") == "haiku: a step"
    assert found(desk) == []


def test_fields_that_somebody_changed(desk: FlowDesk) -> None:
    desk.through_shape()
    page = desk.root / f".haiku/intents/{SLUG}/stages/shape/state.json"
    page.write_text(page.read_text().replace('"completed"', '"active"', 1))
    (fault,) = found(desk)
    assert fault.about == TAMPERED
    assert fault.detail.startswith(f"{page} (see `git diff -- {page}`"), "the file, and how to see what was done to it"
    assert mended(desk) == ["taken as it is"]
    assert found(desk) == []


def test_pages_that_can_not_be_read(desk: FlowDesk) -> None:
    desk.through_shape()
    desk.repository.write(f".haiku/intents/{SLUG}/stages/build/units/unit-01-x.md", "---\ntitle: [\n---\nx\n")
    (fault,) = found(desk)
    assert (fault.about, fault.repair) == ("can not be read", None)
    assert "unit-01-x" in fault.detail


def merging(desk: FlowDesk) -> None:
    desk.repository.run("switch", "--quiet", "--create", "side")
    desk.repository.write("side.txt", "side\n")
    desk.repository.commit("beside")
    desk.repository.run("switch", "--quiet", f"haiku/{SLUG}/main")
    desk.repository.run("merge", "--quiet", "--no-ff", "--no-commit", "side")


def test_git_in_the_middle_of_something_is_told_with_its_end(desk: FlowDesk) -> None:
    desk.through_shape()
    merging(desk)
    (fault,) = found(desk)
    assert (fault.about, fault.state, fault.repair) == ("git", "failed", None)
    assert "`git merge --abort`" in fault.detail
    assert desk.flow("repair").code == 1
    assert any("git merge --abort" in text for text in desk.told("status")["blocks"])


def test_a_head_on_no_branch_is_told_with_the_way_back(desk: FlowDesk) -> None:
    desk.through_shape()
    desk.repository.run("switch", "--quiet", "--detach")
    (fault,) = found(desk)
    assert (fault.about, fault.state) == ("git", "failed")
    assert f"`git switch haiku/{SLUG}/main`" in fault.detail


def test_a_file_among_the_stages_is_named(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    top = desk.root / ".haiku/intents/thing/stages"
    (top / "notes.txt").write_text("mine\n")
    (top / ".DS_Store").write_bytes(b"\0")
    said = desk.ok("repair")
    assert "stray file" in said
    assert "notes.txt" in said
    assert "DS_Store" not in said
