"""Who may enter: an invitation is good once and for a short while, what a visitor holds afterwards is a cookie.

Nothing of it can be read from the disk: of a cookie only the digest is kept, so that a visitor is known again when the
server was started anew, and an invitation is kept nowhere. Whoever holds a copy of one that was used gets nobody in,
and ends the visit it was used for: one of the two was not meant.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from posixpath import join
from threading import Lock

import msgspec

from leeboard.io import clock, system
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import make_private_dir, make_private_file, secret_key, state_dir

INVITED_SECONDS = 120.0
VISIT_SECONDS = 30 * 86_400.0
MOST_VISITS = 50
_LARGEST = 1 << 20


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was let in."""

    digest: str
    """The cookie is known by this; it is not kept itself."""
    since: float
    name: str
    program: str = ""
    """What their browser is, as the system tells; another one that brings the cookie is not theirs. Empty: unknown."""
    is_elsewhere: bool = False
    """Their browser runs on another machine, and comes through `ssh -L`: the cookie lies on no disk of this one."""
    mac: str = ""
    """Signed with the key of this machine: a line that somebody put into the file lets nobody in."""


class Invitation(msgspec.Struct, kw_only=True):
    until: float
    is_elsewhere: bool = False
    used_by: str = ""
    """The digest of the cookie it was exchanged for."""


class Doorkeeper:
    """Safe for several threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = Lock()
        self._invitations: dict[str, Invitation] = {}
        self._visitors = {visitor.digest: visitor for visitor in _kept()}

    def invite(self, *, is_elsewhere: bool = False) -> str:
        """A token that lets one browser in: one of this machine, or one behind `ssh -L`."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            late = clock.now()
            self._invitations = {
                key: each for key, each in self._invitations.items() if each.until > late - INVITED_SECONDS
            }
            self._invitations[_digest(token)] = Invitation(until=late + INVITED_SECONDS, is_elsewhere=is_elsewhere)
        return token

    def invites_elsewhere(self, token: str) -> bool:
        found = self._invitations.get(_digest(token))
        return found is not None and found.is_elsewhere

    def admit(self, token: str, held: str = "", program: str = "") -> str:
        """The cookie it is exchanged for; empty where it is none, is too old, or was used by somebody else."""
        with self._lock:
            found = self._invitations.get(_digest(token))
            if found is None:
                return ""
            if found.used_by and hmac.compare_digest(found.used_by, _digest(held)):
                return held
            if found.used_by:
                self._visitors.pop(found.used_by, None)
                self._keep()
                return ""
            if clock.now() > found.until:
                return ""
            cookie = secrets.token_urlsafe(32)
            found.used_by = _digest(cookie)
            visitor = Visitor(
                digest=found.used_by,
                since=clock.now(),
                name=self.name,
                program=program,
                is_elsewhere=found.is_elsewhere,
            )
            self._visitors[found.used_by] = msgspec.structs.replace(visitor, mac=_mac(visitor))
            self._keep()
            return cookie

    def visitor(self, cookie: str) -> Visitor | None:
        found = self._visitors.get(_digest(cookie)) if cookie else None
        return found if found is not None and clock.now() - found.since < VISIT_SECONDS else None

    def send_away(self) -> None:
        """Everybody: whatever they hold is worth nothing from now on."""
        with self._lock:
            self._visitors.clear()
            self._invitations.clear()
            self._keep()

    def _keep(self) -> None:
        newest = sorted(self._visitors.values(), key=lambda visitor: visitor.since)[-MOST_VISITS:]
        self._visitors = {visitor.digest: visitor for visitor in newest}
        make_private_dir(join(state_dir(), "web"))
        make_private_file(_file())
        # Who comes from elsewhere is known as long as this server lives: whoever takes its place could be sent the
        # cookie, and nothing else tells such a visitor from one who hides.
        replace_file(_file(), msgspec.json.encode([each for each in newest if not each.is_elsewhere]))


def change_token(cookie: str) -> str:
    """What every change has to bring along: only a page that was rendered for this visitor has it."""
    return hmac.new(cookie.encode(), b"leeboard change", sha256).hexdigest()


def is_change_token(cookie: str, given: str) -> bool:
    return bool(cookie) and hmac.compare_digest(change_token(cookie).encode(), given.encode("utf-8", "replace"))


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _mac(visitor: Visitor) -> str:
    said = msgspec.json.encode(["visitor", visitor.digest, visitor.since, visitor.name, visitor.program])
    return hmac.new(secret_key(), said, sha256).hexdigest()


def _file() -> str:
    return join(state_dir(), "web", "visitors.json")


def _kept() -> tuple[Visitor, ...]:
    """Nobody where it can not be read, or somebody else could have written it."""
    try:
        seen = os.lstat(_file())
        if not system.is_private(seen):
            return ()
        found = msgspec.json.decode(read_regular(_file(), _LARGEST), type=tuple[Visitor, ...])
        signed = (each for each in found if hmac.compare_digest(each.mac.encode(), _mac(each).encode()))
        return tuple(msgspec.structs.replace(each, is_elsewhere=False) for each in signed)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ()
