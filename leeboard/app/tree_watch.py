"""What an opaque shell line did: the work tree compared before it ran and after.

The look before is kept in a small file, for another process will answer when the line has ended.

Two looks tell that a file changed, not who changed it. What another call of this session or another session of the
project accounts for is left out. The rest is the line's own doing only where nobody else is likely: it came back within
seconds, and no other session was heard around it. Otherwise it may be the person's own edit, or another agent's script,
so nobody is told to undo it: only what the user forbade in so many words is still reported, with no call to blame. A
limit of the kind "only edit src/" is left out there too, for it binds the agent and not the person beside it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from posixpath import join

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import touches_of
from leeboard.clients.call import HookCall
from leeboard.io import clock, places, system
from leeboard.io.file import read_regular
from leeboard.model.event import FilesChanged, ToolCall, ToolFinished, ToolProposed
from leeboard.model.session import Session
from leeboard.model.text import digest, matches
from leeboard.model.touch import Touch
from leeboard.model.workspace import Workspace
from leeboard.secrets.redaction import redact_start
from leeboard.text.language import is_test

GIT_SECONDS = 0.5
MOST_PATHS = 100
"""A line that changes more than this is a build or a checkout; the first ones tell of it well enough."""
REST_SECONDS = 600.0
"""How long a tree that took git too long is left alone."""
ALONE_SECONDS = 5.0
"""A line that takes longer gives a person the time to change something themselves."""
LINE_ROOM = 160
_READ_FOR_LINE = 2_000
NEAR_SECONDS = 600.0
"""A session that was heard so shortly before the line began may still be at work."""

_BESIDE_GIT = frozenset({"cat", "cd", "echo", "head", "ls", "pwd", "tail", "true"})

FOLDER = "trees"
"""Where looks are kept, in the state directory."""

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
        touches, effects = touches_of(proposed.call, self.workspace, proposed.cwd)
        named = _changed_by_name(touches)
        if effects.opaque:
            return self._keep_look(call.session, proposed, named)
        if named:
            self._keep_comments(call.session, proposed, named)
        return ""

    def changes(self, call: HookCall, session: Session | None, others: Others = tuple) -> tuple[FilesChanged, ...]:
        """After it ran: the files it changed that nobody could predict and no other call accounts for.

        `others` gives the newest sessions of the project; it is only asked where something changed.
        """
        finished = next((event for event in call.events if isinstance(event, ToolFinished)), None)
        if finished is None or finished.call.action != "bash":
            return ()
        before = self._take_look(_key(call.session, finished.call.id))
        changed = self._changed_since(before) if before is not None and before.by_git else ()
        touches, effects = touches_of(finished.call, self.workspace, finished.cwd)
        named = _changed_by_name(touches)
        if not changed and not named:
            return ()
        by_git = all(name.startswith("git ") or name in _BESIDE_GIT for name in effects.programs)
        began = before.time if before is not None else finished.time
        near = [other for other in others() if other.id != call.session and is_near(other, began)] if changed else []
        found: tuple[FilesChanged, ...] = ()
        if before is not None and changed:
            known = {touch.path for touch in touches}.union(*(accounted_for(one) for one in (session, *near)))
            alone = not near and finished.time - before.time <= ALONE_SECONDS
            left = (path for path in changed if path not in known and (alone or _is_forbidden(path, session)))
            blamed = finished.call.id if alone and not _others_open(session, finished.call.id) else ""
            told = _told(finished, tuple(left)[:MOST_PATHS], blamed, by_git=by_git)
            earlier = tuple(path for path in told.paths if path in before.files)
            found = (replace(told, changed_before=earlier),) if told.paths else ()
        theirs = set[str]().union(*map(accounted_for, near))
        by_script = () if by_git else changed  # what a commit or a stash holds was written before
        paths = (*named, *(path for path in by_script if path not in theirs))
        return (*found, *self._comments_brought(finished, session, before, paths, named))

    def _comments_brought(
        self,
        finished: ToolFinished,
        session: Session | None,
        before: TreeLook | None,
        paths: tuple[str, ...],
        named: tuple[str, ...],
    ) -> tuple[FilesChanged, ...]:
        """Comments that let a finding stand, in files that this line changed by name or in any other way."""
        if before is None and not _is_open(session, finished.call.id):
            return ()  # nobody was asked before it ran, and so nobody knows what was there
        from leeboard.app.brought_comments import brought  # noqa: PLC0415 - only where a line changed files

        was = before or TreeLook(root=self.workspace.root, files={})
        places = brought(self.workspace.root, paths, was.comments, (*was.files, *named), finished.call.command)
        told = replace(_told(finished, (), ""), key=f"comments:{finished.call.id}", comments=places)
        return (replace(told, line=f"while `{line_text(finished.call)}` ran"),) if places else ()

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

    def forget(self, session: str) -> None:
        """A session has ended: what it had begun never comes back."""
        for path, look in kept_trees(self.folder):
            if look.session == session:
                with contextlib.suppress(OSError):
                    os.unlink(path)  # noqa: PTH108 - pathlib costs the hook process its import

    def _keep_comments(self, session: str, proposed: ToolProposed, named: tuple[str, ...]) -> None:
        """Of a line that says what it touches: no more than is there in these files."""
        from leeboard.app.brought_comments import comments_in  # noqa: PLC0415 - only for lines that change files

        if comments := comments_in(self.workspace.root, named):
            root, time = self.workspace.root, proposed.time
            look = TreeLook(root=root, files={}, time=time, session=session, comments=comments, by_git=False)
            self._looks.keep(_key(session, proposed.call.id), msgspec.json.encode(look))

    def _keep_look(self, session: str, proposed: ToolProposed, named: tuple[str, ...]) -> str:
        from leeboard.app.brought_comments import comments_in  # noqa: PLC0415 - as above
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
        comments = comments_in(self.workspace.root, (*named, *files))
        look = TreeLook(root=seen.root, files=files, time=proposed.time, session=session, comments=comments)
        self._looks.keep(_key(session, proposed.call.id), msgspec.json.encode(look))
        return ""


class TreeLook(msgspec.Struct, frozen=True, kw_only=True):
    """A fingerprint of git, as it is kept."""

    root: str
    files: dict[str, tuple[int, int]]
    time: float = 0.0
    session: str = ""
    comments: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Those that let a finding stand, in the files that were changed by then or that the line names."""
    by_git: bool = True
    """Whether git was asked for what was changed; else the line says all that it touches."""


