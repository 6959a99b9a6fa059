"""Hooks that a client posts on loopback: the part of the resident that listens there, where a person has asked for it.

A port is open to every program of the machine. So nobody is waited for: what has been sent is taken as it comes, and
who sends nothing holds a connection for a second, of which there are few. Whose post it is, the token does not say,
since an agent can read it: the system is asked which process holds the other end, and only a client counts whose
command the resident was asked by before. Whatever comes, it is answered and the next one is served.
"""

from __future__ import annotations

import select
import socket
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from os.path import realpath
from typing import NamedTuple

import msgspec

from leeboard.app.hook_origin import client_above, is_of_agent, told_by_agent
from leeboard.app.posting.client import KnownClients, environment_of
from leeboard.app.posting.hooks import HOST, HttpHooks, all_hooks, listening_at, stamp_of_all
from leeboard.clients import FIRST, first_sign, signs
from leeboard.clients.hook_input import folder_told
from leeboard.errors import WireError
from leeboard.io import clock
from leeboard.io.connection import Address, other_end, other_end_is_told
from leeboard.surfaces.edge import contained
from leeboard.surfaces.post_message import answer_of, event_in, judged, proof_asked
from leeboard.wire.http1 import head_end, parse_head

MOST_CALLERS = 64
HEAD_SECONDS = 1.0
"""In which a head has to be whole, from the first connection or byte on."""
BODY_SECONDS = 3.0
SEND_SECONDS = 1.0
LONGEST_HEAD = 16 << 10
_PIECE = 1 << 18


class Post(NamedTuple):
    """A hook that its client has told whole, and that waits for its answer."""

    payload: bytes
    caller: Caller
    process: int
    """The one that posted it."""
    env: dict[str, str]
    by_agent: bool = False
    """An agent's own command posted it: it is taken for what it is, and nothing in it is believed."""


class Caller:
    """A connection to the port, whoever holds its other end, and what was read of a post so far."""

    def __init__(self, connection: socket.socket, peer: Address, hooks: HttpHooks) -> None:
        self.connection = connection
        self.hooks = hooks
        self.peer = peer
        self.received = bytearray()
        self.body_at = 0
        self.length = 0
        self.process = 0
        """The client at the other end, once it has posted something that was its own."""
        self.env: dict[str, str] = {}
        self.deadline: float | None = clock.monotonic() + HEAD_SECONDS

    def fileno(self) -> int:
        return self.connection.fileno()

    def answer(self, status: int, body: bytes = b"", *, last: bool = False) -> None:
        """`last`: the connection is closed after it."""
        with suppress(OSError):  # who went away needs none
            self.connection.settimeout(SEND_SECONDS)
            self.connection.sendall(answer_of(status, body, last=last))
            self.connection.settimeout(0)

    def is_next(self) -> None:
        """For the next one, whenever it comes: its client keeps the connection for some seconds."""
        self.received.clear()
        self.body_at = self.length = 0
        self.deadline = None


