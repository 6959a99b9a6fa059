"""The proxy that stands for all clients of a user, as `leeboard proxy` runs it: written down, and found again."""

from __future__ import annotations

import http.client
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from leeboard.io.places import make_private_dir, state_dir
from leeboard.surfaces.proxy.address import LOOPBACK, OWN

ASK_SECONDS = 2.0
_LONGEST = 65_536


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
    return found if found is not None and ask_health(found.port, token) is not None else None


def ask_health(port: int, token: str) -> dict[str, object] | None:
    """What the proxy on that port tells of itself; None where nobody answers who knows the token."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", f"/{token}/{OWN}/health")
        answer = connection.getresponse()
        told = msgspec.json.decode(answer.read(_LONGEST)) if answer.status == 200 else None
    except (OSError, http.client.HTTPException, msgspec.DecodeError):
        return None
    finally:
        connection.close()
    return told if isinstance(told, dict) and OWN in told else None


def _read() -> StandingProxy | None:
    try:
        return msgspec.json.decode(_path().read_bytes(), type=StandingProxy)
    except (OSError, msgspec.DecodeError):
        return None


def _path() -> Path:
    return Path(state_dir()) / "proxy.json"
