from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.model.truth import ABSENT
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.merge import merge_unit
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.truth.action_log import told
from leeboard.plan.disk.truth.agent_writes import AgentWrite, agent_wrote, log_merge, stamp
from leeboard.plan.disk.worktrees import make_worktree
from tests.git_repository import GitRepository
from tests.truth_project import NOW, SLUG, TruthProject

TOP = f".haiku/intents/{SLUG}"


def test_writes_are_stamped_with_what_lay_there(project: TruthProject) -> None:
    """FD-36: silent afterwards."""
    project.agent_writes("knowledge/old.md", "mine\n")
    project.agent_writes("stages/shape/outputs/a.md", "mine\n")
    lines = project.lines("action-log.jsonl")[-2:]
    assert [line["path"] for line in lines] == ["knowledge/old.md", "stages/shape/artifacts/a.md"]
    assert [line["tick_scope"] for line in lines] == ["intent", "stage"]
    assert lines[1]["before_sha"] == ABSENT
    assert project.findings() == {}
    entry = project.json("stages/shape/baseline.json")["stages/shape/artifacts/a.md"]
    assert (entry["author_class"], entry["acknowledged_via"]) == ("agent", "agent-write")


def test_somebody_elses_change_beneath_is_told(project: TruthProject) -> None:
    """The agent wrote last, over an edit that nobody saw."""
    project.write("knowledge/old.md", "a person was here\n")
    project.agent_writes("knowledge/old.md", "the agent too\n")
    (found,) = project.tick().payload["findings"]
    assert (found["author_class"], found["written_over"]) == ("agent", True)


def test_what_is_not_stamped(project: TruthProject) -> None:
    before = len(project.lines("action-log.jsonl"))
    project.write("stages/shape/units/unit-01-a.md", "x")
    stamp(project.folder, SLUG, {"stages/shape/units/unit-01-a.md": None, "knowledge": None}, 1, NOW)
    stamp(project.folder, SLUG, {"knowledge/old.md": project.sha("knowledge/old.md")}, 1, NOW)
    assert len(project.lines("action-log.jsonl")) == before
    (removed,) = agent_wrote(project.folder, SLUG, [AgentWrite(place="knowledge/gone.md", sha=ABSENT)], 1, NOW)
    assert (removed.sha, removed.before_sha) == (ABSENT, None)


@pytest.fixture
def merging(repository: GitRepository) -> tuple[GitRepository, Repository]:
    """A unit whose branch changes files of the surface: a new one, one less, a link and one that git rewrites."""
    repository.write(".gitattributes", "*.crlf text eol=crlf\n")
    repository.commit("attributes")
    engine = Engine(repository.root, clock=lambda: NOW)
    engine.create("Count", "Do it.", SLUG, "small")
    repository.write(f"{TOP}/stages/shape/artifacts/gone.md", "gone soon\n")
    engine.tick(SLUG)
    place = layout.place_of(repository.root)
    assert place is not None
    real = Repository(place)
    repository.commit("all of it")
    tree = GitRepository(make_worktree(real, SLUG, "unit-01-a"))
    tree.write(f"{TOP}/stages/shape/artifacts/new name.md", "new\n")
    tree.write(f"{TOP}/stages/shape/artifacts/lines.crlf", "a\nb\n")
    tree.write(f"{TOP}/baseline.json", "{}")
    (tree.path / f"{TOP}/stages/shape/artifacts/link").symlink_to("new name.md")
    tree.remove(f"{TOP}/stages/shape/artifacts/gone.md")
    tree.commit("work")
    return repository, real


def test_the_engines_own_merge_is_no_drift(merging: tuple[GitRepository, Repository]) -> None:
    """O-18: each file with the digest that git writes, before it is written."""
    repository, real = merging
    folder, engine = PlanFolder(repository.root), Engine(repository.root, clock=lambda: NOW)
    landed: list[str] = []

    def landing(tree: str) -> None:
        log_merge(folder, real, SLUG, tree, NOW)
        log_merge(folder, real, SLUG, tree, NOW)  # killed, and done again
        landed.append(tree)
        assert not (Path(repository.root) / f"{TOP}/stages/shape/artifacts/new name.md").exists()

    merge_unit(real, SLUG, "unit-01-a", "merged", landing)
    assert len(landed) == 1
    top = f"{TOP}/stages/shape/artifacts"
    assert (repository.path / top / "lines.crlf").read_bytes() == b"a\r\nb\r\n"
    names = [f"stages/shape/artifacts/{name}" for name in ("new name.md", "lines.crlf", "link", "gone.md")]
    said = told(folder, SLUG, names).entries
    assert {path: len(lines) for path, lines in said.items()} == dict.fromkeys(names, 1)
    assert said["stages/shape/artifacts/gone.md"][0].sha == ABSENT
    assert "findings" not in engine.tick(SLUG).payload


def test_without_the_log_it_would_be(merging: tuple[GitRepository, Repository]) -> None:
    repository, real = merging
    merge_unit(real, SLUG, "unit-01-a", "merged")
    clue = Engine(repository.root, clock=lambda: NOW).tick(SLUG)
    assert len(clue.payload["findings"]) == 4
