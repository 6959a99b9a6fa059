from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError, StateError
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.reset import BaselineInit, baseline_init, reset_accept, reset_preview, set_aside
from leeboard.plan.effect import Refusal
from tests.git_repository import GitRepository
from tests.truth_project import NOW, SCOPES, SLUG, TruthProject


def lose(project: TruthProject, how: str) -> None:
    path = project.top / "baseline.json"
    if how == "missing":
        path.unlink()
    else:
        path.write_text("{}" if how == "altered" else "noise")


@pytest.mark.parametrize("how", ["missing", "altered", "noise"])
def test_from_the_loss_to_the_end(project: TruthProject, how: str) -> None:
    """The tick names the command; the operator sees what is taken, accepts it, and work goes on."""
    project.write("knowledge/new.md", "not acknowledged\n")
    lose(project, how)
    clue = project.tick()
    assert (clue.action, clue.is_error) == ("error", True)
    assert "baseline-reset" in clue.message
    shown = reset_preview(project.folder, SLUG, "")
    assert shown.standing in {"missing", "altered"}
    assert {each.path for each in shown.differs} == {"knowledge/new.md", "knowledge/old.md"}
    assert (shown.files, shown.compared_with, shown.waits) == (2, "nothing", 0)
    reset_accept(project.folder, SLUG, "", shown.diff_hash, "I looked at both", NOW)
    assert project.tick().action == "elaborate"
    assert set(project.json("baseline.json")) == {"knowledge/new.md", "knowledge/old.md"}
    assert project.json("baseline.json")["knowledge/new.md"]["author_class"] == "human-implicit"
    lose(project, how)
    assert project.tick().is_error, "it was good for one use"


def test_everything_is_lost_with_its_seal(project: TruthProject) -> None:
    """Each scope waits for its own word of an operator, however many ticks go by; a loss after that is seen too."""
    for path in (*project.top.glob("**/baseline.json"), project.top / ".drift_checksum", project.top / layout.LOG):
        path.unlink()
    for scope in SCOPES:
        assert project.tick().is_error or scope == "build", "which is not reached yet"
        done = baseline_init(project.folder, SLUG, NOW)
        assert isinstance(done, BaselineInit)
        assert done.baselines_created == 0
        shown = reset_preview(project.folder, SLUG, scope)
        assert (shown.standing, shown.waits) == ("missing", 0)
        reset_accept(project.folder, SLUG, scope, shown.diff_hash, "I looked at it", NOW)
    baseline_init(project.folder, SLUG, NOW)
    assert project.tick().action == "elaborate"
    assert {project.record().standing(scope)[0] for scope in SCOPES} == {"established"}
    lose(project, "missing")
    assert project.tick().is_error


def test_a_change_after_it_was_shown_is_not_taken(project: TruthProject) -> None:
    lose(project, "missing")
    shown = reset_preview(project.folder, SLUG, "")
    reset_accept(project.folder, SLUG, "", shown.diff_hash, "looked at it", NOW)
    project.write("knowledge/slipped.md", "in\n")
    assert project.tick().is_error
    with pytest.raises(StateError, match="changed since"):
        reset_accept(project.folder, SLUG, "", shown.diff_hash, "looked at it", NOW)


def test_what_can_not_be_reset(project: TruthProject) -> None:
    with pytest.raises(ConfigError, match="nothing to reset"):
        reset_accept(project.folder, SLUG, "", reset_preview(project.folder, SLUG, "").diff_hash, "why not", NOW)
    with pytest.raises(ConfigError, match="no stage"):
        reset_preview(project.folder, SLUG, "nowhere")
    with pytest.raises(ConfigError, match="Say why"):
        reset_accept(project.folder, SLUG, "", "", " ", NOW)


def test_one_that_is_lost_again_and_again(project: TruthProject) -> None:
    for _ in range(4):
        lose(project, "missing")
        project.tick()
        shown = reset_preview(project.folder, SLUG, "")
        if shown.waits:
            break
        reset_accept(project.folder, SLUG, "", shown.diff_hash, "again", NOW)
        project.tick()
    assert shown.waits
    with pytest.raises(StateError, match="too often"):
        reset_accept(project.folder, SLUG, "", shown.diff_hash, "again", NOW)


def test_git_knows_what_it_was(repository: GitRepository) -> None:
    """The operator is shown what really changed, where git has the last baseline that the engine wrote."""
    engine = Engine(repository.root, clock=lambda: NOW)
    engine.create("Count", "Do it.", SLUG, "small")
    top = Path(f".haiku/intents/{SLUG}")
    repository.write(str(top / "knowledge/a.md"), "a\n")
    engine.tick(SLUG)
    repository.commit("with its baseline")
    repository.write(str(top / "knowledge/b.md"), "b\n")
    (repository.path / top / "baseline.json").write_text("{}")
    shown = reset_preview(PlanFolder(repository.root), SLUG, "")
    assert shown.compared_with == "the last baseline that git has"
    assert [each.path for each in shown.differs] == ["knowledge/b.md"]


def test_an_agent_may_only_begin(project: TruthProject) -> None:
    """`haiku_baseline_init` takes in nothing where there is, or was, a baseline."""
    project.write("knowledge/new.md", "not acknowledged\n")
    done = baseline_init(project.folder, SLUG, NOW)
    assert isinstance(done, BaselineInit)
    assert (done.baselines_created, done.baselines_skipped_existing) == (0, 3)
    lose(project, "missing")
    again = baseline_init(project.folder, SLUG, NOW)
    assert isinstance(again, BaselineInit)
    assert again.baselines_created == 0
    assert project.tick().is_error


def test_beginning(project: TruthProject) -> None:
    project.write("stages/shape/artifacts/a.md", "a\n")
    project.write("knowledge/other.md", "not named\n")
    set_aside(project.folder, SLUG, "tmp/aside")
    for path in project.top.glob("stages/*/baseline.json"):
        path.unlink()
    refused = baseline_init(project.folder, SLUG, NOW, ["src/app.py"])
    assert isinstance(refused, Refusal)
    assert refused.code == "path_outside_tracked_surface"
    missing = baseline_init(project.folder, SLUG, NOW, ["knowledge/none.md"])
    assert isinstance(missing, Refusal)
    assert missing.code == "path_missing"
    done = baseline_init(project.folder, SLUG, NOW, ["knowledge/old.md"])
    assert isinstance(done, BaselineInit)
    assert (done.baselines_created, done.tracking_classes) == (1, {"knowledge": 1})
    rest = baseline_init(project.folder, SLUG, NOW)
    assert isinstance(rest, BaselineInit)
    assert (rest.baselines_created, rest.tracking_classes) == (2, {"stage-output": 1})
    assert project.findings() == {"knowledge/other.md": ("new-file-detected", "human-implicit")}


def test_not_of_one_that_is_not_active(project: TruthProject) -> None:
    text = (project.top / "intent.md").read_text()
    project.write("intent.md", text.replace("status: active", "status: completed"))
    refused = baseline_init(project.folder, SLUG, NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == "intent_not_active"


def test_an_intent_that_begins_anew(project: TruthProject) -> None:
    set_aside(project.folder, SLUG, "tmp/aside")
    assert (project.path / ".haiku/tmp/aside/action-log.jsonl").exists()
    for path in project.top.glob("stages/*/baseline.json"):
        path.unlink()
    assert project.tick().action == "elaborate"
    assert set(project.json("baseline.json")) == {"knowledge/old.md"}
