"""Work that is called done without any, over real trees."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine, look_over
from leeboard.plan.disk.folder import PlanFolder
from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository
from tests.mcp_agent import STUDIO, Agent

UNIT = "---\ntitle: Look after it\ninputs: [intent.md]\noutputs: [app.py]\n---\nLook after app.py.\n"
NAME = "unit-01-look"
LONG_AGO = 1_000_000_000


class Work:
    """A unit without criteria, whose output has been there for long, with its last hat."""

    def __init__(self, root: Path) -> None:
        self.agent = Agent(root)
        self.agent.begin()
        self.agent.until("elaborate")
        assert not self.agent("unit_write", unit=NAME, content=UNIT).is_error
        self.agent.until("start_unit")
        started = self.agent("unit_start", unit=NAME)
        self.tree = Path(started["worktree"] or root)
        self.git = GitRepository(self.tree) if started["worktree"] else None

    @property
    def untouched(self) -> tuple[str, ...]:
        return look_over(PlanFolder(str(self.agent.root)), "thing", truth=False).plan.untouched

    @property
    def name(self) -> str:
        """Of what was changed for the unit."""
        return look_over(PlanFolder(str(self.agent.root)), "thing", truth=False).plan.work.get(NAME, "")


@pytest.fixture
def work(repository: GitRepository) -> Work:
    for path, text in STUDIO.items():
        repository.write(f".haiku/studios/small/{path}", text)
    repository.commit("a studio")
    return Work(repository.path)


def test_a_unit_in_whose_tree_nothing_changed_is_not_done(work: Work) -> None:
    answer = work.agent("unit_advance_hat", unit=NAME)
    assert (answer.is_error, answer["code"], answer["missing"]) == (True, "no_work_done", ["change"])
    assert str(work.tree) in answer["message"]
    assert work.untouched == (NAME,)
    assert work.agent("run_next")["action"] == "continue_unit"


def test_what_people_are_told_of_a_unit_that_needs_none(work: Work) -> None:
    passed = work.agent("unit_advance_hat", unit=NAME, reason="It is right as it is.")
    assert not passed.is_error
    (unit,) = Engine(str(work.agent.root)).look("thing").stages[0].units
    assert [(done.hat, done.reason) for done in unit.passes] == [("worker", "It is right as it is.")]


def commit_empty(work: Work) -> None:
    assert work.git is not None
    work.git.commit("nothing")


def change_records(work: Work) -> None:
    (work.tree / ".haiku/intents/thing/intent.md").write_text("mine\n")
    commit_empty(work)


def write_only(work: Work) -> None:
    (work.tree / "app.py").write_text("second = 2\n")


def write_new(work: Work) -> None:
    (work.tree / "other.py").write_text("x\n")


def write_and_commit(work: Work) -> None:
    write_only(work)
    commit_empty(work)


def write_artifact(work: Work) -> None:
    place = work.tree / ".haiku/intents/thing/stages/shape/artifacts/notes.md"
    place.parent.mkdir(parents=True)
    place.write_text("Thought about it.\n")


@pytest.mark.parametrize(
    ("does", "counts"),
    [
        (commit_empty, False),
        (change_records, False),
        (write_only, True),
        (write_new, True),
        (write_and_commit, True),
        (write_artifact, True),
    ],
)
def test_what_counts_as_work(work: Work, does: Callable[[Work], None], *, counts: bool) -> None:
    does(work)
    assert work.untouched == (() if counts else (NAME,))
    assert work.agent("unit_advance_hat", unit=NAME).is_error is not counts


def test_what_is_sent_back_has_a_name_that_a_commit_does_not_change(work: Work) -> None:
    write_only(work)
    assert work.name == "", "no hat was done yet"
    assert not work.agent("unit_reject_hat", unit=NAME, reason="Not so.").is_error
    assert not work.agent("unit_reject_hat", unit=NAME, reason="Nor so.").is_error
    before = work.name
    commit_empty(work)
    assert work.name == before != ""
    assert work.agent.refused("unit_advance_hat", unit=NAME) == "no_work_done"
    write_artifact(work)
    assert work.name != before
    assert not work.agent("unit_advance_hat", unit=NAME).is_error


def test_without_git_outputs_tell_what_is_sent_back(tmp_path: Path) -> None:
    work = without_git(tmp_path)
    for reason in ("Not so.", "Nor so."):
        assert not work.agent("unit_reject_hat", unit=NAME, reason=reason).is_error
    (work.tree / "app.py").touch()
    assert work.agent.refused("unit_advance_hat", unit=NAME) == "no_work_done"
    (work.tree / "app.py").write_text("y\n")
    assert not work.agent("unit_advance_hat", unit=NAME).is_error


def without_git(tmp_path: Path) -> Work:
    root = tmp_path / "plain"
    for path, text in {
        **{f".haiku/studios/small/{name}": text for name, text in STUDIO.items()},
        "app.py": "x\n",
    }.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    os.utime(root / "app.py", (LONG_AGO, LONG_AGO))
    return Work(root)


def test_without_git_files_go_by_their_times(tmp_path: Path) -> None:
    work = without_git(tmp_path)
    assert work.agent.refused("unit_advance_hat", unit=NAME) == "no_work_done"
    (work.tree / "app.py").write_text("y\n")
    assert not work.agent("unit_advance_hat", unit=NAME).is_error


def test_a_fix_without_a_change_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_stage_gate()
    desk.ok("review", "--request-changes", "left.txt says nothing.")
    desk.until("feedback_triage")
    desk("feedback_update", feedback_id="FB-01", resolution="inline_fix")
    desk.until("review_fix")
    desk.repository.write("untracked.log", "x\n")
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
    desk.repository.write("left.txt", "left and said\n")
    fixed = desk("feedback_advance_hat", feedback_id="FB-01")
    assert (fixed.is_error, fixed["action"], fixed["dirty_files"]) == (False, "commit_wip", ["left.txt"])
    desk.repository.run("commit", "-q", "-am", "say something")
    assert desk("run_next")["action"] == "review"


def in_fix(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    asked_to_fix(desk)


def asked_to_fix(desk: FlowDesk) -> None:
    desk.ok("review", "--request-changes", "left.txt says nothing.")
    desk.until("feedback_triage")
    desk("feedback_update", feedback_id="FB-01", resolution="inline_fix")
    desk.until("review_fix")


def fix_name(desk: FlowDesk) -> str:
    return look_over(PlanFolder(str(desk.root)), "thing", truth=False).plan.work.get("build/FB-01", "")


def test_a_fix_that_was_sent_back_is_not_done_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    in_fix(desk)
    assert fix_name(desk) == "", "nothing was changed for it"
    desk.repository.write("left.txt", "left and said\n")
    desk.ok("feedback", "fix", "FB-01", "--again", "Not full.")
    before = fix_name(desk)
    desk.repository.run("commit", "-q", "-am", "say something")
    assert fix_name(desk) == before != "", "a commit is no change"
    assert "since FB-01 was sent back: Not full." in " ".join(desk.denied("feedback", "fix", "FB-01", "--done").split())
    desk.until("review_fix")
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
    desk.repository.write("left.txt", "left and said in full\n")
    assert not desk("feedback_advance_hat", feedback_id="FB-01").is_error


def test_tracked_material_of_a_fix_that_was_sent_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person writes there meanwhile is no work of the agent."""
    desk = FlowDesk(tmp_path, monkeypatch)
    in_fix(desk)
    path = ".haiku/intents/thing/stages/build/artifacts/notes.md"
    for text in ("What left.txt says.\n", "All that left.txt says.\n"):
        desk.repository.write(path, text)
        assert desk("record_agent_write", path=path)["stamped"]
        assert not desk("feedback_reject_hat", feedback_id="FB-01", reason="Not so.").is_error
        before = fix_name(desk)
        assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
        wishes = desk.root / ".haiku/intents/thing/knowledge/WISHES.md"
        wishes.parent.mkdir(exist_ok=True)
        wishes.write_text(f"Not {text}")
        assert fix_name(desk) == before != ""
        assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "assessment_open"
        wishes.unlink()


