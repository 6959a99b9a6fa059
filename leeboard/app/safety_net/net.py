"""The net under one hook call: what was noted is compared, what is gone is told, and what changed is noted anew.

What changes while a call of an agent is open may be its doing, and is looked at when the call has ended. What changes
while none is open is the person's own, and is taken as it is. The answer waits for the comparison alone; all that is
written follows it, but for one thing: what the person changed before a call is accounted for before it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.app.guard.watch import Running
from leeboard.app.safety_net.note import (
    Look,
    NotedFile,
    NotedRefs,
    WorkNote,
    add_pause,
    changed_files,
    note_lock,
    read_note,
    refs_moved,
    write_note,
)
from leeboard.clients.call import HookCall
from leeboard.io import clock
from leeboard.io.system import expanduser
from leeboard.model.event import FilesChanged, SessionStarted, ToolFinished, ToolProposed
from leeboard.model.lookup import Store
from leeboard.model.session import Session
from leeboard.model.text import digest
from leeboard.model.unsaved import BY_GIT, LostWork
from leeboard.model.workspace import placed
from leeboard.settings.settings import KeepSettings

if TYPE_CHECKING:
    from leeboard.app.guard.look import OpaqueCall
    from leeboard.app.safety_net.losses import GoneFile, GoneRef

LONG_SECONDS = 600.0
"""A call of another session that began longer ago will not come back any more."""
AGAIN_SECONDS = 2.0
"""What changed is copied anew at the earliest after so long."""
_ENDS = ("after_call", "call_failed")
_PAUSES = ("batch_end", "stop", "agent_stop")

Update = tuple[NotedFile, Look]


class SafetyNet:
    """`compare` before the answer, `settle` after it."""

    def __init__(self, call: HookCall, root: str, limits: KeepSettings, env: Mapping[str, str]) -> None:
        self._call = call
        self._root = root
        self._limits = limits
        self._env = env
        self._note: WorkNote | None = None
        self._seen: list[Update] = []
        self._lost: set[bytes] = set()
        self._refs: NotedRefs | None = None
        self._pause: tuple[float, float] | None = None

    def heard(self, session: Session | None) -> None:
        """First of all: when the session last gave a sign of life, as it was before this hook."""
        if self.speaks and session is not None and session.updated:
            self._pause = (session.updated, self._time)

    def compare(self, store: Store, running: Running) -> tuple[FilesChanged, ...]:
        """What of the person's work is gone since the last hook, through an agent's doing."""
        self._note = note = read_note(self._root)
        if note is None:
            return ()
        self._seen = changed_files(note)
        moved = refs_moved(note.refs)
        if not self._seen and not moved:
            return ()
        if self._may_blame(running):
            return self._losses(note, store, running, moved=moved)
        if (running.lines and not self.speaks) or self._others():
            self._seen = []  # another call is still open: it is told when that has ended
            return ()
        if moved:
            from leeboard.app.safety_net.keep import noted_refs  # noqa: PLC0415 - only where a branch or stash changed
            from leeboard.app.safety_net.note import look_at_refs  # noqa: PLC0415 - as above

            self._refs = noted_refs(self._root, look_at_refs(self._root))
        if self._call.kind == "before_call":
            self._account()
        return ()

    def settle(self) -> None:
        """After the answer: note what was seen, and have the rest noted in the background where it is time for that."""
        from leeboard.app.safety_net.keep import start_noting  # noqa: PLC0415 - only where something is to be noted

        changed = bool(self._seen)
        self._account()
        if self._pause is not None and self._note is not None:
            add_pause(self._root, self._call.session, *self._pause)
        noted = self._note.time if self._note else 0.0
        if self._begins or self.speaks or (changed and self._time - noted >= AGAIN_SECONDS):
            start_noting(self._root, self._limits, self._env)

    @property
    def is_due(self) -> bool:
        """Whether there is anything to settle."""
        return bool(self._seen or self._refs or self._begins or self.speaks)

    @property
    def _time(self) -> float:
        return self._call.events[-1].time if self._call.events else clock.now()

    @property
    def speaks(self) -> bool:
        """Whether the person has just spoken."""
        return self._call.kind == "prompt" and not self._call.agent

    @property
    def _begins(self) -> bool:
        reasons = [event.reason for event in self._call.events if isinstance(event, SessionStarted)]
        return self._call.kind == "start" and not self._call.agent and "compact" not in reasons

    @property
    def _finished(self) -> ToolFinished | None:
        return next((event for event in self._call.events if isinstance(event, ToolFinished)), None)

    def _may_blame(self, running: Running) -> bool:
        if self._call.kind in _ENDS:
            done = self._finished
            return done is not None and any(line.id == done.call.id for line in running.lines)
        return self._call.kind in _PAUSES and bool(running.lines or running.behind)

    def _others(self) -> tuple[OpaqueCall, ...]:
        """Calls of other sessions that are open in this work tree."""
        from leeboard.app.guard.look import kept_looks  # noqa: PLC0415 - only where something looks different

        since = self._time - LONG_SECONDS
        looks = (look for look in kept_looks() if look.root == self._root and look.session != self._call.session)
        return tuple(line for look in looks for line in look.lines if line.began >= since)

    def _losses(self, note: WorkNote, store: Store, running: Running, *, moved: bool) -> tuple[FilesChanged, ...]:
        from leeboard.app.safety_net.losses import LossSearch  # noqa: PLC0415 - only where something looks different
        from leeboard.app.safety_net.whose import Whose  # noqa: PLC0415 - as above

        search = LossSearch(self._root, note.time, self._moved_to())
        whose = Whose(self._root, store.session(self._call.session))
        files = [one for one in search.gone_files(self._seen) if not whose.is_own(one.file)]
        self._lost = {one.file.path for one in files}
        refs: tuple[GoneRef, ...] = ()
        if moved:
            self._refs, refs = search.gone_refs(note.refs)
            refs = tuple(one for one in refs if not self._has_committed(one, store))
        if not files and not refs:
            return ()
        from leeboard.app.safety_net.put_back import record_losses  # noqa: PLC0415 - only where something is gone

        running = replace(running, lines=(*self._others(), *running.lines))
        line = running.words
        noted = [one.file for one in files]
        record_losses(self._root, noted, refs, self._time, line)  # before the rule is asked whether it is still missed
        lost = (
            *(_lost_file(one, self._time) for one in files),
            *(LostWork(kind=one.kind, name=one.name, how=one.how, kept=BY_GIT, back=one.commit[:10]) for one in refs),
        )
        return (self._event(lost, running),)

    def _has_committed(self, ref: GoneRef, store: Store) -> bool:
        from leeboard.analysis.stood import MOST_LINES, were_committed  # noqa: PLC0415 - as above

        rows = store.newest(self._call.session, "committing", MOST_LINES)
        return bool(ref.times) and were_committed(ref.times, rows)

    def _event(self, lost: tuple[LostWork, ...], running: Running) -> FilesChanged:
        line = running.lines[-1] if running.lines else None
        names = repr([(one.kind, one.name, one.back) for one in lost])
        return FilesChanged(
            session=self._call.session,
            key=f"gone:{digest(f'{self._time} {names}', 8)}",
            agent=line.agent if line else self._call.agent,
            cwd=self._call.cwd,
            time=self._time,
            paths=(),
            call=line.id if line and len(running.lines) == 1 else "",
            line=running.words,
            lost=lost,
        )

    def _moved_to(self) -> tuple[str, ...]:
        """Where the line says that it puts things, outside of the work tree too."""
        from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - only where something looks different

        done = self._finished or next((one for one in self._call.events if isinstance(one, ToolProposed)), None)
        if done is None or done.call.action != "bash":
            return ()
        touches = shell_effects(done.call.command, done.cwd).touches
        named = (expanduser(touch.path) for touch in touches if touch.kind == "write")
        return tuple(placed(done.cwd or self._root, path) for path in named)

    def _account(self) -> None:
        """Keep how the files look now: what a later look is compared with."""
        if not self._seen and self._refs is None:
            return
        theirs = self._call.kind not in _ENDS
        seen = {file.path: look for file, look in self._seen}
        with note_lock(self._root):
            note = read_note(self._root)
            if note is not None:
                files = _accounted(note.files, seen, self._lost, theirs=theirs)
                write_note(replace(note, files=tuple(files), refs=self._refs or note.refs))
        self._seen, self._refs = [], None


def _accounted(
    files: Iterable[NotedFile], seen: Mapping[bytes, Look], lost: set[bytes], *, theirs: bool
) -> Iterable[NotedFile]:
    for file in files:
        if file.path in lost:
            continue
        if file.path in seen:
            yield replace(file, look=seen[file.path], stale=True, theirs=file.theirs or theirs)
        else:
            yield file


def _lost_file(gone: GoneFile, now: float) -> LostWork:
    from shlex import quote  # noqa: PLC0415 - only where something is gone

    from leeboard.app.safety_net.copies import copy_id  # noqa: PLC0415 - as above

    file = gone.file
    return LostWork(
        kind="file" if file.state == "untracked" else "changes",
        name=file.name,
        how=gone.how,
        kept=clock.hour(file.copied, now) if file.copied else "",
        uncopied=file.uncopied,
        back=quote(file.name) if file.name.isprintable() else copy_id(file.path, file.digest),
        in_place=gone.in_place,
    )
