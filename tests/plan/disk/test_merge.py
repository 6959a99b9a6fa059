from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.io.git.place import find
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.merge import is_marked, left_marked, merge_unit, unmerged
from leeboard.plan.disk.repository import Repository
from tests.git_repository import GitRepository

PLAN = ".haiku/intents/x"


class Scene:
    def __init__(self, repository: GitRepository) -> None:
        self.hub = repository
        self.git = Repository(find(repository.root))
        worktrees.ensure_branch(self.git, "x")

    def unit(self, name: str) -> GitRepository:
        return GitRepository(worktrees.make_worktree(self.git, "x", name))

    def merge(self, name: str) -> tuple[str, ...]:
        return merge_unit(self.git, "x", name, f"merge {name}")

    def is_merged(self, name: str) -> bool:
        return worktrees.is_merged(self.git, f"haiku/x/{name}", "haiku/x/main")


@pytest.fixture
def scene(repository: GitRepository) -> Scene:
    repository.write(f"{PLAN}/intent.md", "---\ntitle: x\n---\n")
    repository.write(f"{PLAN}/stages/build/state.json", "{}\n")
    repository.commit("plan")
    return Scene(repository)


def test_it_becomes_part_of_the_hub_and_twice_is_harmless(scene: Scene) -> None:
    unit = scene.unit("u")
    unit.write("new.py", "new = 1\n")
    unit.commit("work")
    scene.merge("u")
    head = scene.hub.head
    scene.merge("u")
    assert scene.hub.head == head
    assert (scene.hub.path / "new.py").read_text() == "new = 1\n"
    assert scene.hub.run("log", "-1", "--format=%s %P").startswith("merge u ")
    assert len(scene.hub.run("log", "-1", "--format=%P").split()) == 2
    assert scene.hub.run("status", "--porcelain") == ""


def test_what_the_agent_did_not_commit_comes_along(scene: Scene) -> None:
    scene.unit("u").write("new.py", "new = 1\n")
    scene.merge("u")
    assert scene.is_merged("u")
    assert (scene.hub.path / "new.py").exists()


def test_what_says_how_the_workflow_goes_stays_as_the_hub_has_it(scene: Scene) -> None:
    """Changed, new, gone or in conflict; what else a unit did comes along."""
    stage, agent = (f".haiku/studios/s/stages/build/{name}" for name in ("STAGE.md", "review-agents/critic.md"))
    for path in (stage, agent):
        scene.hub.write(path, "as the person wrote it\n")
    scene.hub.commit("policy")
    unit = scene.unit("u")
    unit.write(".haiku/settings.yml", "drift_detection: false\n")
    unit.write(".haiku/Studios/s/STUDIO.md", "in capitals\n")
    unit.write(stage, "review: auto\n")
    (unit.path / agent).unlink()
    unit.write("new.py", "new = 1\n")
    unit.commit("all of it")
    scene.hub.write(stage, "as the person wrote it since\n")
    scene.hub.commit("the person goes on")
    left_out = scene.merge("u")
    assert left_out == (".haiku/Studios/s/STUDIO.md", ".haiku/settings.yml", stage, agent)
    assert scene.hub.run("log", "-1", "--format=%b").strip() == (
        f"Left out, for only a person changes it: {', '.join(left_out)}"
    )
    assert scene.merge("u") == ()
    assert scene.is_merged("u")
    assert scene.hub.run("diff", "--name-only", "HEAD^1", "HEAD") == "new.py"
    assert not (scene.hub.path / ".haiku/settings.yml").exists()
    assert (scene.hub.path / stage).read_text() == "as the person wrote it since\n"


def test_a_conflict_in_the_code_brings_no_policy_along(scene: Scene) -> None:
    unit = scene.unit("u")
    unit.write("app.py", "unit = 1\n")
    unit.write(".haiku/settings.yml", "drift_detection: false\n")
    unit.commit("both")
    scene.hub.write("app.py", "hub = 1\n")
    scene.hub.commit("meanwhile")
    scene.merge("u")
    unit.write("app.py", "both = 1\n")
    unit.commit("resolved")
    assert scene.merge("u") == (".haiku/settings.yml",)
    assert scene.is_merged("u")
    assert not (scene.hub.path / ".haiku/settings.yml").exists()


