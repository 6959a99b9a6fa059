"""Work that is given up: what goes, what stays, and that the way back that was named is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from leeboard.app.person.ending import EndedWork, abandon, delete
from leeboard.app.plan.engine import Engine
from leeboard.plan.effect import Refusal
from tests.flow_desk import SLUG, FlowDesk

HUB = f"haiku/{SLUG}/main"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_plan_gate()
    made.ok("review", "--approve")
    made.until("start_units")
    tree = Path(made("unit_start", unit="unit-01-left")["worktree"])
    (tree / "left.txt").write_text("half done\n")
    return made


def branches(desk: FlowDesk) -> list[str]:
    return desk.repository.run("branch", "--format=%(refname:short)").split()


def trees(desk: FlowDesk) -> int:
    return desk.repository.run("worktree", "list", "--porcelain").count("worktree ")


def test_abandoned_work_keeps_its_branch_its_unmerged_work_and_the_reason(desk: FlowDesk) -> None:
    ended = abandon(Engine(str(desk.root)), SLUG, "The library does it by now.")
    assert isinstance(ended, EndedWork)
    assert trees(desk) == 1
    assert desk.repository.run("branch", "--show-current") == "main"
    assert HUB in branches(desk)
    assert f"haiku/{SLUG}/unit-01-left" in branches(desk)
    assert desk.repository.run("show", f"haiku/{SLUG}/unit-01-left:left.txt") == "half done"
    assert any("unit-01-left" in text for text in ended.kept)
    assert any("work tree" in text for text in ended.gone)
    desk.repository.run("switch", "-q", HUB)
    plan = desk.plan_now
    assert plan.intent.archived
    assert "The library does it by now." in (desk.root / f".haiku/intents/{SLUG}/knowledge/ANSWERS.md").read_text()
    assert desk.ok("archive", SLUG, "--undo")


def test_deleted_work_is_gone_and_the_way_back_is_one(desk: FlowDesk) -> None:
    ended = delete(Engine(str(desk.root)), SLUG)
    assert isinstance(ended, EndedWork)
    assert branches(desk) == ["main"]
    assert trees(desk) == 1
    assert not (desk.root / f".haiku/intents/{SLUG}").exists()
    assert "no intent here" in desk.ok("status")
    back = next(found[1] for text in ended.kept if (found := re.search(r"`(git branch \S+/main \S+)`", text)))
    desk.repository.run(*back.split()[1:])
    assert desk.repository.run("show", f"{HUB}:.haiku/intents/{SLUG}/intent.md")
    assert desk.repository.run("fsck", "--no-dangling") == ""


def test_a_new_one_of_the_same_name_may_begin_after_that(desk: FlowDesk) -> None:
    assert isinstance(delete(Engine(str(desk.root)), SLUG), EndedWork)
    desk.begin()
    assert desk("run_next")["action"] == "start_stage"


def test_changes_that_nobody_committed_are_not_lost(desk: FlowDesk) -> None:
    (desk.root / "app.py").write_text("first = 2\n")
    for refused in (abandon(Engine(str(desk.root)), SLUG, "x"), delete(Engine(str(desk.root)), SLUG)):
        assert isinstance(refused, Refusal)
        assert refused.code == "uncommitted_changes"
    assert (desk.root / "app.py").read_text() == "first = 2\n"


def test_what_was_pushed_is_named_and_left(desk: FlowDesk) -> None:
    desk.repository.run("update-ref", f"refs/remotes/origin/{HUB}", HUB)
    ended = delete(Engine(str(desk.root)), SLUG)
    assert isinstance(ended, EndedWork)
    assert any(f"git push origin --delete {HUB}" in text for text in ended.kept)
