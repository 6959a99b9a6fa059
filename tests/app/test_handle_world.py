"""The one builder of the world."""

from __future__ import annotations

import ast
from pathlib import Path

import leeboard
from leeboard.app.handle import RunSetting, world_of
from leeboard.model.contract import Contract, Held
from leeboard.model.event import Stopped
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis

PACKAGE = Path(leeboard.__file__).parent


def test_the_world_is_that_of_the_agent_which_acts() -> None:
    helper = AgentState(id="helper", turn=3)
    session = Session(id="s", agents=(AgentState(turn=1), helper))
    held = Held(root="/repo", contract=Contract(touch=("src/**",)))
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(profile="enforce"), held=held, secret_key=b"k")
    world = world_of(Analysis(event=Stopped(session="s", agent="helper")), session, setting)
    assert (world.agent, world.session, world.contract) == (helper, session, session.contract)
    assert (world.workspace, world.policy, world.held, world.secret_key) == (
        setting.workspace,
        setting.policy,
        held,
        b"k",
    )
    assert (world.plan_root, world.plan, world.unit, world.allowances) == ("", None, None, ())


def test_nobody_else_builds_a_world() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "World"
    }
    assert found == {"app/handle.py"}
