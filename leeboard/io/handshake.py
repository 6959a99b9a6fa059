"""How the two ends of a connection over a port show each other that they know a token, which never travels.

Whoever takes the port of a server that died hears neither the token nor what a client has to say. The hook client uses
this at every tool call where there are no Unix sockets, so nothing is imported that it does not need.
"""

from __future__ import annotations

from leeboard.io.clock import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable

    Random = Callable[[int], bytes]

MEET_SECONDS = 0.25
"""How long a server waits for somebody who connected to prove itself: others wait meanwhile."""
_NONCE = 16
_PROOF = 32


def meet_server(connection: socket, token: bytes, end: float, random: Random) -> None:
    """Before anything is said to whoever listens. ConnectionRefusedError where it does not know the token, TimeoutError
    where it says nothing: a server that is busy answers late.
    """
    from hmac import compare_digest  # noqa: PLC0415 - only where there is a token

    nonce = random(_NONCE)
    connection.settimeout(max(end - monotonic(), 0.001))
    connection.sendall(nonce)
    answer = _read(connection, _PROOF + _NONCE, end)
    if not compare_digest(answer[:_PROOF], prove(token, nonce, b"server")):
        raise ConnectionRefusedError("somebody else listens there")
    connection.sendall(prove(token, answer[_PROOF:], b"client"))


def meet_client(connection: socket, token: bytes, end: float, random: Random) -> bool:
    """Whether who connected knows the token, and says so in time."""
    from hmac import compare_digest  # noqa: PLC0415 - as above

    try:
        theirs, nonce = _read(connection, _NONCE, end), random(_NONCE)
        connection.sendall(prove(token, theirs, b"server") + nonce)
        return compare_digest(_read(connection, _PROOF, end), prove(token, nonce, b"client"))
    except OSError:
        return False


def prove(token: bytes, nonce: bytes, side: bytes) -> bytes:
    """What only who knows the token can answer to a nonce; `side` says who it is."""
    from hmac import digest  # noqa: PLC0415 - as above

    return digest(token, nonce + side, "sha256")


def _read(connection: socket, length: int, end: float) -> bytes:
    """All of it and no more: what follows is for others to read."""
    received = b""
    while len(received) < length:
        left = end - monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        part = connection.recv(length - len(received))
        if not part:
            raise ConnectionRefusedError("it went away before it had proved itself")
        received += part
    return received
