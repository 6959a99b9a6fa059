"""What an opaque shell line did: the work tree compared before it ran and after.

The look before is kept in a small file, for another process will answer when the line has ended.

Two looks tell that a file changed, not who changed it. What another call of this session or another session of the
project accounts for is left out. The rest is the line's own doing only where nobody else is likely: it came back within
seconds, and no other session was heard around it. Otherwise it may be the person's own edit, or another agent's script,
so nobody is told to undo it: only what the user forbade in so many words is still reported, with no call to blame. A
limit of the kind "only edit src/" is left out there too, for it binds the agent and not the person beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from leeboard.analysis.analyse import touches_of
from leeboard.clients.call import HookCall
from leeboard.io import clock
from leeboard.io.kept_looks import KeptLooks
from leeboard.model.event import FilesChanged, ToolFinished, ToolProposed
from leeboard.model.pattern import matches
from leeboard.model.session import Session
from leeboard.model.workspace import Workspace
from leeboard.text.area import is_test

GIT_SECONDS = 0.5
MOST_PATHS = 100
"""A line that changes more than this is a build or a checkout; the first ones tell of it well enough."""
REST_SECONDS = 600.0
"""How long a tree that took git too long is left alone."""
ALONE_SECONDS = 5.0
"""A line that takes longer gives a person the time to change something themselves."""
NEAR_SECONDS = 600.0
"""A session that was heard so shortly before the line began may still be at work."""

Others = Callable[[], Iterable[Session]]


class TreeWatch(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    """Where looks are kept."""
    workspace: Workspace

    def remember(self, call: HookCall) -> str:
        """Before a line runs: keep a look at the tree when nobody can tell what it will touch.

        Gives a note for the receipt when that could not be done.
        """
        proposed = next((event for event in call.events if isinstance(event, ToolProposed)), None)
        if proposed is None or proposed.call.action != "bash" or not self.workspace.root:
            return ""
        _touches, effects = touches_of(proposed.call, self.workspace, proposed.cwd)
        return self._keep_look(_key(call.session, proposed.call.id), proposed.time) if effects.opaque else ""

    def changes(self, call: HookCall, session: Session | None, others: Others = tuple) -> tuple[FilesChanged, ...]:
        """After it ran: the files it changed that nobody could predict and no other call accounts for.

        `others` gives the newest sessions of the project; it is only asked where something changed.
        """
        finished = next((event for event in call.events if isinstance(event, ToolFinished)), None)
        if finished is None or finished.call.action != "bash":
            return ()
        before = self._take_look(_key(call.session, finished.call.id))
        changed = self._changed_since(before) if before is not None else ()
        if before is None or not changed:
            return ()
        near = [other for other in others() if other.id != call.session and is_near(other, before.time)]
        touches, _effects = touches_of(finished.call, self.workspace, finished.cwd)
        known = {touch.path for touch in touches}.union(*(accounted_for(one) for one in (session, *near)))
        alone = not near and finished.time - before.time <= ALONE_SECONDS
        left = (path for path in changed if path not in known and (alone or _is_forbidden(path, session)))
        blamed = finished.call.id if alone and not _others_open(session, finished.call.id) else ""
        return _told(finished, tuple(left)[:MOST_PATHS], blamed)

    def _changed_since(self, before: TreeLook) -> tuple[str, ...]:
        from leeboard.io.git import ask as git  # noqa: PLC0415 - starts processes, which most hook calls never do

        after = git.fingerprint(self.workspace.root, GIT_SECONDS)
        if after is None or before.root != after.root:
            return ()
        return git.changed_between(git.TreeFingerprint(before.root, before.files), after)

    @property
    def _looks(self) -> KeptLooks:
        return KeptLooks(self.folder)

    def _take_look(self, key: str) -> TreeLook | None:
        kept = self._looks.take(key)
        try:
            return msgspec.json.decode(kept, type=TreeLook) if kept else None
        except ValueError:
            return None

    def _keep_look(self, key: str, time: float) -> str:
        from leeboard.io.git import ask as git  # noqa: PLC0415 - as above

        resting = f"slow {self.workspace.root}"
        if self._looks.age(resting) < REST_SECONDS:
            return ""
        began = clock.now()
        seen = git.fingerprint(self.workspace.root, GIT_SECONDS)
        if seen is None:
            self._looks.keep(resting, b"")
            slow = clock.now() - began >= GIT_SECONDS
            return "git took too long to look at the work tree" if slow else "the work tree is no git repository"
        files = {name: look for name, look in seen.files.items() if _is_text(name)}
        self._looks.keep(key, msgspec.json.encode(TreeLook(root=seen.root, files=files, time=time)))
        return ""


class TreeLook(msgspec.Struct, frozen=True, kw_only=True):
    """A fingerprint of git, as it is kept."""

    root: str
    files: dict[str, tuple[int, int]]
    time: float = 0.0


def _told(finished: ToolFinished, paths: tuple[str, ...], call: str) -> tuple[FilesChanged, ...]:
    changed = FilesChanged(
        session=finished.session,
        key=f"files:{finished.call.id}",
        agent=finished.agent,
        cwd=finished.cwd,
        time=finished.time,
        paths=paths,
        call=call,
    )
    return (changed,) if paths else ()


def accounted_for(session: Session | None) -> set[str]:
    """Paths that were judged when some call was about to change them."""
    agents = session.agents if session else ()
    marked = {mark.path for agent in agents for mark in agent.marks}
    return marked | {path for agent in agents for call in agent.open_calls for path in call.modifies}


def _others_open(session: Session | None, call: str) -> bool:
    agents = session.agents if session else ()
    return any(known.id != call for agent in agents for known in agent.open_calls)


def is_near(session: Session, began: float) -> bool:
    """Whether that session may have worked while the line ran."""
    return session.updated >= (began - NEAR_SECONDS if session.status == "active" else began)


def _is_forbidden(path: str, session: Session | None) -> bool:
    limits = session.contract.constraints if session else ()
    return any(
        limit.kind == "forbid" and (matches(path, limit.patterns) or ("tests" in limit.areas and is_test(path)))
        for limit in limits
    )


def _is_text(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _key(session: str, call: str) -> str:
    return f"{session}/{call}"
