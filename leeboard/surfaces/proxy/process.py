"""The process that a proxy runs in: handed a socket that listens already, it serves until nobody needs it any more."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from leeboard.app.misses import note_miss
from leeboard.app.proxy.desk import ProxyDesk
from leeboard.io import places, process
from leeboard.surfaces.edge import load_everything
from leeboard.surfaces.proxy.address import LOOPBACK, kept_token
from leeboard.surfaces.proxy.server import Server, serve

CHILD_SECONDS = 2.0
"""How often a proxy whose starter was killed looks whether the client still runs."""
_KEPT = ("LEEBOARD_", "XDG_", "LC_", "SSL_CERT_")
_ALSO_KEPT = {
    "HOME",
    "PATH",
    "LANG",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "NODE_EXTRA_CA_CERTS",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
}


def open_listener(port: int = 0) -> socket.socket:
    """A socket that listens on loopback. Whoever holds it keeps the port, whichever process answers."""
    return socket.create_server((LOOPBACK, port), backlog=1024)


def start(listener: socket.socket, folder: str, *, plain: bool) -> tuple[process.Process, int]:
    """A proxy in a process of its own; and the end of a pipe that it takes for our life.

    It is given none of our variables but what it needs to find its files and the way out: no credential is among them.
    """
    theirs, ours = os.pipe()
    kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT) or name in _ALSO_KEPT}
    kept |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    words = process.our_python(
        "from leeboard.surfaces.proxy.process import main; main()",
        *(str(listener.fileno()), str(theirs), folder, "plain" if plain else "judging"),
    )
    nothing = process.Streams(read=process.NOTHING, written=process.NOTHING, said=process.NOTHING)
    try:
        return process.start(words, "/", kept, nothing, (listener.fileno(), theirs)), ours
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)


def main() -> None:
    """Given the numbers of the socket and of the pipe, the folder of the agent, and whether anybody judges."""
    listener, pipe, folder, judging = sys.argv[1:]
    sock = socket.socket(fileno=int(listener))
    desk = ProxyDesk(os.environ, folder) if judging == "judging" else None
    run(sock, desk, lambda: _starter_gone(int(pipe)))


def run(
    sock: socket.socket,
    desk: ProxyDesk | None,
    until: Callable[[], Awaitable[object]],
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve on that socket, then have the desk put away what it keeps."""
    run_loop = _loop_runner()
    run_loop(_serve(Server(kept_token(), desk), sock, until, ready))
    if desk is not None:
        try:
            desk.close()
        except Exception as failure:  # noqa: BLE001 - nobody is left to be told
            note_miss(places.state_dir(), "proxy", failure)


async def _serve(
    server: Server, sock: socket.socket, until: Callable[[], Awaitable[object]], ready: Callable[[], None]
) -> None:
    asyncio.get_running_loop().set_exception_handler(_note)
    if not server.is_plain:
        server.judging.tell(load_everything)  # else the first request would wait for it
    await serve(server, sock, until, ready)


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What fails in a callback is kept where `doctor` finds it, without a word of what was carried."""
    failure = context.get("exception")
    if isinstance(failure, Exception) and not isinstance(failure, OSError):
        note_miss(places.state_dir(), "proxy", failure)


def _loop_runner() -> Callable[[Any], None]:
    try:
        import uvloop  # noqa: PLC0415 - an extra
    except ImportError:
        return asyncio.run
    return uvloop.run


async def _starter_gone(pipe: int) -> None:
    """Ends when whoever started us has, and the client that it told of as well."""
    loop, told, gone = asyncio.get_running_loop(), bytearray(), asyncio.Event()

    def read() -> None:
        part = os.read(pipe, 64)
        told.extend(part)
        if not part:
            loop.remove_reader(pipe)
            gone.set()

    loop.add_reader(pipe, read)
    await gone.wait()
    client = int(told) if told.isdigit() else 0
    while client and _runs(client):  # noqa: ASYNC110 - nobody tells of the end of a process that is not ours
        await asyncio.sleep(CHILD_SECONDS)


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
