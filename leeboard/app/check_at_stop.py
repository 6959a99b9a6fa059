"""The work tree as an agent leaves it, compared once more when it stops.

An edit is judged before it happens, a script's doing after it. What neither showed (a budget that ran out, a package
that came in, commits on the way) is seen here, and goes through the same judge: one voice, said once.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.app.check import Look, observe
from leeboard.app.handle import handle
from leeboard.app.promise import promised
from leeboard.app.world import Setting
from leeboard.clients.call import Call
from leeboard.errors import LeeboardError
from leeboard.io.work_tree import BaseTexts
from leeboard.model.digest import digest
from leeboard.model.event import Event, Stopped, TreeChecked
from leeboard.model.lookup import Store
from leeboard.model.session import Session
from leeboard.model.verdict import Moment, Verdict

GIT_SECONDS = 2.0


class TreeAtStop(msgspec.Struct, frozen=True, kw_only=True):
    """A tree that was compared, and the events of the hook that comes with it."""

    seen: TreeChecked
    events: tuple[Event, ...]
    setting: Setting

    def judge(self, moment: Moment, store: Store, slipped: tuple[Event, ...] = ()) -> Verdict | None:
        """`slipped` is what changed although it must not: it goes first."""
        base = BaseTexts(self.seen.change.root, self.seen.change.base)
        setting = replace(self.setting, tree=replace(self.setting.tree, base=base))
        try:
            return handle((*slipped, self.seen, *self.events), moment, store, setting)
        finally:
            base.close()


def tree_at_stop(call: Call, session: Session | None, setting: Setting, env: Mapping[str, str]) -> TreeAtStop | None:
    """None where the agent did nothing yet, is kept going already, or nobody can tell what it works on."""
    stopped = next((event for event in call.events if isinstance(event, Stopped)), None)
    if stopped is None or stopped.already_blocked or session is None or not session.scored:
        return None
    try:
        promise = promised(setting.workspace.root, env, for_agent=True)
        if promise.held is None or not promise.held.contract.is_explicit:
            return None
        seen = observe(promise, Look(git_seconds=GIT_SECONDS))
    except LeeboardError as error:
        raise RuntimeError(str(error)) from error  # of this look alone: the hook goes on and notes it
    placed = replace(
        seen,
        session=call.session,
        key=f"tree:{digest(seen.change.digest + repr(promise.held.table), 12)}",
        agent=stopped.agent,
        cwd=stopped.cwd,
        time=stopped.time,
    )
    return TreeAtStop(seen=placed, events=call.events, setting=setting)
