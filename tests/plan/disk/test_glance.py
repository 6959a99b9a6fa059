from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.plan.disk.glance import glance
from tests.git_repository import GitRepository
from tests.plan_tree import FORM, MAIL, SLUG, STAGE, PlanTree


@pytest.fixture
def tree(tmp_path: Path) -> PlanTree:
    return PlanTree(tmp_path)


def test_what_the_hooks_have_to_know(tree: PlanTree) -> None:
    seen = glance(str(tree.top), str(tree.top))
    assert seen.home == str(tree.top)
    assert seen.unit is None
    assert seen.plan is not None
    assert seen.plan.intent.slug == SLUG
    assert seen.plan.git.worktrees == {FORM: str(tree.tree(FORM)), MAIL: str(tree.tree(MAIL))}
    stage = seen.plan.active
    assert stage is not None
    assert (stage.spec.name, stage.state.phase) == (STAGE, "execute")
    assert [unit.hat for unit in stage.units] == ["builder", "builder"]
    assert stage.spec.hats == (), "what nobody asks for is not read"


def test_its_definition_where_it_is_asked_for(tree: PlanTree) -> None:
    def hats() -> list[str]:
        plan = glance(str(tree.top), str(tree.top), defined=True).plan
        assert plan is not None
        assert plan.active is not None
        return [hat.name for hat in plan.active.spec.hats]

    assert hats() == ["planner", "builder", "reviewer"]
    page = tree.top / ".haiku/studios/shop/stages/build/STAGE.md"
    page.write_text(page.read_text().replace("planner, ", ""))
    assert hats() == ["builder", "reviewer"], "SH-09: as the file is now"


def test_while_elaborating_it_is_always_there(tree: PlanTree) -> None:
    tree.phase("elaborate")
    plan = glance(str(tree.top), str(tree.top)).plan
    assert plan is not None
    assert plan.active is not None
    assert plan.active.spec.unit_types == ("feature", "fix")


@pytest.mark.parametrize("inner", ["", "/src"])
def test_a_folder_in_a_unit_s_tree(tree: PlanTree, inner: str) -> None:
    seen = glance(str(tree.tree(FORM)), f"{tree.tree(FORM)}{inner}")
    assert seen.home == str(tree.top)
    assert seen.unit is not None
    assert seen.unit.id == FORM


def test_a_change_of_a_file_is_seen_at_once(tree: PlanTree) -> None:
    """SH-05, SH-09."""
    for hat in ("builder", "reviewer"):
        page = tree.unit_file(FORM)
        page.write_text(page.read_text().replace("hat: builder", f"hat: {hat}"))
        seen = glance(str(tree.tree(FORM)), str(tree.tree(FORM)))
        assert seen.unit is not None
        assert seen.unit.hat == hat


@pytest.mark.parametrize("change", [("status: active", "status: completed"), ("mode:", "archived: true\nmode:")])
def test_an_intent_that_is_over_is_none(tree: PlanTree, change: tuple[str, str]) -> None:
    page = tree.top / f".haiku/intents/{SLUG}/intent.md"
    page.write_text(page.read_text().replace(*change))
    assert glance(str(tree.top), str(tree.top)).plan is None


def test_of_two_intents_the_branch_decides(tree: PlanTree) -> None:
    tree.git.write(".haiku/intents/other/intent.md", "---\ntitle: Other\nstatus: active\n---\n")
    assert glance(str(tree.top), str(tree.top)).plan is None
    tree.git.run("checkout", "-q", "-b", "haiku/other/main")
    plan = glance(str(tree.top), str(tree.top)).plan
    assert plan is not None
    assert plan.intent.slug == "other"
    assert plan.active is None


def test_a_linked_tree_of_no_unit_has_no_plan(tree: PlanTree) -> None:
    aside = tree.top.parent / "aside"
    tree.git.run("worktree", "add", "-q", "-b", "fix", str(aside))
    seen = glance(str(aside), str(aside))
    assert (seen.home, seen.plan) == (str(tree.top), None)


def test_the_last_action(tree: PlanTree) -> None:
    path = f".haiku/intents/{SLUG}/.last_action.json"
    for text, expected in ((json.dumps({"name": "start_unit", "at": "x"}), "start_unit"), ("{", ""), ("[]", "")):
        tree.git.write(path, text)
        plan = glance(str(tree.top), str(tree.top)).plan
        assert plan is not None
        assert (plan.last.name if plan.last else "") == expected


def test_without_git_units_are_worked_on_in_place(tmp_path: Path) -> None:
    folder = tmp_path / f".haiku/intents/{SLUG}"
    folder.mkdir(parents=True)
    (folder / "intent.md").write_text("---\ntitle: x\nstatus: active\n---\n")
    plan = glance(str(tmp_path), str(tmp_path)).plan
    assert plan is not None
    assert not plan.git.available


def test_a_link_is_refused(tmp_path: Path) -> None:
    tree = GitRepository(tmp_path / "repo")
    folder = tree.path / ".haiku/intents/login"
    folder.mkdir(parents=True)
    (folder / "intent.md").symlink_to("/etc/passwd")
    with pytest.raises(StateError):
        glance(tree.root, tree.root)
