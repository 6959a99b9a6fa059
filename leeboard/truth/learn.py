"""What an agent knows of files once a call of it has come back.

A read shows lines, a write leaves a file as it is now. What a command did without saying so is the agent's own doing
where the command was short and nobody else of the session could have written; the agent is then taken to know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.known import COUNTED, LANDED, UNRETURNED, Disk, FileState, Knowledge, Known, Ranges, Stamp
from leeboard.model.session import OpenCall
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started, Touch
from leeboard.model.truth import ABSENT
from leeboard.model.world import World
from leeboard.shell.effects import may_change, shell_effects
from leeboard.shell.options import PROGRAMS
from leeboard.shell.programs.table import name_of
from leeboard.shell.programs.wrappers import SHELLS
from leeboard.text.words import cut, on_one_line
from leeboard.truth.beforehand import MOST_FILES, overwritten
from leeboard.truth.cause import ALONE_SECONDS, is_during
from leeboard.truth.change import carried, concerns, holds, seen_again, whole, without_text
from leeboard.truth.state import MOST_RANGES, joined, lines_of, row_of, shown_in, state_of, unnumbered

_SEARCHES = frozenset({"grep", "glob", "ls", "list", "search_file_content", "grep_search", "list_directory"})
_GIT_WRITES = lazy(
    r"git (?:am|apply|bisect|checkout|cherry-pick|commit|merge|mv|pull|rebase|reset|restore|revert|rm|stash|switch)"
)


def learned(world: World, knowledge: Knowledge) -> tuple[Known, ...]:
    """The rows a finished call changes. `world` is as it was before the call came back."""
    event = world.analysis.event
    disk = knowledge.disk
    if not isinstance(event, ToolFinished) or disk is None or not world.secret_key:
        return ()
    if event.outcome == "denied" or (event.outcome == "failed" and event.call.action != "bash"):
        return ()
    return (*_Lesson(world, event, knowledge, disk).rows(), *overwritten(world, event, knowledge))


class _Lesson:
    """One call that came back."""

    def __init__(self, world: World, event: ToolFinished, knowledge: Knowledge, disk: Disk) -> None:
        self._world = world
        self._event = event
        self._knowledge = knowledge
        self._disk = disk
        calls = world.session.agent(event.agent).open_calls
        self._call = next((one for one in calls if one.id == event.call.id), None)

    def rows(self) -> Iterator[Known]:
        touched: dict[str, Touch] = {}
        for touch in self._world.analysis.touches:  # the last thing that is done to a file counts
            if touch.modifies or touch.path not in touched:
                touched[touch.path] = touch
        found: dict[str, Known] = {}
        for touch in touched.values() if self._event.call.action != "other" else ():
            row = self._written(touch) if touch.modifies else self._read(touch.path)
            found |= {touch.path: row} if row is not None else {}
        yield from found.values()
        if self._world.analysis.unsure:
            modified = tuple(path for path, touch in touched.items() if touch.modifies)
            yield from self._unnamed(modified, found)

    def _read(self, path: str) -> Known | None:
        call = self._event.call
        if call.tool.lower() in _SEARCHES or self._event.outcome != "done":
            return None
        known = self._knowledge.known(self._event.agent, path)
        now = self._now(path, known)
        if now is not None:
            return self._shown(path, now, known)
        other = without_text(path, self._disk) if known else None
        if other is not None:
            return self._row(path, other, whole(other), known)
        shows_it = call.action == "read" or self._world.analysis.programs == ("cat",)
        gone = shows_it and self._disk.look(path) == () and bool(self._event.output) and self._call is not None
        return self._as_shown(path) if gone and known is None else None

    def _shown(self, path: str, now: FileState, known: Known | None) -> Known | None:
        call = self._event.call
        seen = shown_in(lines_of(self._disk.text(path) or ""), self._event.output, call.span)
        heard = known.told.removesuffix(COUNTED) if known else ""
        was_told = heard == now.digest and not seen  # a client says: it is as you know it
        if call.action == "read" and (was_told or path.endswith(".ipynb")):
            return self._row(path, now, whole(now), known)
        if known is not None and known.digest != now.digest:
            return self._read_again(known, now, seen) if seen or not now.count else None
        if self._is_changed_meanwhile(path, now, seen):
            return self._as_shown(path)
        before = known.seen if known else ()
        return self._row(path, now, joined(before, seen), known) if seen or known or not now.count else None

    def _read_again(self, known: Known, now: FileState, seen: Ranges) -> Known | None:
        """What is known of a file that has changed since: what is stale stays so until it was shown."""
        all_seen = seen_again(known, now, seen)
        return None if all_seen is None else self._row(known.path, now, all_seen, known)

    def _is_changed_meanwhile(self, path: str, now: FileState, seen: Ranges) -> bool:
        """Whether somebody changed it while the agent looked: it may have been shown what is no longer there."""
        stamp, began = self._disk.look(path), self._call.began if self._call else 0.0
        if not stamp or not began or stamp[2] / 1e9 < began or not self._event.is_live:
            return False
        first, last = self._event.call.span
        asked = ((max(first, 1), min(last or now.count, now.count)),)
        own = self._world.analysis.unsure or self._is_written_by_sibling(path)
        return not own and not (holds(asked, seen) and self._event.call.action == "read") and seen != whole(now)

    def _as_shown(self, path: str) -> Known:
        """As the agent was shown it, where that can be told to be all of it."""
        lines = list(unnumbered(self._event.output))
        shown = state_of("\n".join(lines), self._world.secret_key)
        if self._event.call.span != (0, 0) or self._world.analysis.programs not in {(), ("cat",)}:
            shown = replace(shown, lines=b"", count=max(len(lines), 1))
        return replace(self._row(path, shown, whole(shown), None), stamp=())

    def _written(self, touch: Touch) -> Known | None:
        """A row only where there is one already, if it is told late: the file may have been changed since."""
        path = touch.path
        known = self._knowledge.known(self._event.agent, path)
        if not self._event.is_live and known is None:
            return None
        now = self._now(path)
        if now is None and self._disk.look(path) == () and touch.kind == "delete":
            return self._row(path, FileState(digest=ABSENT), (), None, wrote=True)
        if now is None and (self._event.after is None or self._disk.no_text(path)):
            is_still_gone = known is not None and known.digest == ABSENT and self._disk.look(path) == ()
            return replace(known, seen=(), digest="", count=1, lines=b"") if known and not is_still_gone else None
        if now is None or self._event.after is not None:
            return self._left(path, now, known)
        seen = self._mine(path, now, known)
        row = self._row(path, now, seen, known, wrote=True)
        return self._by_git(row, known, now) if touch.kind == "restore" else row

    def _left(self, path: str, now: FileState | None, known: Known | None) -> Known:
        """The client has told how it left the file: whatever else is there by now is somebody else's."""
        left, beside = state_of(self._event.after or "", self._world.secret_key), self._is_written_by_sibling(path)
        if known is not None and beside and self._is_over_unknown(known, now):
            found = now is not None and known.told == f"{now.digest}{LANDED}"
            return known if found else replace(known, told=f"{left.digest}{LANDED}")
        mine = {left.digest, known.told.removesuffix(LANDED) if known else ""}
        if now is not None and (now.digest in mine or beside):
            return self._row(path, now, self._mine(path, now, known), known, wrote=True)
        if now is not None and known is not None and known.wrote and known.digest == now.digest:
            return known  # the result of a call that ran beside this one came first
        row = self._row(path, left, self._mine(path, left, known), known, wrote=True)
        return replace(row, stamp=())

    def _is_over_unknown(self, known: Known, now: FileState | None) -> bool:
        """It was written over what the agent did not know. The call beside it will tell whether that was its doing."""
        if self._event.before is None or not known.digest or (now is not None and now.digest == known.digest):
            return False
        heard = known.told.removesuffix(COUNTED)
        return state_of(self._event.before, self._world.secret_key).digest not in {known.digest, heard}

    def _is_written_by_sibling(self, path: str) -> bool:
        own = self._world.session.agent(self._event.agent)
        others = (one for one in own.open_calls if one.id != self._event.call.id and one.turn == own.turn)
        return any(path in one.modifies for one in others)

    def _mine(self, path: str, now: FileState, known: Known | None) -> Ranges:
        """What the agent has seen of a file it wrote: what it saw before, and what it sent."""
        if self._event.call.action == "write":
            return whole(now)
        before = carried(known, now, inner=True) if known else self._moved_along(now)
        text = self._event.after if self._event.after is not None else self._disk.text(path) or ""
        call = self._event.call
        sent = "\n".join((*(edit.new for edit in call.edits), call.command, self._event.output))
        return joined(before, shown_in(lines_of(text), sent))

    def _moved_along(self, now: FileState) -> Ranges:
        """What was seen of a file that the line has moved or copied here."""
        agent = self._event.agent
        known = (self._knowledge.known(agent, touch.path) for touch in self._world.analysis.touches)
        return next((one.seen for one in known if one and one.digest == now.digest), ())

    def _unnamed(self, modified: tuple[str, ...], found: Mapping[str, Known]) -> Iterator[Known]:
        """Files of the session that changed while the call ran, though it does not say that it changes them."""
        began = self._call.began if self._call else 0.0
        if not began:
            return
        known = self._knowledge.newest_known(MOST_FILES)
        folders = tuple(f"{path}/" for path in modified)
        for path in dict.fromkeys(one.path for one in known):
            stamp = self._disk.look(path) if path not in modified else None
            below = path.startswith(folders)
            if stamp is None or not (below or is_during(stamp, began)):
                continue
            row = self._changed_by_line(path, stamp, began, below=below)
            read = found.get(path)
            if row is not None and (read is None or read.digest == row.digest):
                yield replace(row, seen=joined(row.seen, read.seen)[:MOST_RANGES]) if read else row

    def _changed_by_line(self, path: str, stamp: Stamp, began: float, *, below: bool) -> Known | None:
        """`below`: it lies in a folder that the line names, and moves, removes or writes."""
        own = self._knowledge.known(self._event.agent, path)
        knew = own is not None and bool(own.seen or own.is_whole)
        if own is not None and knew and own.stale:
            return None
        if not knew and not (is_during(stamp, began) if stamp else below):
            return None  # who never saw the file has only its times to go by, and one that is gone has none
        now = (self._now(path) or without_text(path, self._disk)) if stamp else FileState(digest=ABSENT)
        if now is None or (own and own.digest == now.digest) or self._is_others(path, now, own):
            return None
        moved = self._disk.committed((path,), began) if self._uses_git and stamp else {}
        if not moved and not below and not self._is_alone(began):
            return self._beside(own) if own else None
        seen = carried(own, now, inner=True) if own else ()
        row = self._row(path, now, seen, own, wrote=True)
        return self._by_git(row, own, now) if self._uses_git else row

    def _beside(self, own: Known) -> Known:

        if own.beside and not own.beside.startswith(UNRETURNED):
            return own
        return replace(own, beside=what_ran(self._world, self._event))

    @property
    def _uses_git(self) -> bool:
        return any(map(_GIT_WRITES.match, self._world.analysis.programs))

    def _is_alone(self, began: float) -> bool:
        """Short, and no other agent of the session could have done it."""
        session = self._world.session
        others = (call for state in session.agents if state.id != self._event.agent for call in state.open_calls)
        busy = any(_writes(call) for call in others if call.exchange == session.exchange)  # others were interrupted
        return not busy and self._event.time - began <= ALONE_SECONDS

    def _is_others(self, path: str, now: FileState, own: Known | None) -> bool:
        """Whether somebody else is known to have left it so, since this agent knew it."""
        since, me = own.time if own else 0.0, (self._event.session, self._event.agent)
        found = self._knowledge.writers(path, now.digest)
        return any(one.time >= since and (one.session, one.agent) != me for one in found)

    def _by_git(self, row: Known, known: Known | None, now: FileState) -> Known:
        """The agent has ordered the change and not seen it."""
        if known is None or not known.seen or not concerns(known, now):
            return row
        was = known.was or known.digest
        return replace(row, was="" if was == now.digest else was)

    def _now(self, path: str, known: Known | None = None) -> FileState | None:
        """A file that looks as it did when it was known is as it was."""
        if known and known.stamp and known.stamp == self._disk.look(path):
            return FileState(digest=known.digest, plain=known.plain, lines=known.lines, count=known.count)
        text = self._disk.text(path)
        return None if text is None else state_of(text, self._world.secret_key)

    def _row(self, path: str, now: FileState, seen: Ranges, known: Known | None, *, wrote: bool | None = None) -> Known:
        """`wrote` not given: as it was, while the file is the same."""
        mine = known is not None and known.wrote and known.digest == now.digest
        return row_of(self._event, self._disk, path, now, seen, wrote=mine if wrote is None else wrote)


