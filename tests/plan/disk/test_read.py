from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import StateError
from leeboard.model.plan import GitFacts
from leeboard.plan.disk import read
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.page_cache import KnownPages
from leeboard.plan.disk.read import look, look_at, read_intent, read_tick
from tests.git_repository import GitRepository

PLAN = ".haiku/intents/x"


@pytest.fixture
def plan(repository: GitRepository) -> GitRepository:
    Engine(repository.root).create("Count words", "Do it.", "x", "small")
    return repository


def test_everything_is_in_one_look(plan: GitRepository) -> None:
    """SH-05, SH-09: from the files alone."""
    plan.write(f"{PLAN}/stages/shape/state.json", '{"status": "active", "phase": "execute", "visits": 1, "odd": 1}')
    plan.write(f"{PLAN}/stages/shape/units/unit-01-a.md", "---\ntitle: A\ninputs: [gone.md]\n---\n- [ ] x\n")
    plan.write(f"{PLAN}/stages/shape/feedback/01-a.md", "---\ntitle: F\norigin: user-chat\n---\n")
    plan.write(f"{PLAN}/feedback/02-b.md", "---\ntitle: G\n---\n")
    plan.write(f"{PLAN}/intent-tick.json", '{"tick": 7}')
    plan.write(f"{PLAN}/.last_action.json", '{"name": "elaborate", "at": "t", "progress": "p", "repeats": 2}')
    seen = look(plan.root, "x")
    assert (seen.intent.title, seen.intent.studio, seen.intent.body.strip()) == ("Count words", "small", "Do it.")
    assert [view.spec.name for view in seen.stages] == ["shape", "build"]
    shape = seen.active
    assert shape is not None
    assert (shape.state.phase, shape.state.extra) == ("execute", {"odd": 1})
    assert [unit.id for unit in shape.units] == ["unit-01-a"]
    assert shape.missing_inputs == (("unit-01-a", "gone.md"),)
    assert [(item.id, item.is_human) for item in shape.feedback] == [("FB-01", True)]
    assert [item.id for item in seen.feedback] == ["FB-02"]
    assert seen.git.branch == "main"
    assert seen.tick == 7
    assert seen.last is not None
    assert (seen.last.name, seen.last.repeats) == ("elaborate", 2)
    assert seen.problems == ()


def test_stages_are_those_the_intent_goes_through(plan: GitRepository) -> None:
    plan.write(f"{PLAN}/intent.md", "---\ntitle: T\nstudio: small\nskip_stages: [shape]\n---\n")
    assert [view.spec.name for view in look(plan.root, "x").stages] == ["build"]
    plan.write(f"{PLAN}/intent.md", "---\ntitle: T\nstudio: nosuch\n---\n")
    assert look(plan.root, "x").studio is None
    plan.write(f"{PLAN}/intent.md", "---\ntitle: T\n---\n")
    seen = look(plan.root, "x")
    assert seen.stages == ()
    assert "small" in [studio.slug for studio in seen.studios]


def test_a_linked_work_tree_sees_the_plan_of_the_primary_one(plan: GitRepository, tmp_path: Path) -> None:
    plan.run("worktree", "add", "-q", str(tmp_path / "linked"))
    assert look(str(tmp_path / "linked"), "x").intent.title == "Count words"


def test_without_git(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    folder.write("intents/x/intent.md", b"---\ntitle: T\n---\n")
    assert look(str(tmp_path), "x").git == GitFacts(hub="haiku/x/main")


@pytest.mark.parametrize("slug", ["gone", "../x", "", ".", "a/b", "x\0"])
def test_no_such_intent(plan: GitRepository, slug: str) -> None:
    folder = PlanFolder(plan.root)
    with pytest.raises(StateError, match=r"There is no intent.*haiku_intent_list"):
        look(plan.root, slug)
    with pytest.raises(StateError, match="There is no intent"):
        read_tick(folder, slug)
    assert read_intent(folder, slug) is None


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        (f"{PLAN}/intent.md", "---\n{[\n---\n", "intent.md"),
        (f"{PLAN}/stages/shape/state.json", "{", "stages/shape: state.json"),
        (f"{PLAN}/stages/shape/state.json", "[1]", "stages/shape: state.json"),
        (f"{PLAN}/stages/shape/feedback/01-a.md", "---\n{[\n---\n", ""),
        (f"{PLAN}/stages/shape/units/unit-01-a.md", "\udcff\udcfe---\n", ""),
        (f"{PLAN}/intent-tick.json", '{"tick": "many"}', ""),
        (f"{PLAN}/.last_action.json", "nonsense", ""),
    ],
)
def test_nonsense_is_named_and_never_raises(plan: GitRepository, path: str, text: str, problem: str) -> None:
    """SH-09: a plan edited by hand into nonsense."""
    plan.write(path, text)
    seen = look(plan.root, "x")
    problems = (*seen.problems, *(each for view in seen.stages for each in view.problems))
    assert any(problem in each for each in problems) is bool(problem)


@pytest.mark.parametrize("path", ["intents/x", "intents/x/stages/shape/units/unit-01-a.md", "intents/x/stages"])
def test_a_link_is_an_error_that_names_it(plan: GitRepository, tmp_path: Path, path: str) -> None:
    plan.write(f"{PLAN}/stages/shape/units/unit-01-a.md", "---\ntitle: A\n---\n")
    place = plan.path / ".haiku" / path
    place.rename(tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    with pytest.raises(StateError, match=path):
        look(plan.root, "x")


def test_a_broken_seal_is_named(plan: GitRepository) -> None:
    seen = look_at(PlanFolder(plan.root), "x")
    seen.seal.settle(seen.values)
    text = (plan.path / PLAN / "intent.md").read_text()
    plan.write(f"{PLAN}/intent.md", text.replace("active_stage: ", "active_stage: build #"))
    seen = look_at(PlanFolder(plan.root), "x")
    assert (seen.plan.sealed, seen.plan.tampered) == (False, ("intent.md",))


def test_it_writes_nothing(plan: GitRepository) -> None:
    def state() -> list[tuple[str, int]]:
        return [(str(path), path.lstat().st_mtime_ns) for path in sorted((plan.path / ".haiku").rglob("*"))]

    before = state()
    look(plan.root, "x")
    assert state() == before
    assert [path.name for path in (plan.path / ".haiku/intents/x").glob("[!.]*")] == ["intent.md"]


def test_what_a_person_changes_between_two_looks_is_seen(plan: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the length and the time of the file are as they were."""
    monkeypatch.setattr(read, "PAGES", KnownPages(lambda: time.time_ns() + 10**10))
    units = Path(plan.root, ".haiku/intents/x/stages/build/units")
    units.mkdir(parents=True, exist_ok=True)
    page = units / "unit-07-hand.md"
    page.write_text("---\ntitle: one\n---\nDo it.\n")
    before = page.stat()

    def titles() -> list[str]:
        stage = next(view for view in look(str(plan.root), "x").stages if view.spec.name == "build")
        return [unit.title for unit in stage.units if unit.id == "unit-07-hand"]

    assert titles() == titles() == ["one"]
    page.write_text("---\ntitle: two\n---\nDo it.\n")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert titles() == ["two"]
    page.unlink()
    assert titles() == []
