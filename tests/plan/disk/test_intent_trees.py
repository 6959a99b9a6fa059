"""Intents side by side in one project: each is found from anywhere, and nobody's checkout is pulled away."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.views.projects import waiting_here
from leeboard.plan.disk import intent_trees, layout
from leeboard.plan.disk.folder import PlanFolder
from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository

PRIMARY, OTHER = "haiku/thing/main", "haiku/other/main"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    """`thing` waits at the gate of its plan in the primary tree, where somebody writes; `other` was begun since."""
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_plan_gate()
    made.repository.write("app.py", "unsaved = 1\n")
    said = made.ok("new", "Other", "--slug", "other", "--studio", "small")
    assert f"work tree {tree_of(made)}" in " ".join(said.split()), "it is told where the work is"
    return made


def tree_of(desk: FlowDesk, slug: str = "other") -> Path:
    return Path(layout.intent_tree(str(desk.root), slug))


def untouched(desk: FlowDesk) -> None:
    assert desk.repository.run("branch", "--show-current") == PRIMARY
    assert (desk.root / "app.py").read_text() == "unsaved = 1\n"


def test_both_go_on_side_by_side(desk: FlowDesk) -> None:
    assert desk("run_next", intent="thing")["action"] == "gate_review"
    begun = desk("run_next", intent="other")
    assert begun["action"] == "start_stage"
    assert str(tree_of(desk)) in begun.words
    assert GitRepository(tree_of(desk)).run("branch", "--show-current") == OTHER
    untouched(desk)
    (desk.root / "app.py").write_text("first = 1\n")  # what is approved has to be committed
    desk.ok("review", "--approve", "--intent", "thing")
    assert desk("run_next", intent="other")["action"] == "elaborate"
    assert desk("run_next", intent="thing")["action"] == "start_units"
    assert "other is put away" in desk.ok("archive", "other")
    assert "other is worked on again" in desk.ok("archive", "other", "--undo")
    assert "thing is put away" in desk.ok("archive", "thing")
    assert desk.repository.run("branch", "--show-current") == PRIMARY


def test_a_second_one_begins_without_a_trunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clone of the first one's branch alone nobody knows a trunk: it begins where the first one did."""
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.through_shape()
    began = desk.repository.run("rev-parse", "main")
    desk.repository.run("branch", "-q", "-D", "main")
    desk.ok("new", "Other", "--slug", "other", "--studio", "small")
    assert GitRepository(tree_of(desk)).head == began
    assert desk("run_next", intent="other")["action"] == "start_stage"
    assert desk.repository.run("branch", "--show-current") == PRIMARY


def test_a_unit_of_the_second_is_built_and_merged_beside_the_first(desk: FlowDesk) -> None:
    """Its units' trees lie beside its own, its gates and outputs count there, and only its branch gets the work."""
    agent = desk
    for _ in range(3):
        told = agent("run_next", intent="other")
        if told["action"] == "elaborate":
            break
    page = "---\ntitle: Shape\ntype: code\ninputs: [intent.md]\noutputs: [round.txt]\n---\nDo.\n\n- [ ] there\n"
    assert not agent("unit_write", intent="other", unit="unit-01-shape", content=page).is_error
    told = agent("run_next", intent="other")
    while told["action"] not in {"start_unit", "start_units"}:
        told = agent("run_next", intent="other")
    started = agent("unit_start", intent="other", unit="unit-01-shape")
    tree = GitRepository(started["worktree"])
    assert tree.path.parent == tree_of(desk).parent
    tree.write("round.txt", "round\n")
    tree.commit("shape")
    agent("unit_advance_hat", intent="other", unit="unit-01-shape", criteria=["there"])
    assert desk.repository.run("show", f"{OTHER}:round.txt") == "round"
    assert (tree_of(desk) / "round.txt").exists()
    assert not (desk.root / "round.txt").exists()
    untouched(desk)


