"""The self-test at the start of a session: a line that must never pass is judged, and has to be refused.

It is judged in memory, by the rules that hold without any history and the defaults of the profile, so that neither
settings nor a damaged store decide about it. What it shows is that this installation can judge: its tables are there,
its rules load, and a refusal comes out. It leaves a heartbeat; one that is missing is said.
"""

from __future__ import annotations

from leeboard.app.handle import RunSetting, handle
from leeboard.io import clock
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.verdict import Action, Moment
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore

LINE = "leeboard uninstall"
_ASKED = Moment(kind="before_call", actions=(Action.ALLOW, Action.DENY))


def canary_trouble(root: str) -> str:
    """What is wrong with judging here; empty where the line was refused."""
    call = ToolCall(id="canary", tool="Bash", action="bash", command=LINE)
    event = ToolProposed(session="canary", key="call:canary", cwd=root, time=clock.now(), call=call)
    few = tuple(one for one in discover() if one.traits.needs_no_history)
    verdict = handle((event,), _ASKED, MemoryStore(), RunSetting(workspace=Workspace(root), policy=Policy(), rules=few))
    if verdict is not None and verdict.action is Action.DENY:
        return ""
    return "the self-test failed: a line that must be refused was let pass; `leeboard doctor` says more"
