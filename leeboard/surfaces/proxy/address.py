"""The addresses under which the proxy is spoken to: `http://127.0.0.1:<port>/<token>/https/<host>/<path>`.

Each says where it leads, so that one proxy serves any number of upstreams, remembers none of them, and is replaced by
the next one without anybody noticing. The token keeps other users of the machine and pages in a browser out.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from pathlib import Path

import msgspec

from leeboard.errors import ConfigError, EffectError
from leeboard.io import system
from leeboard.io.places import make_private_dir, state_dir

LOOPBACK = "127.0.0.1"
OWN = "leeboard"
"""The place of an upstream's scheme where the proxy itself is asked: `/<token>/leeboard/health`."""
CHALLENGE = "/leeboard/proof/"
_CHALLENGE = re.compile(rb"/leeboard/proof/([0-9a-f]{32,64})")
_PORTS = {"http": 80, "https": 443}
_UPSTREAM = re.compile(r"(https?)://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?(/[^?#\s]*)?")
_HOST = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?", re.IGNORECASE)
_ORIGIN = re.compile(rb"https?://(127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)


class Origin(msgspec.Struct, frozen=True):
    """A server that requests are forwarded to."""

    scheme: str
    host: str
    port: int

    @property
    def field(self) -> bytes:
        """As the Host field names it."""
        named = self.host if self.port == _PORTS[self.scheme] else f"{self.host}:{self.port}"
        return named.encode()

    @property
    def name(self) -> str:
        """The address as people write it."""
        return f"{self.scheme}://{self.field.decode()}"


class RequestTarget(msgspec.Struct, frozen=True):
    """Where one request leads: to an upstream, or to the proxy itself where there is none."""

    origin: Origin | None
    path: bytes


def base_url(port: int, token: str, upstream: str) -> str:
    """What a client has to take for the address of its upstream. `ConfigError` where it is no address."""
    found = _UPSTREAM.fullmatch(upstream.rstrip("/"))
    if found is None:
        raise ConfigError(f"{upstream}: no address of an API: give one like https://api.example.com/v1")
    place = f"{found[2]}:{found[3]}" if found[3] else found[2]
    return f"http://{LOOPBACK}:{port}/{token}/{found[1]}/{place}{found[4] or ''}"


def find_upstream(address: str, token: str) -> str:
    """The upstream that an address of a proxy leads to; the address itself where it is none."""
    beginning = re.match(rf"http://{re.escape(LOOPBACK)}:[0-9]{{1,5}}/{re.escape(token)}/(https?)/(?=.)", address)
    return f"{beginning[1]}://{address[beginning.end() :]}" if beginning else address


def find_target(path: bytes, token: str) -> RequestTarget | None:
    """What the path of a request asks for; None where the token is wrong or the path leads nowhere."""
    parts = path.split(b"/", 4)
    if len(parts) < 4 or parts[0] or not hmac.compare_digest(parts[1], token.encode()):
        return None
    scheme, rest = parts[2].decode("latin-1"), b"/" + (parts[4] if len(parts) == 5 else b"")
    if scheme == OWN:
        return RequestTarget(None, b"/" + parts[3])
    place, mark, query = parts[3].partition(b"?")
    found = _UPSTREAM.fullmatch(f"{scheme}://{place.decode('latin-1')}")
    if found is None or found[4]:
        return None
    port = int(found[3]) if found[3] else _PORTS[found[1]]
    if not 0 < port < 65536:
        return None
    return RequestTarget(Origin(found[1], found[2], port), rest + mark + query)


def proof(token: str, port: int, challenge: str) -> str:
    """What only a proxy on that port can answer that knows the token. Of another port's proxy it would be another one:
    nobody can pass the question on and take the answer for their own.
    """
    return hmac.new(token.encode(), f"{OWN} {port} {challenge}".encode(), "sha256").hexdigest()


def find_challenge(path: bytes) -> str:
    """The challenge of a request that asks for a proof, which is the one thing that is answered without a token."""
    found = _CHALLENGE.fullmatch(path)
    return found[1].decode() if found else ""


def is_from_here(host: list[bytes], origin: list[bytes]) -> bool:
    """Whether Host and Origin say that the one who asks means this machine, and is no page from elsewhere."""
    return len(host) == 1 and bool(_HOST.fullmatch(host[0])) and all(_ORIGIN.fullmatch(each) for each in origin)


def kept_token() -> str:
    """This user's token: made once, readable by nobody else, the same for every proxy, so that addresses stay true."""
    path = Path(state_dir()) / "proxy.token"
    try:
        make_private_dir(str(path.parent))
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.CLOEXEC, 0o600)
        except FileExistsError:
            return _read_token(path)
        with os.fdopen(file, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(18))
        return _read_token(path)
    except OSError as error:
        raise EffectError(f"{path}: the proxy's token can not be kept: {error.strerror or error}") from error


def _read_token(path: Path) -> str:
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if not re.fullmatch(r"[A-Za-z0-9_-]{20,64}", token):
        raise EffectError(f"{path}: holds no token: remove the file, the next proxy writes a new one")
    return token