@pytest.mark.parametrize("place", ["", ".haiku/worktrees/other/main"])
def test_each_is_found_from_anywhere(desk: FlowDesk, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(desk.root / place)
    assert "thing" in desk.ok("status", "--all")
    assert desk.told("status", "--intent", "thing")["intent"] == "thing"
    assert desk.told("status", "--intent", "other")["intent"] == "other"
    assert Engine(str(desk.root / place)).resolve() == ("other" if place else "thing"), "the tree one stands in"
    assert {work.intent for work in waiting_here(str(desk.root / place))} == {"thing"}
    untouched(desk)


def test_a_branch_that_was_left_is_gone_on_with_beside(desk: FlowDesk) -> None:
    """A person goes to another branch to mend something; the agent's next step takes nothing from them."""
    desk.repository.run("checkout", "-q", "--", "app.py")
    desk.repository.run("switch", "-q", "main")
    desk.repository.write("app.py", "hotfix = 1\n")
    assert desk("run_next", intent="thing")["action"] == "gate_review"
    assert desk.repository.run("branch", "--show-current") == "main"
    assert (desk.root / "app.py").read_text() == "hotfix = 1\n"
    assert Engine(str(desk.root)).look("thing").sealed, "its seal came along"
    desk.ok("review", "--approve", "--intent", "thing")
    assert desk("run_next", intent="thing")["action"] == "start_units"


@pytest.mark.parametrize("moment", ["made", "carried"])
def test_killed_while_its_tree_is_made(desk: FlowDesk, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Between the tree and what belongs into it: the next one does it to its end, and nothing looks forged."""
    desk.repository.run("checkout", "-q", "--", "app.py")
    desk.repository.run("switch", "-q", "main")

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if moment == "made":
            patch.setattr(intent_trees, "_carry", die)
        else:
            patch.setattr(PlanFolder, "remove", die)
        with pytest.raises(Killed):
            desk("run_next", intent="thing")
    assert desk("run_next", intent="thing")["action"] == "gate_review"
    assert Engine(str(desk.root)).look("thing").sealed
    assert not (desk.root / ".haiku/intents/thing").exists()


def test_killed_before_a_new_one_is_in_its_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_plan_gate()

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", _only(os.rename, "other", die))
        with pytest.raises(Killed):
            desk.flow("new", "Other", "--slug", "other", "--studio", "small")
    assert (desk.root / ".haiku/intents/other/intent.md").exists()
    assert desk("run_next", intent="other")["action"] == "start_stage"
    assert (tree_of(desk) / ".haiku/intents/other/intent.md").exists()


def _only(real: Callable[..., None], name: str, die: Callable[[], None]) -> Callable[..., None]:
    def rename(before: str, after: str, **more: int) -> None:
        if before == after == name:
            die()
        real(before, after, **more)

    return rename


def test_a_tree_that_somebody_made_up_counts_for_nothing(desk: FlowDesk) -> None:
    """The seal is of the intent, wherever its files are put: a copy with another state in it is told."""
    desk.repository.run("checkout", "-q", "--", "app.py")
    desk.repository.run("switch", "-q", "-c", "forged")
    state = desk.root / ".haiku/intents/thing/stages/build/state.json"
    state.write_text(state.read_text().replace('"elaborate"', '"gate"'))
    desk.repository.run("add", "-f", ".haiku/intents/thing")
    desk.repository.run("commit", "-qm", "forged")
    desk.repository.run("switch", "-q", PRIMARY)
    desk.repository.run("worktree", "add", "-q", str(tree_of(desk, "thing")), "forged")
    told = desk("run_next", intent="thing")
    assert told.is_error
    assert told["code"] == "tampered", told.json


def test_no_link_leads_to_a_tree_elsewhere(desk: FlowDesk, tmp_path: Path) -> None:
    away = tmp_path / "away"
    tree_of(desk).parent.rename(away)
    tree_of(desk).parent.symlink_to(away)
    assert "other" not in Engine(str(desk.root)).slugs()


def test_one_that_is_given_up_takes_its_tree_along(desk: FlowDesk) -> None:
    desk("run_next", intent="other")
    (tree_of(desk) / "notes.txt").write_text("mine\n")
    assert "notes.txt" in desk.flow("abandon", "other", "--reason", "no longer", "--yes").err
    (tree_of(desk) / "notes.txt").unlink()
    desk.ok("abandon", "other", "--reason", "no longer", "--yes")
    assert not tree_of(desk).exists()
    assert desk.repository.run("branch", "--list", OTHER).strip() == OTHER
    untouched(desk)
    desk.ok("archive", "other", "--undo")
    assert desk("run_next", intent="other")["action"] == "elaborate", "it goes on where it was"
    desk.ok("delete", "other", "--yes")
    assert not tree_of(desk).exists()
    assert not desk.repository.run("branch", "--list", OTHER)
    untouched(desk)


def test_a_studio_that_nobody_committed_goes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_plan_gate()
    studios = desk.root / ".haiku/studios"
    for path in sorted((studios / "small").rglob("*.md")):
        other = studios / "own" / path.relative_to(studios / "small")
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(path.read_text().replace("slug: small\naliases: [little]", "slug: own"))
    desk.repository.write(".haiku/settings.yml", "drift_detect: false\n")
    told = desk.told("new", "Other", "--slug", "other", "--studio", "own")
    assert "drift_detect" in told["warnings"][0], "the settings are read where they lie"
    begun = desk("run_next", intent="other")
    assert (begun["action"], begun["stage"]) == ("start_stage", "shape")