def kept_trees(folder: str) -> Iterator[tuple[str, TreeLook]]:
    """The looks that wait for the end of a line, and the file each is kept in."""
    for path, data in KeptLooks(folder).entries():
        try:
            yield path, msgspec.json.decode(data, type=TreeLook)
        except ValueError:
            continue


def _told(finished: ToolFinished, paths: tuple[str, ...], call: str, *, by_git: bool = False) -> FilesChanged:
    return FilesChanged(
        session=finished.session,
        key=f"files:{finished.call.id}",
        agent=finished.agent,
        cwd=finished.cwd,
        time=finished.time,
        paths=paths,
        call=call,
        by_git=by_git,
    )


def line_text(call: ToolCall) -> str:
    """As it is shown to a person: on one line, without a secret."""
    text = " ".join(redact_start(call.command or call.tool, _READ_FOR_LINE).split())
    return text if len(text) <= LINE_ROOM else text[: LINE_ROOM - 1] + "…"


def accounted_for(session: Session | None) -> set[str]:
    """Paths that were judged when some call was about to change them."""
    agents = session.agents if session else ()
    marked = {mark.path for agent in agents for mark in agent.marks}
    return marked | {path for agent in agents for call in agent.open_calls for path in call.modifies}


def _changed_by_name(touches: tuple[Touch, ...]) -> tuple[str, ...]:
    """Files in the work tree; what gives a file back an older state writes nothing."""
    named = (touch.path for touch in touches if touch.kind in {"write", "delete"})
    return tuple(dict.fromkeys(path for path in named if path and not path.startswith(("/", "~", "../"))))


def _is_open(session: Session | None, call: str) -> bool:
    return any(known.id == call for agent in (session.agents if session else ()) for known in agent.open_calls)


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


# Looks that one hook process takes before a call and another needs when the call has ended: small private files.


KEPT_SECONDS = 86_400.0
MOST = 16 << 20


class KeptLooks:
    """In a folder of their own; those whose call never came back are forgotten after a day."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def keep(self, key: str, data: bytes) -> None:
        places.make_private_dir(self._folder)
        self._forget_old()
        half = f"{self.path_of(key)}.{os.getpid()}"  # nobody reads half of it: another hook may look at any time
        file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.CLOEXEC, 0o600)
        try:
            os.write(file, data)
        finally:
            os.close(file)
        os.replace(half, self.path_of(key))  # noqa: PTH105 - pathlib costs the hook process its import

    def renew(self, key: str, line: bytes) -> None:
        """As `keep`, for one line without a line end that is written again and again: in place, for some systems wait
        for the disk where a file takes another's name. Whoever reads at that time finds the old line or the new one.
        """
        try:
            file = os.open(self.path_of(key), os.O_WRONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC)
        except OSError:
            self.keep(key, line + b"\n")
            return
        try:
            os.write(file, line + b"\n")
        finally:
            os.close(file)

    def peek_line(self, key: str) -> bytes | None:
        """What `renew` wrote last; behind it may be the rest of a longer one."""
        kept = self.peek(key)
        return kept.partition(b"\n")[0] if kept is not None else None

    def take(self, key: str) -> bytes | None:
        """The kept bytes, removed with the reading: of two processes one gets them. None where there are none."""
        data = self.peek(key)
        try:
            os.unlink(self.path_of(key))  # noqa: PTH108 - pathlib costs the hook process its import
        except OSError:
            return None
        return data

    def peek(self, key: str) -> bytes | None:
        """The kept bytes, left where they are for whoever takes them."""
        try:
            return read_regular(self.path_of(key), MOST)
        except OSError:
            return None

    def all(self) -> Iterator[bytes]:
        """Every look that is kept, whatever its key."""
        return (data for _path, data in self.entries())

    def entries(self) -> Iterator[tuple[str, bytes]]:
        """The same, with the file that each is kept in."""
        try:
            names = os.listdir(self._folder)  # noqa: PTH208 - as above
        except OSError:
            return
        for name in names:
            if name.endswith(".json"):
                with contextlib.suppress(OSError):
                    path = join(self._folder, name)
                    yield path, read_regular(path, MOST).partition(b"\n")[0]

    def age(self, key: str) -> float:
        """Seconds since it was kept; a day where it was not."""
        return _age(self.path_of(key))

    def path_of(self, key: str) -> str:
        return join(self._folder, f"{digest(key, 12)}.json")

    def _forget_old(self) -> None:
        for name in os.listdir(self._folder):  # noqa: PTH208 - as above
            if _age(join(self._folder, name)) > KEPT_SECONDS:
                with contextlib.suppress(OSError):
                    os.unlink(join(self._folder, name))  # noqa: PTH108 - as above


def _age(path: str) -> float:
    try:
        return clock.now() - os.stat(path).st_mtime  # noqa: PTH116 - as above
    except OSError:
        return KEPT_SECONDS