def test_without_git_a_fix_that_was_sent_back_goes_by_what_files_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    shutil.rmtree(desk.root / ".git")
    desk.at_stage_gate_without_git()
    asked_to_fix(desk)
    (desk.root / "left.txt").write_text("left and said\n")
    assert not desk("feedback_reject_hat", feedback_id="FB-01", reason="Not so.").is_error
    (desk.root / "left.txt").touch()
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
    (desk.root / "left.txt").write_text("left and said in full\n")
    assert not desk("feedback_advance_hat", feedback_id="FB-01").is_error


def test_what_a_person_says_or_writes_fixes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their words and their files are no work of the agent, however often they are committed."""
    desk = FlowDesk(tmp_path, monkeypatch)
    in_fix(desk)
    desk.ok("say", "hello")
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
    desk.repository.write(".haiku/intents/thing/knowledge/WISHES.md", "More of it.\n")
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "assessment_open"


def test_tracked_material_counts_once_it_is_on_record_as_the_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    in_fix(desk)
    path = ".haiku/intents/thing/stages/build/artifacts/notes.md"
    desk.repository.write(path, "What left.txt says.\n")
    answer = desk("feedback_advance_hat", feedback_id="FB-01")
    assert (answer.is_error, "haiku_record_agent_write" in answer["message"]) == (True, True)
    assert desk("record_agent_write", path=path)["stamped"]
    assert not desk("feedback_advance_hat", feedback_id="FB-01").is_error


@pytest.mark.parametrize(
    ("by_agent", "outcome", "counts"),
    [(False, "inline-fix", True), (False, "ignore", False), (True, "inline-fix", False)],
)
def test_what_a_person_takes_in_as_a_fix_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcome: str, *, by_agent: bool, counts: bool
) -> None:
    """That an agent says so of somebody's change is no work of it."""
    desk = FlowDesk(tmp_path, monkeypatch)
    in_fix(desk)
    desk.repository.write(".haiku/intents/thing/knowledge/WISHES.md", "More of it.\n")
    desk.repository.commit("the fix")
    assert "Nothing else happens" in desk.denied("feedback", "fix", "FB-01", "--done")
    desk.until("manual_change_assessment")
    if by_agent:
        desk.as_agent()
    desk.ok("classify", "--all", "--as", outcome, "--why", "the fix of FB-01")
    if by_agent:
        desk.as_person()
    for text, holds in (("Not that.\n", False), ("More of it.\n", counts)):
        desk.repository.write(".haiku/intents/thing/knowledge/WISHES.md", text)
        assert bool(look_over(PlanFolder(str(desk.root)), "thing", truth=False).plan.untouched) is not holds
    assert desk.flow("feedback", "fix", "FB-01", "--done").code == (0 if counts else 1)


def test_a_change_that_came_before_the_fix_is_none_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_stage_gate()
    desk.repository.write(".haiku/intents/thing/knowledge/WISHES.md", "More of it.\n")
    desk.until("manual_change_assessment")
    desk.ok("classify", "--all", "--as", "inline-fix", "--why", "mine")
    desk.until("gate_review")
    desk.ok("review", "--request-changes", "left.txt says nothing.")
    desk.until("feedback_triage")
    desk("feedback_update", feedback_id="FB-01", resolution="inline_fix")
    desk.until("review_fix")
    assert desk.refused("feedback_advance_hat", feedback_id="FB-01") == "no_work_done"