class HookPosts:
    """Opens the ports that people have asked for, and gives out what clients post there, one after the other."""

    def __init__(self, listening: Iterable[socket.socket] = ()) -> None:
        self._handed: dict[int, socket.socket] = {}
        for listener in listening:
            listener.settimeout(0)
            listener.set_inheritable(False)
            self._handed[listener.getsockname()[1]] = listener
        self._listeners: dict[int, tuple[socket.socket, HttpHooks]] = {}
        self._callers: list[Caller] = []
        self._ready: deque[Post] = deque()
        self._clients = KnownClients()
        self._wanted: tuple[HttpHooks, ...] = ()
        self._stamp = 0
        self._wanted_stamp = 0
        self._posted_last = False
        self.taken: list[HttpHooks] = []
        """Those whose port somebody else holds."""

    @property
    def is_open(self) -> bool:
        return bool(self._listeners)

    def look(self) -> None:
        """Open what was asked for since, and close what was taken back."""
        asked_for = self._asked_for()
        if self._wanted_stamp == self._stamp and not self._handed:
            return
        self._stamp = self._wanted_stamp
        wanted = {hooks.port: hooks for hooks in asked_for}
        for port in [port for port, (_, hooks) in self._listeners.items() if wanted.get(port) != hooks]:
            self._listeners.pop(port)[0].close()
        for port, hooks in wanted.items():
            if port not in self._listeners:
                self._open(hooks)
        for listener in self._handed.values():
            listener.close()
        self._handed.clear()
        gone = [caller for caller in self._callers if caller.hooks.port not in self._listeners]
        for caller in gone:
            self.drop(caller)

    def _asked_for(self) -> tuple[HttpHooks, ...]:
        stamp = stamp_of_all() if other_end_is_told() else 0
        if stamp != self._wanted_stamp:
            self._wanted = tuple(hooks for hooks in (all_hooks() if stamp else ()) if not hooks.given_up)
            self._wanted_stamp = stamp
        return self._wanted

    def _open(self, hooks: HttpHooks) -> None:
        handed = self._handed.pop(hooks.port, None)
        try:
            self._listeners[hooks.port] = (handed or listening_at(hooks.port), hooks)
        except OSError:
            self.taken.append(hooks)

    def close(self) -> None:
        """All of it; also in a process that was forked and has no business here."""
        for caller in self._callers:
            caller.connection.close()
        for listener, _ in self._listeners.values():
            listener.close()
        self._callers.clear()
        self._listeners.clear()

    def know(self, process: int, folder: str) -> None:
        """A client runs commands in a project, this process among them: it may post what comes of its calls there."""
        for hooks in self._asked_for():
            if _is_within(folder, hooks.root):
                self._clients.learn(process, hooks.port)

    def know_asker(self, process: int, env: Mapping[str, str], payload: bytes) -> None:
        """The same for a command that asks at the resident's socket; not every client posts."""
        if self._asked_for() and env.get("LEEBOARD_CLIENT", FIRST) == FIRST:
            self.know(process, env.get(first_sign(FIRST, "project-variable")) or folder_told(payload))

    def is_awaited(self) -> bool:
        """Whether a client lives that may post something yet: who would give up the port, would give it to anybody."""
        return self.is_open and bool(self._clients.living())

    def wait(self, other: int, seconds: float) -> Post | None:
        """The next post; None where somebody is at the `other` listener, by its file number. TimeoutError where nobody
        comes. Both are served in turn.
        """
        end = clock.monotonic() + seconds
        while True:
            left = 0.0 if self._ready else max(self._until(end) - clock.monotonic(), 0.0)
            at_other = self._take(other, left)
            if at_other and (self._posted_last or not self._ready):
                self._posted_last = False
                return None
            if self._ready:
                self._posted_last = True
                return self._ready.popleft()
            now = clock.monotonic()
            for caller in [one for one in self._callers if one.deadline is not None and one.deadline <= now]:
                self.drop(caller)
            if now >= end:
                raise TimeoutError

    def _until(self, end: float) -> float:
        return min([end, *(caller.deadline for caller in self._callers if caller.deadline is not None)])

    def _take(self, other: int, seconds: float) -> bool:
        """What everybody has sent by now; whether somebody is at the other listener."""
        look = select.poll()
        for number in (other, *(listener.fileno() for listener, _ in self._listeners.values())):
            look.register(number, select.POLLIN)
        waiting = {id(post.caller) for post in self._ready}
        for caller in self._callers:
            if id(caller) not in waiting:
                look.register(caller.fileno(), select.POLLIN)
        ready = {number for number, _ in look.poll(seconds * 1000)}
        for caller in [one for one in self._callers if one.fileno() in ready]:
            if not contained(partial(self._read, caller), caller.hooks.root):
                self.refuse(caller, 500)
        for listener, hooks in [one for one in self._listeners.values() if one[0].fileno() in ready]:
            self._accept(listener, hooks)
        return other in ready

    def _accept(self, listener: socket.socket, hooks: HttpHooks) -> None:
        with suppress(OSError):
            connection, peer = listener.accept()
            if peer[0] != HOST:  # no client of ours takes another address of loopback
                connection.close()
                return
            connection.settimeout(0)
            if len(self._callers) >= MOST_CALLERS:
                known = (caller for caller in self._callers if caller.process and caller.deadline is None)
                strange = (caller for caller in self._callers if not caller.process)
                self.drop(next(strange, None) or next(known, self._callers[0]))
            self._callers.append(Caller(connection, peer, hooks))

    def drop(self, caller: Caller) -> None:
        caller.connection.close()
        self._callers = [one for one in self._callers if one is not caller]
        self._ready = deque(post for post in self._ready if post.caller is not caller)

    def refuse(self, caller: Caller, status: int) -> None:
        caller.answer(status, last=True)
        self.drop(caller)

    def _read(self, caller: Caller) -> None:
        try:
            part = caller.connection.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            self.drop(caller)
            return
        if caller.deadline is None:
            caller.deadline = clock.monotonic() + HEAD_SECONDS
        caller.received += part
        try:
            status = self._understood(caller)
        except WireError:
            status = 400
        if status:
            self.refuse(caller, status)

    def _understood(self, caller: Caller) -> int:
        """Go as far as what was sent allows; the status by which it is turned away, else zero."""
        if not caller.body_at:
            end = head_end(caller.received)
            if not end:
                return 413 if len(caller.received) > LONGEST_HEAD else 0
            head = parse_head(bytes(caller.received[:end]))
            if proof := proof_asked(head, caller.hooks):
                caller.answer(200, proof, last=True)
                self.drop(caller)
                return 0
            status, caller.length = judged(head, caller.hooks)
            if status or end > LONGEST_HEAD:
                return status or 413
            caller.body_at, caller.deadline = end, clock.monotonic() + BODY_SECONDS
        if len(caller.received) - caller.body_at < caller.length:
            return 0
        if len(caller.received) - caller.body_at > caller.length:
            return 400
        return self._posted(caller, bytes(caller.received[caller.body_at :]))

    def _posted(self, caller: Caller, payload: bytes) -> int:
        try:
            name = event_in(payload)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return 400
        if name not in signs(FIRST, "posted-event"):
            return 403
        caller.deadline = None
        if not caller.process:
            return self._first_of(caller, payload)
        self._ready.append(Post(payload, caller, caller.process, caller.env))
        return 0

    def _first_of(self, caller: Caller, payload: bytes) -> int:
        """Of the first post of a connection it has to be found out whose it is: a status where nobody known holds the
        end.
        """
        end = other_end(caller.peer, (HOST, caller.hooks.port), self._clients.living())
        holders = end.holders if end.is_own else ()
        client = next((holder for holder in holders if self._clients.knows(holder, caller.hooks.port)), 0)
        if client:
            caller.process, caller.env = client, environment_of(client)
            self._ready.append(Post(payload, caller, client, caller.env))
            return 0
        for holder in holders:
            env = environment_of(client_above(holder) or holder)
            if is_of_agent(holder) or told_by_agent(env, holder):
                self._ready.append(Post(payload, caller, holder, env, by_agent=True))
                return 0
        return 403


def _is_within(folder: str, root: str) -> bool:
    """Whether it is the project's folder, or lies in it."""
    return bool(folder) and f"{realpath(folder)}/".startswith(f"{realpath(root).rstrip('/')}/")
