"""The resident process: everything imported once, hooks answered over a socket of this machine, one at a time and,
where one takes long, by its helper meanwhile (`relief`).

There is one for each database. It holds a file lock for as long as it lives and keeps nothing but the database open
between two requests, and that only while it is the file that stands there. It may be killed at any time: the hook
client then judges by itself and starts the next one. It ends by itself when nobody asked for a while, when the package
it was loaded from changed, when its socket was replaced, or when it met state of a newer version.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from leeboard.app.guard.off import look_while_idle
from leeboard.app.guard.posted import fall_back
from leeboard.app.hook_call import Asker
from leeboard.app.indexing import drop_lock, take_lock
from leeboard.app.kept_store import keep_open, let_go
from leeboard.app.team.ship import ship_while_idle
from leeboard.app.telemetry.process import tell_while_idle
from leeboard.errors import LeeboardError
from leeboard.io import clock, places, system
from leeboard.io.channel import LocalListener
from leeboard.io.detached import fork
from leeboard.surfaces import edge
from leeboard.surfaces.hook_client import told_names
from leeboard.surfaces.hook_request import asker, read_request
from leeboard.surfaces.posts import HookPosts, Post
from leeboard.surfaces.relief import Relief

IDLE_SECONDS = 600.0
QUIET_SECONDS = 2.0
"""After so long without a question the database is closed, which writes its log back: what lies there is whole then."""
LOOK_SECONDS = 30.0
"""How often it looks whether the hooks still stand, while nobody asks."""
ANSWER_SECONDS = 1.5
"""How long it waits for a store that others hold: the client, who waits little longer, may take more time by itself."""
BESIDE_SECONDS = 4.0
"""How long a post may take in all that a process of its own answers: its client waits little longer."""
MOST_BESIDE = 4
SOURCES_SECONDS = 2.0
"""How old a look at our own files may be for a post."""
TAKEN_SECONDS = 0.05
"""How long somebody is waited for who was seen at the socket: the helper may have taken them."""
STUCK_SECONDS = 30
"""A request that takes longer ends the process; its client has long gone on by itself."""
_PACKAGE = system.slashed(__file__).rpartition("/")[0].rpartition("/")[0]

Sources = dict[str, tuple[int, int, int]]
"""Path to inode, size and time of modification."""


def main() -> None:
    """`python -I -m leeboard.surfaces.resident`: in the foreground, telling on stdout when it listens."""
    try:
        path = places.socket_path()
    except LeeboardError as error:
        sys.exit(str(error))
    lock = take_lock(path)
    if lock is None:
        sys.exit(f"a resident already listens on {path}")
    run(lock, announce=True)


def run(lock: int, *, announce: bool = False, listening: int = 0, started: tuple[int, str] = (0, "")) -> None:
    """Serve until there is a reason to end. `lock` is the held lock, closed here; behind its number stand those of
    so many sockets that listen for posted hooks already. `started` is the client whose command started us, and in
    which folder: what it posts next is heard.
    """
    path = places.socket_path()
    posts = HookPosts(socket.socket(fileno=lock + number) for number in range(1, listening + 1))
    system.write_at(lock, f"{os.getpid():<20}\n".encode(), 0)  # who is judged to end the guard is known by it
    edge.load_everything()
    keep_open()
    with listen(path) as listener:
        resident = Resident(path, listener, lock, posts)
        resident.look_for_posts()
        if listening:
            posts.know(*started)
        resident.relief.stand_by()
        signal.signal(signal.SIGTERM, resident.end)
        if announce:
            sys.stdout.write(f"listening on {path}\n")
            sys.stdout.flush()
        try:
            outdated = resident.serve()
        finally:
            with suppress(OSError, LeeboardError):
                let_go()
            resident.leave()
            posts.close()
            drop_lock(path, lock)
    if outdated is not None:
        outdated.close()  # only now does its client look for a lock to start the next resident with


def listen(path: str) -> LocalListener:
    """Whoever holds the lock knows that a socket file found there is left over."""
    Path(f"{path}.silent").unlink(missing_ok=True)
    return LocalListener(path)


def idle_seconds(env: Mapping[str, str]) -> float:
    """As LEEBOARD_IDLE_SECONDS says, between a tenth of a second and a day."""
    try:
        told = float(env.get("LEEBOARD_IDLE_SECONDS", ""))
    except ValueError:
        return IDLE_SECONDS
    return min(max(told, 0.1), 86_400.0) if told >= 0 else IDLE_SECONDS


class Resident:
    def __init__(self, path: str, listener: LocalListener, lock: int, posts: HookPosts) -> None:
        self._path = path
        self._listener = listener
        self._lock = lock
        self._posts = posts
        self._children: list[int] = []
        self.relief = Relief(listener, self._answer, self._close_in_child)
        self._own = _look(path)
        self._sources = look_at_sources()
        self._sources_seen = clock.monotonic()
        self._busy = False
        self._ended = False

    def serve(self) -> socket.socket | None:
        """Answer until the end; the connection of the client that found us outdated, if that was the reason."""
        idle = idle_seconds(os.environ)
        last = looked = clock.now()
        while not self._ended and _look(self._path) == self._own:
            self.look_for_posts()
            self._bury()
            try:
                asked = self._next(min(idle, QUIET_SECONDS))
            except TimeoutError:
                now = clock.now()
                with suppress(OSError, LeeboardError):
                    let_go()
                    self.relief.stand_by()
                    if now - looked >= LOOK_SECONDS:
                        looked = now
                        look_while_idle()
                        ship_while_idle(os.environ)
                        tell_while_idle(os.environ)
                self._ended = now - last >= idle and not self._posts.is_awaited()
                continue
            except ConnectionAbortedError:
                continue
            last = clock.now()
            self._show_life()
            self.relief.look_after()
            self.relief.begin()
            if isinstance(asked, Post):
                if not edge.contained(partial(self._answer_post, asked), asked.caller.hooks.root):
                    self._posts.refuse(asked.caller, 500)
                self.relief.end()
            else:
                goes_on = self._answer(asked, self.relief.enter)
                self.relief.end()
                if not goes_on:
                    return asked
                asked.close()
            self._ended = self._ended or edge.met_newer_state()
        return None

    def _next(self, seconds: float) -> socket.socket | Post:
        """Who asks next: a hook client at our socket, or a client that posts. TimeoutError where nobody does."""
        if self._posts.is_open:
            post = self._posts.wait(self._listener.fileno(), seconds)
            if post is not None:
                return post
        self._listener.settimeout(TAKEN_SECONDS if self._posts.is_open else seconds)
        return self._listener.accept()

    def look_for_posts(self) -> None:
        """Listen where people have asked for it. Where somebody else does, the hooks go by their command again."""
        self._posts.look()
        while self._posts.taken:
            hooks = self._posts.taken.pop()
            with suppress(OSError, LeeboardError):
                fall_back(hooks)

    def _close_in_child(self) -> None:
        """What a process that was forked has no business with: who holds it while we end, holds up the next one."""
        self._posts.close()
        os.close(self._lock)

    def _show_life(self) -> None:
        """A client that waits in vain sees by it whether we are only busy."""
        with suppress(OSError):
            os.utime(f"{self._path}.lock")

    def end(self, *_signal: object) -> None:
        """Asked to end: at once while nobody is being answered, else after that."""
        self._ended = True
        if not self._busy:
            raise SystemExit(0)

    def leave(self) -> None:
        if _look(self._path) == self._own:
            Path(self._path).unlink(missing_ok=True)

    def _answer(self, connection: socket.socket, may_enter: Callable[[str], bool]) -> bool:
        """False when we are not what the client wants: its package is another one, or ours has changed."""
        self._busy = True
        _end_after(STUCK_SECONDS)
        try:
            process, user = asker(connection)
            request = read_request(connection) if user == system.user() else None
            if request is None:
                return True
            if request.fingerprint != fingerprint() or changed_since(self._sources):
                return False
            adopt(request.env)
            edge.contained(partial(self._posts.know_asker, process, request.env, request.payload))
            sent = _Sent(connection)
            end = clock.monotonic() + ANSWER_SECONDS
            asked = Asker(process=process, patient=False, end=end, may_enter=may_enter)
            if edge.respond(request.payload, os.environ, sent.send, asked):
                sent.send(b"")  # else it goes away without an answer, and the client takes its time by itself
        except OSError:
            return True  # the client went away, or stopped in the middle of a sentence
        else:
            return True
        finally:
            _end_after(0)
            self._busy = False

    def _answer_post(self, post: Post) -> None:
        """With what its command would print. Where that may take long, a process of its own gives it: nobody else
        would, and others wait.
        """
        self._busy = True
        _end_after(STUCK_SECONDS)
        try:
            adopt(post.env)
            if self._is_outdated():
                self._ended = True  # the command before the next call starts another one
            if self._ended or places.socket_path() != self._path:
                self._posts.refuse(post.caller, 503)
                return
            sent = _Posted(post, self._posts)
            began = clock.monotonic()
            asked = Asker(
                process=post.process,
                patient=post.by_agent,
                end=began + ANSWER_SECONDS,
                believed=not post.by_agent,
                may_enter=self.relief.enter,
            )
            if edge.respond(post.payload, os.environ, sent.send, asked):
                sent.send(b"")
            else:
                self._answer_beside(post, began + BESIDE_SECONDS)
        finally:
            _end_after(0)
            self._busy = False

    def _is_outdated(self) -> bool:
        """Looked at now and then: the command before each call has its look too."""
        now = clock.monotonic()
        if now - self._sources_seen < SOURCES_SECONDS:
            return False
        self._sources_seen = now
        return changed_since(self._sources)

    def _bury(self) -> None:
        """Those children that have given their answer."""
        self._children = [child for child in self._children if os.waitpid(child, os.WNOHANG)[0] == 0]

    def _answer_beside(self, post: Post, end: float) -> None:
        self._bury()
        if len(self._children) >= MOST_BESIDE:
            self._posts.refuse(post.caller, 503)
            return
        let_go()  # a connection must not be carried into another process
        self._children.append(fork(lambda: self._answer_patiently(post, end)))
        self._posts.drop(post.caller)

    def _answer_patiently(self, post: Post, end: float) -> None:
        """In a child, that ends after it, however long it takes."""
        _end_after(STUCK_SECONDS)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        connection = post.caller.connection.dup()
        self._close_in_child()
        self._listener.close()
        post.caller.connection = connection
        sent = _Posted(post, None)
        asked = Asker(process=post.process, end=end)
        edge.respond(post.payload, os.environ, sent.send, asked)
        sent.send(b"")


class _Posted:
    """Answers one post; its connection stays open for the next, unless nobody is left to look after it."""

    def __init__(self, post: Post, posts: HookPosts | None) -> None:
        self._post = post
        self._posts = posts
        self._done = False

    def send(self, answer: bytes) -> None:
        if self._done:
            return
        self._done = True
        caller = self._post.caller
        if self._post.by_agent and self._posts is not None:
            self._posts.refuse(caller, 403)
        else:
            caller.answer(200, answer, last=self._posts is None)
            caller.is_next()


def _end_after(seconds: int) -> None:
    """End this process by then, unless it is called again; where the system has such a clock."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


