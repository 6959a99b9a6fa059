"""The proxy that stands for all clients of a user, as `leeboard proxy` runs it: written down, and found again."""

from __future__ import annotations

import hmac
import http.client
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from leeboard.io import system
from leeboard.io.places import make_private_dir, state_dir
from leeboard.surfaces.proxy.address import CHALLENGE, LOOPBACK, OWN, proof

ASK_SECONDS = 2.0
_LONGEST = 65_536

Listener = Literal["ours", "stranger", "nobody", "silent"]
"""Who is on a port: a proxy that has proved itself, somebody else, nobody, or one who has not answered in time."""


class StandingProxy(msgspec.Struct, frozen=True):
    """Where it listens, and which process it is."""

    port: int
    pid: int


def record(port: int) -> None:
    """Write down that this process is the standing proxy."""
    make_private_dir(state_dir())
    own = _path().with_suffix(f".{os.getpid()}")
    own.touch(mode=0o600)
    own.write_bytes(msgspec.json.encode(StandingProxy(port, os.getpid())))
    own.replace(_path())


def forget() -> None:
    """Unless another one has taken its place."""
    found = _read()
    if found is not None and found.pid == os.getpid():
        with suppress(OSError):
            _path().unlink()


def find(token: str) -> StandingProxy | None:
    """The one that answers to our token; None where there is none."""
    found = _read()
    return found if found is not None and who_listens(found.port, token) == "ours" else None


def who_listens(port: int, token: str) -> Listener:
    """Whose process answers on that port. A record outlives its proxy, and others may listen where it did.

    The token is never sent: who knows it can prove that, and nobody else is to learn it.
    """
    if (owner := _owner_of(port)) is not None and owner != system.user():
        return "stranger"
    challenge = secrets.token_hex(16)
    try:
        told = _ask(port, f"{CHALLENGE}{challenge}")
    except ConnectionRefusedError:
        return "nobody"
    except OSError:
        return "silent"
    known = str(told.get("proof", "")) if told is not None else ""
    return "ours" if hmac.compare_digest(known.encode(), proof(token, port, challenge).encode()) else "stranger"


def ask_health(port: int, token: str) -> dict[str, object] | None:
    """What the proxy on that port tells of itself; None where nobody answers who knows the token."""
    try:
        told = _ask(port, f"/{token}/{OWN}/health") if who_listens(port, token) == "ours" else None
    except OSError:
        return None
    return told if told is not None and OWN in told else None


def _ask(port: int, path: str) -> dict[str, object] | None:
    """The object that is answered; None where something else is. `OSError` where nothing is."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        told = msgspec.json.decode(answer.read(_LONGEST)) if answer.status == 200 else None
    except (http.client.HTTPException, msgspec.DecodeError):
        return None
    finally:
        connection.close()
    return told if isinstance(told, dict) else None


def _owner_of(port: int) -> int | None:
    """The user whose process listens on that port of loopback, where the system tells."""
    try:
        lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    except (OSError, UnicodeDecodeError):
        return None
    for fields in map(str.split, lines):
        if len(fields) > 7 and fields[1] in {f"0100007F:{port:04X}", f"00000000:{port:04X}"} and fields[3] == "0A":
            return int(fields[7])
    return None


def _read() -> StandingProxy | None:
    try:
        return msgspec.json.decode(_path().read_bytes(), type=StandingProxy)
    except (OSError, msgspec.DecodeError):
        return None


def _path() -> Path:
    return Path(state_dir()) / "proxy.json"
