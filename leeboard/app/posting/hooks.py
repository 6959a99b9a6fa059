"""Hooks that a client posts to the resident, where a person has asked for them: which port of loopback, which token.

Only what a client tells after a call has run goes this way. A port at which nobody listens, or somebody else does, lets
no call pass that the command would have held back: that one is asked before. What is told here is believed, though, so
it counts who posts (`app/posting/client.py`). The port is opened by the resident for as long as it lives, and by nobody
without such a record.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from posixpath import join
from typing import Literal

import msgspec

from leeboard.clients.call import PostedTo
from leeboard.io import clock
from leeboard.io.connection import listener_at
from leeboard.io.file import read_regular, replace_file
from leeboard.io.handshake import prove
from leeboard.io.places import make_private_dir, state_dir
from leeboard.model.text import digest

HOST = "127.0.0.1"
ALIVE = "/leeboard/alive"
"""Where whoever knows the token proves it."""
FOLDER = "http"
_FIRST_PORT, _PORTS = 20_000, 12_000
"""Below those that a system gives out by itself, so that no program gets one of them by chance."""
_TRIES = 64
_LONGEST = 1 << 16
_SECONDS = 1.0
_SIDE = b"http"

Answers = Literal["ours", "nobody", "somebody", "silent"]


class HttpHooks(msgspec.Struct, frozen=True, kw_only=True):
    """The hooks of one project that are posted."""

    root: str
    settings: str
    """The settings file that they stand in."""
    port: int
    token: str
    version: str = ""
    """Of the client that was seen to deliver them."""
    given_up: str = ""
    """Why they go by their command again; empty while they are posted."""
    time: float = 0.0

    @property
    def posted_to(self) -> PostedTo:
        return PostedTo(url=url_at(self.port), headers={"Authorization": f"Bearer {self.token}"})


def url_at(port: int) -> str:
    return f"http://{HOST}:{port}/leeboard/hook"


def new_hooks(root: str, settings: str, version: str) -> HttpHooks:
    """With a port at which nobody listens; OSError where none of many is free."""
    import secrets  # noqa: PLC0415 - only where a person asks for them

    taken = {other.port for other in all_hooks()}
    for _ in range(_TRIES):
        port = _FIRST_PORT + secrets.randbelow(_PORTS)
        if port in taken:
            continue
        with suppress(OSError), listening_at(port):
            token = secrets.token_hex(32)
            return HttpHooks(root=root, settings=settings, port=port, token=token, version=version, time=clock.now())
    raise OSError("no port of this machine is free")


def listening_at(port: int) -> socket.socket:
    """On loopback alone, waited for by nobody yet. OSError where somebody else listens there."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the one before may linger
        listener.bind((HOST, port))
        listener.listen(_TRIES)
        listener.settimeout(0)
    except OSError:
        listener.close()
        raise
    return listener


def open_ports() -> tuple[int, ...]:
    """The numbers of open sockets that listen at all of them, but for those that somebody else holds."""
    found = []
    for hooks in all_hooks():
        if not hooks.given_up:
            with suppress(OSError):
                found.append(listening_at(hooks.port).detach())
    return tuple(found)


def keep_hooks(hooks: HttpHooks) -> None:
    make_private_dir(_folder())
    replace_file(_kept_at(hooks.root), msgspec.json.encode(hooks), mode=0o600)


def hooks_of(root: str) -> HttpHooks | None:
    """Those of a project; None where no person has asked for them."""
    return _read(_kept_at(root))


def all_hooks() -> tuple[HttpHooks, ...]:
    try:
        names = sorted(os.listdir(_folder()))  # noqa: PTH208 - a process that answers hooks gets by without pathlib
    except OSError:
        return ()
    found = (_read(join(_folder(), name)) for name in names if name.endswith(".json"))
    return tuple(hooks for hooks in found if hooks is not None)


def forget_hooks_in(settings: str) -> None:
    """Those that stood in a settings file: their port is closed."""
    for hooks in all_hooks():
        if hooks.settings == settings:
            with suppress(OSError):
                os.unlink(_kept_at(hooks.root))  # noqa: PTH108 - as above


def stamp_of_all() -> int:
    """Another one after any of them came, changed or went; zero where there never were any."""
    try:
        return os.stat(_folder()).st_mtime_ns  # noqa: PTH116 - asked at every hook
    except OSError:
        return 0


def who_answers(hooks: HttpHooks) -> Answers:
    """Whether the one who listens at the port knows the token, which it is not told."""
    nonce = os.urandom(16)
    asked = f"GET {ALIVE}?nonce={nonce.hex()} HTTP/1.1\r\nHost: {HOST}:{hooks.port}\r\nConnection: close\r\n\r\n"
    end, received = clock.monotonic() + _SECONDS, b""
    try:
        with socket.create_connection((HOST, hooks.port), _SECONDS) as connection:
            connection.sendall(asked.encode())
            while len(received) < 4096 and (left := end - clock.monotonic()) > 0:
                connection.settimeout(left)
                part = connection.recv(4096)
                if not part:
                    break
                received += part
    except ConnectionRefusedError:
        return "nobody"
    except OSError:
        return "silent" if not received else "somebody"
    told = received.partition(b"\r\n\r\n")[2]
    from hmac import compare_digest  # noqa: PLC0415 - only for who looks after it

    return "ours" if compare_digest(told, proof_of(hooks.token, nonce)) else "somebody"


def proof_of(token: str, nonce: bytes) -> bytes:
    return prove(token.encode(), nonce, _SIDE).hex().encode()


def listener_words(port: int) -> str:
    """Who listens at a port, as far as the system tells."""
    found = listener_at(port)
    names = [name for pid in found.holders[:1] if (name := _name_of(pid))]
    if names:
        return f"process {found.holders[0]} ({names[0]})"
    return "a program of another user" if found.is_hidden and not found.is_own else "another program"


def _name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - the system's own
            return file.read().strip()
    except OSError:
        return ""


def _read(path: str) -> HttpHooks | None:
    try:
        found = msgspec.json.decode(read_regular(path, _LONGEST), type=HttpHooks)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    is_whole = _kept_at(found.root) == path and 1024 < found.port < 1 << 16 and len(found.token) == 64
    return found if is_whole else None


def _folder() -> str:
    return join(state_dir(), FOLDER)


def _kept_at(root: str) -> str:
    return join(_folder(), f"{digest(root, 8)}.json")