class _Sent:
    """Sends the one answer and ends the sentence, so that the client need not wait for what follows."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._done = False

    def send(self, answer: bytes) -> None:
        if self._done:
            return
        self._done = True
        with suppress(OSError):  # a client that went away has judged by itself
            self._connection.sendall(b"%d\n%b" % (len(answer), answer))
            self._connection.shutdown(socket.SHUT_WR)


def adopt(env: dict[str, str]) -> None:
    """See the client's environment as far as it told of it, and nothing of an earlier client's."""
    told = {name.decode() for name in told_names()}
    for name in [name for name in os.environ if name.startswith(("LEEBOARD_", "XDG_")) or name in told]:
        if name not in env:
            del os.environ[name]
    os.environ.update(env)


def fingerprint() -> bytes:
    """As the hook client makes it."""
    init = f"{_PACKAGE}/__init__.py"
    seen = os.stat(init)  # noqa: PTH116 - spelled as the hook client spells it
    return os.fsencode(f"{init} {seen.st_ino} {seen.st_size} {seen.st_mtime_ns}")


def look_at_sources() -> Sources:
    """The loaded modules of this package and the folder of rules, as they are on disk."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    ours = {file for file in files if file and system.slashed(file).startswith(f"{_PACKAGE}/")}
    return {path: _look(path) for path in ours | {f"{_PACKAGE}/rules"}}


def changed_since(sources: Sources) -> bool:
    return any(_look(path) != look for path, look in sources.items())


def _look(path: str) -> tuple[int, int, int]:
    try:
        seen = os.stat(path)  # noqa: PTH116 - a hundred files at every request
    except OSError:
        return (0, 0, 0)
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns)


if __name__ == "__main__":
    main()
