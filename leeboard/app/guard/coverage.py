"""What a version of a client tells its hooks of, as `leeboard.app.guard.probe` found it, kept for that version."""

from __future__ import annotations

import msgspec

from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import make_private_dir, state_dir

_LONGEST = 1 << 20
PARTS = {
    "main": "the main agent",
    "parallel": "calls side by side",
    "agent": "sub-agents",
    "background": "background agents",
    "worktree": "agents in a work tree of their own",
}


class PartHeard(msgspec.Struct, frozen=True, kw_only=True):
    """One way to make a call."""

    part: str
    ran: bool = False
    """False: this version can not be brought to make such a call, so nothing is known of it."""
    before: bool = False
    """Its hook was told before the call."""
    after: bool = False
    by_http: bool = False
    """A hook over HTTP was told before the call."""


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What one version of a client tells its hooks."""

    client: str
    version: str
    time: float
    events: tuple[str, ...] = ()
    http_events: tuple[str, ...] = ()
    parts: tuple[PartHeard, ...] = ()

    @property
    def unheard(self) -> tuple[str, ...]:
        """Ways to make a call that no hook is told of, in words."""
        return tuple(PARTS[one.part] for one in self.parts if one.ran and not one.before)

    @property
    def untried(self) -> tuple[str, ...]:
        return tuple(PARTS[one.part] for one in self.parts if not one.ran)

    @property
    def words(self) -> str:
        heard = [PARTS[one.part] for one in self.parts if one.before]
        told = [f"hooks are told of {', '.join(heard)}" if heard else "no hook is told of any call"]
        told += [f"NOT of {', '.join(self.unheard)}"] if self.unheard else []
        told += [f"not tried: {', '.join(self.untried)}"] if self.untried else []
        told += ["over HTTP too" if self.takes_http else "not over HTTP"]
        return "; ".join(told)

    @property
    def takes_http(self) -> bool:
        """Whether a hook over HTTP hears of every call that a command hears of."""
        heard = [one for one in self.parts if one.before]
        return bool(heard) and all(one.by_http for one in heard)


def keep(found: Coverage) -> None:
    make_private_dir(state_dir())
    replace_file(_kept_at(found.client), msgspec.json.encode(found), mode=0o600)


def kept_coverage(client: str, version: str = "") -> Coverage | None:
    """What is known of this version; of the one that was tried last, where none is named."""
    try:
        found = msgspec.json.decode(read_regular(_kept_at(client), _LONGEST), type=Coverage)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    known = found.client == client and all(one.part in PARTS for one in found.parts)
    return found if known and version in {"", found.version} else None


def _kept_at(client: str) -> str:
    return f"{state_dir()}/probe-{client}.json"