def test_a_change_of_policy_that_the_hub_has_too_is_not_left_out(scene: Scene) -> None:
    unit = scene.unit("u")
    for tree in (unit, scene.hub):
        tree.write(".haiku/settings.yml", "drift_detection: true\n")
        tree.commit("the same")
    unit.write("new.py", "new = 1\n")
    assert scene.merge("u") == ()
    assert scene.is_merged("u")


def test_staged_and_changed_files_of_the_user_stay_as_they_are(scene: Scene) -> None:
    scene.hub.write("mine.py", "staged = 1\n")
    scene.hub.run("add", "mine.py")
    scene.hub.write("app.py", "changed = 1\n")
    before = scene.hub.run("status", "--porcelain")
    unit = scene.unit("u")
    unit.write("new.py", "new = 1\n")
    scene.merge("u")
    assert scene.is_merged("u")
    assert scene.hub.run("status", "--porcelain") == before
    assert scene.hub.run("diff", "--cached", "--name-only") == "mine.py"


def test_a_changed_file_that_the_unit_changed_too_is_named(scene: Scene) -> None:
    unit = scene.unit("u")
    unit.write("app.py", "unit = 1\n")
    scene.hub.write("app.py", "precious = 1\n")
    head = scene.hub.head
    with pytest.raises(StateError, match=r"(?s)Commit or stash.*app\.py"):
        scene.merge("u")
    assert scene.hub.head == head
    assert (scene.hub.path / "app.py").read_text() == "precious = 1\n"


def test_a_conflict_stays_in_the_units_tree_until_it_is_resolved(scene: Scene) -> None:
    one, other = scene.unit("one"), scene.unit("two")
    one.write("app.py", "one = 1\n")
    other.write("app.py", "two = 2\n")
    scene.merge("one")
    head = scene.hub.head
    for _ in range(2):
        scene.merge("two")
        assert unmerged(scene.git, other.root) == ("app.py",)
        assert "<<<<<<<" in (other.path / "app.py").read_text()
        assert scene.hub.head == head
        assert scene.hub.run("status", "--porcelain") == ""
    other.write("app.py", "both = 3\n")
    other.commit("resolve")
    scene.merge("two")
    assert scene.is_merged("two")
    assert (scene.hub.path / "app.py").read_text() == "both = 3\n"


def test_a_resolution_that_was_only_staged_is_committed_unless_marks_are_left(scene: Scene) -> None:
    one, other = scene.unit("one"), scene.unit("two")
    one.write("app.py", "one = 1\n")
    other.write("app.py", "two = 2\n")
    scene.merge("one")
    scene.merge("two")
    other.run("add", "app.py")
    scene.merge("two")
    assert not scene.is_merged("two")
    other.write("app.py", "both = 3\n")
    other.run("add", "app.py")
    scene.merge("two")
    assert scene.is_merged("two")


@pytest.mark.parametrize("how", ["changed", "removed", "added", "conflict"])
def test_the_plans_own_records_are_the_hubs(scene: Scene, how: str) -> None:
    """What a unit's branch makes of its copy of the plan never reaches the plan."""
    unit = scene.unit("u")
    state = f"{PLAN}/stages/build/state.json"
    match how:
        case "removed":
            unit.remove(state)
        case "added":
            unit.write(f"{PLAN}/stages/build/units/unit-09-mine.md", "---\nstatus: completed\n---\n")
        case _:
            unit.write(state, '{"status": "completed"}\n')
    unit.write(f"{PLAN}/stages/build/artifacts/made.md", "made\n")
    unit.commit("work")
    if how == "conflict":
        scene.hub.write(state, '{"status": "active"}\n')
        scene.hub.commit("engine")
    expected = (scene.hub.path / state).read_text()
    scene.merge("u")
    assert scene.is_merged("u")
    assert (scene.hub.path / state).read_text() == expected
    assert not (scene.hub.path / PLAN / "stages/build/units").exists()
    assert (scene.hub.path / PLAN / "stages/build/artifacts/made.md").read_text() == "made\n"
    assert scene.hub.run("status", "--porcelain") == ""


