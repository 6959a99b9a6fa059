"""A change outside of the unit or stage that is at work: the edges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.io.store.memory import MemoryStore
from leeboard.model.contract import Allowance
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.studio import StageSpec, Template
from leeboard.model.verdict import Action, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.runtime import Setting, handle
from leeboard.surfaces.replay import MOMENTS
from leeboard.testing.planned import planned
from leeboard.testing.scenario import ROOT, play

TREE = ".haiku/worktrees/login/unit-01-form"


def verdict(phase: str, line: str, *further: str) -> Verdict:
    return play((f'plan phase = "{phase}"', *further, line)).proposed()[-1]


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("elaborate", "write src/new.py | x"),
        ("elaborate", "$ echo x > src/new.py"),
        ("elaborate", "$ git mv src/a.py src/b.py"),
        ("elaborate", "write README.md | x"),
        ("execute", "$ cd src && sed -i s/a/b/ login.py"),
        ("execute", "$ rm -rf src"),
        ("execute", f"$ cd {TREE} && sed -i s/a/b/ ../../../../src/login.py"),
        ("execute", f"edit {TREE}/../unit-02-mail/src/a.py | a => b"),
        ("execute", "write .haiku/settings.yml | drift_detection: false"),
        ("execute", "write .haiku/intents/other/knowledge/a.md | x"),
        ("execute", "write .haiku/intents/login/stages/design/artifacts/a.md | x"),
        ("gate", "write .haiku/studios/own/stages/build/STAGE.md | x"),
        ("execute", f"$ rm -rf {TREE}"),
        ("execute", f"$ git worktree remove --force {TREE}"),
        ("execute", "$ git branch -D haiku/login/unit-01-form"),
        ("review", "$ git reset --hard"),
        ("gate", "$ git stash"),
        ("elaborate", "$ git switch main"),
        ("execute", "$ git clean -fdx"),
    ],
)
def test_it_is_denied_under_advise(phase: str, line: str) -> None:
    """SH-53."""
    found = verdict(phase, line)
    assert (found.action, found.rules) == (Action.DENY, ("workflow_guard",))
    assert "haiku_run_next" in found.message
    assert "leeboard allow workflow_guard" in found.message


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("elaborate", "write .haiku/intents/login/stages/build/discovery/FACTS.md | x"),
        ("elaborate", "write .haiku/knowledge/ARCHITECTURE.md | x"),
        ("elaborate", "$ pytest -q > /tmp/out.txt 2>&1; git status"),
        ("execute", f"$ cd {TREE} && sed -i s/a/b/ src/login.py && git commit -qam x"),
        ("execute", "write .haiku/intents/login/stages/build/artifacts/a.md | x"),
        ("execute", "write .haiku/intents/login/features/a.feature | x"),
        ("execute", "$ git checkout -- src/login.py"),
        ("execute", "edit ~/notes.md | a => b"),
        ("review", "$ sed -i s/a/b/ src/login.py"),
        ("gate", "edit src/login.py | a => b"),
        ("execute", f"$ cd {TREE} && git reset --hard && git clean -fdx"),
        ("execute", "$ git stash list; git log -3; git diff main; ls .haiku/worktrees"),
        ("review", "$ git stash push -- src/login.py"),
    ],
)
def test_it_lets_work_go_on(phase: str, line: str) -> None:
    assert "workflow_guard" not in verdict(phase, line).rules


def test_what_an_agent_in_a_unit_may_touch() -> None:
    inside = "plan inside = true"
    assert verdict("execute", "edit src/a.py | a => b", inside).action < Action.DENY
    other = "edit /repo/.haiku/intents/login/stages/build/units/unit-02-mail.md | a => b"
    assert "unit-01-form" in verdict("execute", other, inside).message


def test_the_artifacts_of_a_stage_may_lie_anywhere() -> None:
    spec = StageSpec(
        name="build",
        templates=(
            Template(name="a", kind="discovery", location="docs/{intent-slug}/"),
            Template(name="b", kind="output", location="DESIGN.md"),
            Template(name="c", kind="output", location="(project tree)"),
        ),
    )
    work = planned({"phase": "elaborate"}, ROOT)
    stage = replace(work.plan.stages[0], spec=spec)
    plan = replace(work.plan, stages=(stage,))
    setting = Setting(workspace=Workspace(ROOT), policy=Policy(), rules=discover(), plan_root=ROOT, plan=plan)

    def denied(path: str) -> bool:
        call = ToolCall(id=path, tool="Write", action="write", paths=(path,))
        event = ToolProposed(session="s", key=path, cwd=ROOT, call=call)
        found = handle((event,), MOMENTS[ToolProposed], MemoryStore(), setting)
        return found is not None and found.action is Action.DENY

    assert [denied(path) for path in ("docs/login/a.md", "DESIGN.md", "docs/other.md")] == [False, False, True]


def test_a_person_may_let_it_pass() -> None:
    work = planned({"phase": "elaborate"}, ROOT)
    allowed = Allowance(id="a1", rule="workflow_guard", path="src/**")
    setting = Setting(
        workspace=Workspace(ROOT),
        policy=Policy(),
        rules=discover(),
        plan_root=ROOT,
        plan=work.plan,
        allowances=(allowed,),
    )
    call = ToolCall(id="t", tool="Write", action="write", paths=("src/a.py",))
    found = handle(
        (ToolProposed(session="s", key="k", cwd=ROOT, call=call),), MOMENTS[ToolProposed], MemoryStore(), setting
    )
    assert found is not None
    assert found.action < Action.DENY
