"""A session, a disk and what its agents know, put together by hand: for what goes by the clock."""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.analysis.analyse import analyse
from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed
from leeboard.model.known import Known, NoText, Stamp
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, OpenCall, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import World

ROOT = "/repo"
KEY = b"k" * 32
BEGAN = 1_000.0


class HeldDisk:
    """Files with the times they changed at. A commit is as told."""

    root = ROOT

    def __init__(self, files: Mapping[str, tuple[str, float]], commits: Mapping[str, str] | None = None) -> None:
        self.files = dict(files)
        self.commits = dict(commits or {})
        self.moved_at = 0.0
        self.kinds: dict[str, NoText] = {}

    def look(self, path: str) -> Stamp | None:
        if path not in self.files:
            return ()
        text, time = self.files[path]
        return len(text), int(time * 1e9), int(time * 1e9), 1

    def look_again(self) -> None:
        """It is always looked up."""

    def settled(self, stamp: Stamp) -> bool:
        return bool(stamp)

    def text(self, path: str) -> str | None:
        return self.files[path][0] if path in self.files and path not in self.kinds else None

    def no_text(self, path: str) -> NoText | None:
        return self.kinds.get(path)

    def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
        return frozenset(path for path in paths if path.startswith("dist/"))

    def committed(self, paths: tuple[str, ...], since: float) -> Mapping[str, str]:
        moved = {path for path in self.files if self.files[path][1] >= since}
        return {path: commit for path, commit in self.commits.items() if path in paths and path in moved}

    def head_moved(self, since: float) -> bool:
        return self.moved_at > since


class HeldKnowledge:
    def __init__(self, disk: HeldDisk, *rows: Known) -> None:
        self.disk = disk
        self.rows = {(row.session, row.agent, row.path): row for row in rows}

    def keep(self, rows: tuple[Known, ...]) -> None:
        self.rows |= {(row.session, row.agent, row.path): row for row in rows}

    def known(self, agent: str, path: str) -> Known | None:
        return self.rows.get(("s", agent, path))

    def newest_known(self, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        own = (row for row in self.rows.values() if row.session == "s" and agent in {None, row.agent})
        return tuple(own)[:limit]

    def writers(self, path: str, digest: str) -> tuple[Known, ...]:
        return tuple(row for row in self.rows.values() if row.wrote and (row.path, row.digest) == (path, digest))


def world_of(event: Event, *calls: OpenCall, others: tuple[AgentState, ...] = ()) -> World:
    """Before the event: these calls are open."""
    agent = AgentState(id=event.agent, turn=1, open_calls=calls)
    return World(
        session=Session(id="s", root=ROOT, agents=(agent, *others)),
        agent=agent,
        analysis=analyse(event, Workspace(ROOT)),
        policy=Policy(),
        workspace=Workspace(ROOT),
        secret_key=KEY,
    )


def read_done(path: str, output: str, time: float = BEGAN) -> ToolFinished:
    call = ToolCall(id="r", tool="Read", action="read", paths=(path,))
    return ToolFinished(session="s", call=call, outcome="done", output=output, time=time, cwd=ROOT)


def bash_call(command: str) -> ToolCall:
    return ToolCall(id="b", tool="Bash", action="bash", command=command)


def bash_done(command: str, time: float, output: str = "") -> ToolFinished:
    return ToolFinished(session="s", call=bash_call(command), outcome="done", output=output, time=time, cwd=ROOT)


def bash_proposed(command: str, time: float) -> ToolProposed:
    return ToolProposed(session="s", call=bash_call(command), time=time, cwd=ROOT)


def open_bash(began: float, *, opaque: bool = True) -> OpenCall:
    return OpenCall(id="b", action="bash", turn=1, opaque=opaque, unsure=opaque, began=began)