def _writes(call: OpenCall) -> bool:
    return call.action in {"edit", "write"} or call.unsure or (call.action == "bash" and bool(call.modifies))


# What of the agent's own ran while a file changed: the program of its line that may have done it, else the line.


_NAME_ROOM = 40
_HANDS_ON = frozenset({*PROGRAMS.wrappers, "eval", "xargs"})
"""What they run stands behind them in the list of what the line starts."""
_CODE_OPTION = lazy(r"-[A-Za-z]*c\Z")
_WRITES_NOTHING = frozenset(
    """
    : alias break continue declare disown exit false getopts hash jobs kill let local mapfile popd pushd read
    readarray readonly return set shift shopt trap typeset ulimit umask unalias unset wait
    """.split()
)
_WRITES_WHAT_IT_NAMES = frozenset("chmod chown cp install ln mkdir mv rm rmdir tee touch truncate unlink".split())
_ACTIVATES = lazy(r"(?:^|/)activate(?:\.\w+)?\Z")


def what_ran(world: World, event: ToolFinished) -> str:
    """A tool that is no shell goes by its own name."""
    call = event.call
    said = (_of_line(world, event) if call.action == "bash" else "") or call.tool
    return cut(on_one_line(said), _NAME_ROOM)


def _of_line(world: World, event: ToolFinished) -> str:
    call = event.call
    started = [one for one in shell_effects(call.command, event.cwd).started if _may_write(one, call)]
    first = next((one for one in started if _program(one) not in _WRITES_WHAT_IT_NAMES), next(iter(started), None))
    return (_name(first) if first else "") or " ".join(world.analysis.command.split())


def _may_write(started: Started, call: ToolCall) -> bool:
    program = _program(started)
    if program in _WRITES_NOTHING or _hands_on(started, program):
        return False
    if program == "find":
        return "-delete" in started.words
    if program in {".", "source"}:
        return len(started.words) > 1 and not _ACTIVATES.search(started.words[1])
    return may_change(call, ShellEffects(programs=(_name(started) or program,)))


def _hands_on(started: Started, program: str) -> bool:
    if program in SHELLS:
        return bool(started.handed) or any(map(_CODE_OPTION.match, started.words[1:]))
    runs_next = PROGRAMS.runs_next.get(program, {})
    return program in _HANDS_ON or any(word in runs_next for word in started.words[1:2])


def _program(started: Started) -> str:
    return started.words[0].rpartition("/")[2]


def _name(started: Started) -> str:
    return name_of(list(started.words))