@pytest.mark.parametrize("clean", [True, False])
def test_a_git_that_merges_only_in_a_work_tree(scene: Scene, monkeypatch: pytest.MonkeyPatch, *, clean: bool) -> None:
    monkeypatch.setattr("leeboard.plan.disk.merge._merged_tree", lambda *_: "")
    state = f"{PLAN}/stages/build/state.json"
    unit = scene.unit("u")
    unit.write("new.py", "new = 1\n")
    unit.write(state, '{"status": "completed"}\n')
    unit.commit("work")
    if not clean:
        scene.hub.write(state, '{"status": "active"}\n')
        scene.hub.commit("engine")
    expected = (scene.hub.path / state).read_text()
    scene.merge("u")
    assert scene.is_merged("u")
    assert (scene.hub.path / state).read_text() == expected
    assert (scene.hub.path / "new.py").exists()


def test_nothing_is_merged_on_another_branch(scene: Scene) -> None:
    scene.unit("u").write("new.py", "new = 1\n")
    scene.hub.run("switch", "-q", "main")
    with pytest.raises(StateError, match="git switch haiku/x/main"):
        scene.merge("u")
    assert not Path(scene.hub.path, "new.py").exists()


def test_a_unit_without_a_branch_is_nothing_to_merge(scene: Scene) -> None:
    head = scene.hub.head
    scene.merge("u")
    assert scene.hub.head == head


MARKED = "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> main\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MARKED, True),
        (MARKED.replace("\n", "\r\n"), True),
        ("a\n<<<<<<< x\n||||||| base\n=======\n>>>>>>> y\n", True),
        ("Title\n=======\n", False),
        ("<<<<<<< x\n>>>>>>> y\n", False),
        (">>>>>>> y\n=======\n<<<<<<< x\n", False),
        ("    <<<<<<< x\n    =======\n    >>>>>>> y\n", False),
        ("<<<<<<< x\n======= and more\n>>>>>>> y\n", False),
        ("", False),
    ],
)
def test_what_a_conflict_looks_like(text: str, *, expected: bool) -> None:
    assert is_marked(text.encode()) == expected


def test_a_conflict_that_was_committed_is_not_merged(scene: Scene) -> None:
    one, other = scene.unit("one"), scene.unit("two")
    one.write("app.py", "one = 1\n")
    other.write("app.py", "two = 2\n")
    scene.merge("one")
    scene.merge("two")
    other.commit("resolved, or so I say")
    head = scene.hub.head
    scene.merge("two")
    assert (scene.hub.head, left_marked(scene.git, "x", other.root)) == (head, ("app.py",))
    other.write("app.py", "both = 3\n")
    assert left_marked(scene.git, "x", other.root) == ()
    scene.merge("two")
    assert scene.is_merged("two")


def test_marks_that_belong_to_a_file_are_no_conflict(scene: Scene) -> None:
    """A page about conflicts, changed on both sides, beside a real one; and a new one that no merge touched."""
    scene.hub.write("page.md", f"top\n{MARKED}middle\n\n\nend\n")
    scene.hub.commit("a page")
    one, other = scene.unit("one"), scene.unit("two")
    one.write("page.md", f"Top\n{MARKED}middle\n\n\nend\n")
    one.write("app.py", "one = 1\n")
    other.write("page.md", f"top\n{MARKED}middle\n\n\nEnd\n")
    other.write("app.py", "two = 2\n")
    other.write("another.md", MARKED)
    scene.merge("one")
    scene.merge("two")
    assert unmerged(scene.git, other.root) == ("app.py",)
    other.write("app.py", "both = 3\n")
    other.commit("resolve")
    scene.merge("two")
    assert scene.is_merged("two")
